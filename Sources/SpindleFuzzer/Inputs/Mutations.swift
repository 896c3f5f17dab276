import SpindleGenerator

/// What is done to a trace to make an input of it.
enum Mutation: Int, CaseIterable {
  /// Its words, lines and bytes are damaged, moved, repeated and wrapped.
  case text
  /// It gets another machine.
  case machine
  /// Its numbers become larger, smaller, and those at which something ends.
  case numbers
  /// Some of each.
  case mixed
}

/// An input made from a seed: the same for the same seed and corpus.
struct Mutant {
  /// The text.
  private(set) var text: String
  private var random: Randomness
  private let corpus: Corpus

  /// Makes the input of a seed; the seed says also what is done, each of it to every fourth.
  init(seed: Int, corpus: Corpus) {
    self.corpus = corpus
    random = Randomness(seed: seed)
    text = random.pick(corpus.texts)
    switch Mutation.allCases[seed & 3] {
    case .text:
      for _ in 0...random.below(3) { damage() }
    case .machine: replaceMachine()
    case .numbers: changeNumbers()
    case .mixed:
      random.isOne(in: 2) ? changeLines() : wrapLine()
      if random.isOne(in: 2) { replaceMachine() }
      changeNumbers()
      if random.isOne(in: 4) { damage() }
    }
  }

  private mutating func replaceMachine() {
    text = MachineMutation(&random).applied(to: text, &random)
  }

  private mutating func changeNumbers() {
    var tokens = TraceTokens(text)
    NumberMutation.apply(to: &tokens, &random)
    text = tokens.text
  }

  private mutating func damage() {
    switch random.below(10) {
    case 0...2: changeLines()
    case 3...6: wrapLine()
    case 7...8: changeTokens()
    default: changeBytes()
    }
  }

  /// Deletes, repeats, swaps lines, or takes one from another trace.
  private mutating func changeLines() {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let statements = Corpus.statements(lines)
    // Most traces that lose a bracket are refused at once.
    let places = random.isOne(in: 6) || statements.isEmpty ? Array(lines.indices) : statements
    let (one, other) = (random.pick(places), random.pick(places))
    switch random.below(7) {
    case 0: lines.remove(at: one)
    case 1...2: lines.insert(lines[one], at: other)
    case 3...4: lines.swapAt(one, other)
    case 5: lines.insert(Substring(random.pick(corpus.lines)), at: other)
    default: lines[one] = Substring(random.pick(corpus.lines))
    }
    text = lines.joined(separator: "\n")
  }

  private static let wrappers = [
    "Thread.detachNewThread {", "DispatchQueue.main.async {", "DispatchQueue.global().async {",
    "DispatchQueue.main.asyncAfter(deadline: .now() + 1ms) {", "if true {", "defer {",
    "DispatchQueue.global().sync {", "RunLoop.main.perform {", "autoreleasepool {",
    "Timer.scheduledTimer(withTimeInterval: 1ms, repeats: true) { _ in",
  ]

  /// Lets a line be done often, or somewhere else.
  private mutating func wrapLine() {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let statements = Corpus.statements(lines)
    guard !statements.isEmpty else { return }
    let place = random.pick(statements)
    let isRepeated = random.isOne(in: 2)
    let opening =
      isRepeated
      ? "for _ in 0 ..< \(1 << random.below(12)) {" : random.pick(Mutant.wrappers)
    lines[place] = "\(opening)\n\(lines[place])\n}"
    text = lines.joined(separator: "\n")
  }

  private static let signs = [
    "{", "}", "(", ")", "[", "]", ",", ":", ".", "=", "+", "-", "*", "/", "%", "?", "!", "<", ">",
    "..<", "==", "&&", "||", ";", "\n", "true", "false", "nil", "\"\"", "$0", "0", "1ms", "1KB",
  ]

  /// Replaces, removes or swaps tokens.
  private mutating func changeTokens() {
    var tokens = TraceTokens(text)
    let kind: TraceTokens.Kind = random.isOne(in: 4) ? .sign : .word
    let places = tokens.places(of: kind)
    guard !places.isEmpty else { return }
    let (one, other) = (random.pick(places), random.pick(places))
    switch random.below(6) {
    case 0: tokens.tokens.swapAt(one, other)
    case 1: tokens.tokens[one].text = random.pick(Mutant.signs)
    case 2: tokens.tokens.remove(at: one)
    case 3 where kind == .word: tokens.tokens[one].text = random.pick(corpus.words)
    default: tokens.tokens[one].text = tokens.tokens[other].text
    }
    text = tokens.text
  }

  /// Damages the bytes, so that there is no text any more.
  private mutating func changeBytes() {
    var bytes = Array(text.utf8)
    guard bytes.count > 4 else { return }
    let start = random.below(bytes.count - 2)
    let end = min(bytes.count, start + 1 + random.below(30))
    switch random.below(3) {
    case 0: bytes.removeSubrange(start..<end)
    case 1: bytes.insert(contentsOf: Array(bytes[start..<end]), at: random.below(bytes.count))
    default: bytes[start] = UInt8(random.below(128))
    }
    text = String(decoding: bytes, as: UTF8.self)
  }
}
