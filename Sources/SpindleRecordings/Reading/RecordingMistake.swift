/// Why a recording, or a part of it, can't be read.
package struct RecordingMistake: Error, Hashable, Sendable {
  /// Where in the recording.
  package enum Place: Hashable, Sendable {
    /// A line, from 1.
    case line(Int)
    /// A byte, from 0.
    case byte(Int)
    /// All of it.
    case whole
  }

  /// Where.
  package let place: Place
  /// The mistake, a phrase without a full stop.
  package let reason: String

  /// Creates a mistake.
  package init(_ place: Place, _ reason: String) { (self.place, self.reason) = (place, reason) }

  /// A sentence about the recording called `name`: `app.txt, line 17: the core is no number`.
  package func sentence(of name: String) -> String {
    switch place {
    case .line(let line): "\(name), line \(line): \(reason)"
    case .byte(let byte): "\(name), byte \(byte): \(reason)"
    case .whole: "\(name): \(reason)"
    }
  }
}
