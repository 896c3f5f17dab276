import SpindleModel

/// Every wording of a finding, here and in the files for their subjects, each in alphabetical order.
///
/// A function gives a whole sentence, or what stands for a part of one where a sentence has as many
/// parts as the run had: a clause of a chain of operations, why a loop is silent. It knows names,
/// times and counts, and nothing of the run. `who` is a thread as ``thread(_:runs:)`` says it; a
/// `lock` that is waited for as ``lock(_:owner:)`` does; every other name comes without quotes.
enum FindingText {
  static func handler(of what: StaticString, name: String) -> FindingStatement {
    "the handler of \(words: "\(what)") \(name, .source)"
  }

  static func line(behind first: String?, count: Int, isMixed: Bool) -> FindingStatement {
    guard let first else {
      return count == 0 || isMixed
        ? "" : ", behind \(count == 1 ? "an item" : "\(count, .items) items")"
    }
    if isMixed { return ", behind \(first, .item) and others in turn" }
    return ", behind \(first, .item)" + (count == 0 ? "" : " and \(count, .others) more")
  }

  /// A lock in quotes, and the instance whose it is.
  static func lock(_ lock: String, owner: String?) -> FindingStatement {
    "\(lock, .lock)" + (owner.map { " of \($0, .instance)" } ?? "")
  }
  static func lostSignals(_ count: Int) -> FindingStatement {
    "\(count, .signals) signals came that it did not see"
  }
  static let mainQueue: StaticString = "the main queue"
  static let port: StaticString = "port"
  static let source: StaticString = "source"
  static func thread(_ name: String, runs item: String?) -> FindingStatement {
    item.map { "\(name, .thread) in \($0, .item)" } ?? "\(name, .thread)"
  }
  static let timer: StaticString = "timer"
  static func times(_ count: Int) -> FindingStatement {
    count == 1 ? "once" : "\(count, .entered) times"
  }
  static func waits(_ who: FindingStatement, _ reason: WaitReason) -> FindingStatement {
    FindingStatement(waiting: reason, .unknown, "\(who) waits")
  }
  static func waits(_ who: FindingStatement, inWordsOf reason: WaitReason) -> FindingStatement {
    FindingStatement(waiting: reason, .unknown, "\(who) \(words: "\(reason.facts.word)")")
  }
}
