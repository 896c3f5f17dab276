import SpindleHost

/// Reads the statements of a long `main` on a thread of its own, some way ahead of whoever lowers
/// them: reading and lowering take about as long as each other.
///
/// What is read, and in which order it is handed out, is the same as without the thread.
final class StatementReader: @unchecked Sendable {
  /// Statements that follow each other, and the memory that they are in.
  struct Batch: Sendable {
    var arena: SyntaxArena
    var statements: [Statement] = []
    /// Whether no other follows: `main` ends here, or its form is wrong.
    var isLast = false
  }

  /// Shorter texts are read sooner than a thread begins.
  static let leastLength = 1 << 20

  /// How many statements a batch has, and how many batches there are: enough that neither side often
  /// waits, and so few that what one has written is near when the other reads it.
  private static let batchLength = 128
  private static let batchCount = 8

  /// Only the reading thread uses it until that has ended.
  private let parser: UnsafeMutablePointer<Parser>
  private var open: Parser.OpenStatements
  private let words: WordTable

  private struct Shared: Sendable {
    /// What has been read and not been handed out.
    var batches: [Batch] = []
    /// How many batches may be read besides.
    var room = StatementReader.batchCount
    var spares: [SyntaxArena] = []
    /// Memory that is wanted soon.
    var ranges: [LargeBuffer.Range] = []
    var isStopped = false

    /// The memory that is wanted; nil when none is.
    mutating func takeRanges() -> [LargeBuffer.Range]? {
      if ranges.isEmpty { return nil }
      defer { ranges = [] }
      return ranges
    }
  }

  private let shared = Monitor(Shared())

  private init(_ parser: UnsafeMutablePointer<Parser>, _ open: Parser.OpenStatements) {
    (self.parser, self.open, words) = (parser, open, parser.pointee.arena.words)
  }

  /// Hands the statements behind `open` out, batch by batch.
  ///
  /// Whether `body` took all that there are; it gets no more when it refuses one. nil when the host
  /// gives no thread: then nothing has been read.
  static func read(
    _ parser: inout Parser, _ open: Parser.OpenStatements, _ body: (Batch) -> BatchUse
  ) -> Bool? {
    withUnsafeMutablePointer(to: &parser) { pointer in
      let arena = pointer.pointee.arena
      let reader = StatementReader(pointer, open)
      guard let thread = HostThread({ reader.run() }) else { return nil }
      defer {
        reader.shared.change { $0.isStopped = true }
        thread.join()
        pointer.pointee.arena = arena
      }
      while true {
        let batch = reader.nextBatch()
        let use = body(batch)
        if case .refused = use { return false }
        if batch.isLast { return true }
        reader.shared.change { shared in
          shared.room += 1
          if case .done(let ranges, let isKept) = use {
            if !ranges.isEmpty { shared.ranges = ranges }
            if !isKept { shared.spares.append(batch.arena) }
          }
        }
      }
    }
  }

  /// What became of a batch.
  enum BatchUse {
    /// Nothing is to be read any more.
    case refused
    /// With memory that is wanted soon, and whether something of the batch is still needed: then
    /// whoever needs it keeps the arena.
    case done(wanting: [LargeBuffer.Range], keepsTree: Bool)
  }

  private func run() {
    while true {
      switch nextStep() {
      case .read(let arena):
        let batch = fill(arena)
        shared.change { $0.batches.append(batch) }
        if batch.isLast { return }
      case .prepare(let ranges): for range in ranges { range.prepare() }
      case .end: return
      }
    }
  }

  /// What the reading thread does next.
  private enum Step: Sendable {
    /// Reads a batch into the arena.
    case read(SyntaxArena)
    /// Gets memory that is wanted soon.
    case prepare([LargeBuffer.Range])
    /// Nothing is wanted any more.
    case end
  }

  /// Who would have to wait for the other one gets memory instead.
  private func nextStep() -> Step {
    shared.wait { shared in
      if shared.isStopped { return .end }
      if shared.room > 0 {
        shared.room -= 1
        return .read(shared.spares.popLast() ?? SyntaxArena(words: words))
      }
      return shared.takeRanges().map { .prepare($0) }
    }
  }

  /// The batch that comes next, as soon as it is there.
  private func nextBatch() -> Batch {
    while true {
      let (batch, ranges) = shared.wait { shared -> (Batch?, [LargeBuffer.Range])? in
        if !shared.batches.isEmpty { return (shared.batches.removeFirst(), []) }
        return shared.takeRanges().map { (nil, $0) }
      }
      if let batch { return batch }
      for range in ranges { range.prepare() }
    }
  }

  private func fill(_ arena: SyntaxArena) -> Batch {
    arena.forgetAll()
    parser.pointee.arena = arena
    var batch = Batch(arena: arena)
    batch.statements.reserveCapacity(StatementReader.batchLength)
    while batch.statements.count < StatementReader.batchLength {
      let statement = parser.pointee.nextStatement(&open)
      guard let statement, parser.pointee.diagnostics.isEmpty else {
        batch.isLast = true
        break
      }
      batch.statements.append(statement)
    }
    return batch
  }
}
