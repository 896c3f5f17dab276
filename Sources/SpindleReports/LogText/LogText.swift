package import SpindleModel

/// Writes a run's log as text, one line for each step, to be read and compared.
///
/// A line has the time, the core that the thread has, the thread, and its step, in columns. Lines that begin
/// with `#` are the header (title, machine, parameters) and the footer (outcome, findings, digest). Places in
/// the trace are left out, so that a new comment in a trace changes no log. Changes of the memory in use have
/// no lines of their own: their causes have, and the digest covers them.
///
/// A class, since the simulator gets it and the caller reads it.
package final class LogText: LogConsumer {
  private let limit: Int
  private let chunk: Int
  private let write: (ArraySlice<UInt8>) -> Void
  private let logDigest = LogDigest()
  private var writer = LogWriter()

  /// Creates a log that passes its text to `write` piece by piece.
  ///
  /// After `limit` lines between header and footer, one line states how many more there were; nil writes all.
  package convenience init(limit: Int? = nil, write: @escaping (ArraySlice<UInt8>) -> Void) {
    self.init(limit: limit, chunk: LogLines.chunkSize, write: write)
  }

  /// Creates a log whose pieces have `chunk` bytes or a little more; the text does not depend on it.
  package init(limit: Int? = nil, chunk: Int, write: @escaping (ArraySlice<UInt8>) -> Void) {
    self.limit = limit ?? Int.max
    self.chunk = chunk
    self.write = write
  }

  /// How many lines there are between top and end, written or not.
  package var lineCount: Int { writer.lineCount }

  /// The run's digest, as `LogDigest` makes it; final when the run has ended.
  package var digest: String { logDigest.text }

  /// How many entries there were, with a line or without.
  package var entryCount: Int64 { logDigest.entryCount }

  package func begin(_ run: RunDescription) {
    logDigest.begin(run)
    writer = LogWriter(run, limit: limit, chunk: chunk)
  }

  package func receive(_ entries: UnsafeBufferPointer<LogEntry>) {
    logDigest.receive(entries)
    var index = 0
    while index < entries.count {
      index = writer.write(entries, from: index)
      if writer.isFull { flush() }
    }
  }

  package func end(_ record: RunRecord) {
    logDigest.end(record)
    writer.writeFooter(record, logDigest)
    flush()
  }

  private func flush() {
    write(writer.take()[...])
  }
}
