/// Every wording of a finding, here and in the files for their subjects, each in alphabetical order.
///
/// A function gives a whole sentence, or what stands for a part of one where a sentence has as many
/// parts as the run had: a clause of a chain of operations, why a loop is silent. It knows names,
/// times and counts, and nothing of the run. `who` is a thread as ``thread(_:runs:)`` says it; a
/// `lock` that is waited for as ``lock(_:owner:)`` does; every other name comes without quotes.
enum FindingText {
  static func handler(of what: StaticString, name: String) -> String {
    "the handler of \(what) '\(name)'"
  }

  static func line(behind first: String?, count: Int, isMixed: Bool) -> String {
    guard let first else {
      return count == 0 || isMixed ? "" : ", behind \(count == 1 ? "an item" : "\(count) items")"
    }
    if isMixed { return ", behind '\(first)' and others in turn" }
    return ", behind '\(first)'" + (count == 0 ? "" : " and \(count) more")
  }

  /// A lock in quotes, and the instance whose it is.
  static func lock(_ lock: String, owner: String?) -> String {
    "'\(lock)'" + (owner.map { " of '\($0)'" } ?? "")
  }
  static func lostSignals(_ count: Int) -> String { "\(count) signals came that it did not see" }
  static let mainQueue: StaticString = "the main queue"
  static let port: StaticString = "port"
  static let source: StaticString = "source"
  static func thread(_ name: String, runs item: String?) -> String {
    item.map { "'\(name)' in '\($0)'" } ?? "'\(name)'"
  }
  static let timer: StaticString = "timer"
  static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
  static func waits(_ who: String) -> String { "\(who) waits" }
  static func waits(_ who: String, _ word: String) -> String { "\(who) \(word)" }
}
