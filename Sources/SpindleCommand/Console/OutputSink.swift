import SpindleSystem

/// Where text goes to: a descriptor, or memory for tests.
///
/// A class, since all parts of a command write into the same one, in turn.
package final class OutputSink {
  private var pending: [UInt8] = []
  private let descriptor: Int32?
  private let name: String
  private let follows: OutputSink?
  /// What kept the text from being written; what follows is dropped.
  private(set) var failure: FileFailure?

  /// Creates a sink that keeps all text in memory.
  package init() {
    (descriptor, name, follows) = (nil, "memory", nil)
  }

  /// Creates a sink in front of an open file.
  ///
  /// One that `follows` another hands every text on at once, after all that the other has, so that
  /// a terminal shows both in the order in which they were written.
  init(descriptor: Int32, name: String, follows: OutputSink? = nil) {
    (self.descriptor, self.name, self.follows) = (descriptor, name, follows)
  }

  /// What was written and not flushed yet: for a sink in memory, everything.
  package var text: String { String(decoding: pending, as: UTF8.self) }

  /// Which file the text goes to; nil where it is none.
  var identity: FileIdentity? { descriptor.flatMap { FileIdentity(descriptor: $0) } }

  /// Writes a text.
  package func write(_ text: String) {
    pending.append(contentsOf: text.utf8)
    flushIfDue()
  }

  /// Writes bytes.
  func write(_ bytes: ArraySlice<UInt8>) {
    pending.append(contentsOf: bytes)
    flushIfDue()
  }

  /// Hands everything on to the descriptor; nothing happens to a sink in memory.
  package func flush() {
    guard let descriptor, !pending.isEmpty else { return }
    if failure == nil {
      do {
        try Files.write(pending[...], to: descriptor, path: name)
      } catch {
        failure = error
      }
    }
    pending.removeAll(keepingCapacity: true)
  }

  private func flushIfDue() {
    if let follows {
      follows.flush()
      flush()
    } else if pending.count >= 65_536 {
      flush()
    }
  }
}
