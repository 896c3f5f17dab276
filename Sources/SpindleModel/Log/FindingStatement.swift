/// What a finding says: the words of one or more sentences, and between them the data they are about.
///
/// A wording is an interpolated string in which each value says which part it plays:
/// `"\(thread, .thread) waited \(length, .waited) for \(lock, .lock)"`. Text for people is made of all
/// pieces. Everything else reads the data, so a change of the words changes nothing but the text.
///
/// A statement that comes from the text of a log has words only.
package struct FindingStatement: Hashable, Sendable {
  /// A piece of a statement.
  fileprivate enum Piece: Hashable, Sendable {
    case words(String)
    case subject(Finding.Subject)
    case amount(Finding.Amount)
    /// What follows is about a wait, up to the next one.
    case wait(WaitReason, Finding.Obstacle)
    /// What follows is about so many waiters, each of which waits for the next one.
    case cycle(Int)
  }

  private var pieces: [Piece] = []

  /// Creates a statement of words alone.
  package init(words: String) { pieces = words.isEmpty ? [] : [.words(words)] }

  /// Creates a statement about a wait.
  package init(
    waiting reason: WaitReason, _ obstacle: Finding.Obstacle, _ statement: FindingStatement
  ) {
    pieces = [.wait(reason, obstacle)] + statement.pieces
  }

  /// Creates a statement about a cycle of waiters.
  package init(cycleOf count: Int, _ statement: FindingStatement) {
    pieces = [.cycle(count)] + statement.pieces
  }

  /// The text: names stand in quotes, amounts have their units.
  package var text: String {
    var text = ""
    for piece in pieces {
      switch piece {
      case .words(let words): text += words
      case .subject(let subject): text += subject.text
      case .amount(let amount): text += amount.value.text
      case .wait, .cycle: break
      }
    }
    return text
  }

  /// Whether it has neither words nor data.
  package var isEmpty: Bool { pieces.isEmpty }

  /// The names in it, in the order of the text.
  package var subjects: [Finding.Subject] {
    pieces.compactMap { if case .subject(let subject) = $0 { subject } else { nil } }
  }

  /// The amounts in it, in the order of the text.
  package var amounts: [Finding.Amount] {
    pieces.compactMap { if case .amount(let amount) = $0 { amount } else { nil } }
  }

  /// The waits in it, in the order of the text, each with the names that follow it.
  package var waits: [Finding.Wait] {
    var waits: [Finding.Wait] = []
    for piece in pieces {
      switch piece {
      case .wait(let reason, let obstacle):
        waits.append(Finding.Wait(reason: reason, obstacle: obstacle, subjects: []))
      case .subject(let subject) where !waits.isEmpty:
        waits[waits.count - 1].subjects.append(subject)
      case .subject, .words, .amount, .cycle: break
      }
    }
    return waits
  }

  /// How many waiters wait for each other in a cycle, 1 for one that waits for itself; nil for none.
  package var cycle: Int? {
    for case .cycle(let count) in pieces { return count }
    return nil
  }

  /// One statement behind another.
  package static func + (left: FindingStatement, right: FindingStatement) -> FindingStatement {
    var sum = left
    sum.pieces += right.pieces
    return sum
  }

  /// Puts one statement behind another.
  package static func += (left: inout FindingStatement, right: FindingStatement) {
    left.pieces += right.pieces
  }
}

extension FindingStatement: ExpressibleByStringInterpolation {
  package init(stringLiteral value: String) { self.init(words: value) }
  package init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }

  /// What an interpolated wording consists of.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var pieces: [Piece] = []

    package init(literalCapacity: Int, interpolationCount: Int) {
      pieces.reserveCapacity(2 * interpolationCount + 1)
    }
    package mutating func appendLiteral(_ literal: String) {
      if !literal.isEmpty { pieces.append(.words(literal)) }
    }
    /// A name, and which part what it names plays.
    package mutating func appendInterpolation(_ name: String, _ role: Finding.Role) {
      pieces.append(.subject(Finding.Subject(role: role, name: name)))
    }
    /// A length of time, and what took it.
    package mutating func appendInterpolation(_ length: Nanoseconds, _ measure: Finding.Measure) {
      pieces.append(.amount(Finding.Amount(measure: measure, value: .duration(length))))
    }
    /// A moment, and what was then.
    package mutating func appendInterpolation(_ moment: Instant, _ measure: Finding.Measure) {
      pieces.append(.amount(Finding.Amount(measure: measure, value: .moment(moment))))
    }
    /// A size of memory, and of what it is.
    package mutating func appendInterpolation(_ size: ByteCount, _ measure: Finding.Measure) {
      pieces.append(.amount(Finding.Amount(measure: measure, value: .size(size))))
    }
    /// A rate, and of what it is.
    package mutating func appendInterpolation(
      perSecond rate: FixedDecimal, _ measure: Finding.Measure
    ) {
      pieces.append(.amount(Finding.Amount(measure: measure, value: .rate(rate))))
    }
    /// A number, and of what it is.
    package mutating func appendInterpolation(_ count: Int, _ measure: Finding.Measure) {
      pieces.append(.amount(Finding.Amount(measure: measure, value: .count(count))))
    }
    /// A part that is a statement itself.
    package mutating func appendInterpolation(_ part: FindingStatement) { pieces += part.pieces }
    /// Words that are no data, such as the ending of a plural.
    package mutating func appendInterpolation(words: String) { appendLiteral(words) }
  }
}

extension [FindingStatement] {
  /// One statement of all, with words between them.
  package func joined(separator: FindingStatement = "") -> FindingStatement {
    var sum: FindingStatement = ""
    for (index, part) in enumerated() { sum += index == 0 ? part : separator + part }
    return sum
  }
}
