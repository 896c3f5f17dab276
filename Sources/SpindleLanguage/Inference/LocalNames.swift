/// The names that are declared around a place, innermost last.
///
/// The innermost meaning of a name is found in constant time, however many names there are.
struct LocalNames {
  private struct Entry {
    var name: String
    var meaning: BodyChecker.LocalMeaning
    /// The place of the meaning that the name has around this one.
    var outer: Int?
  }

  private var entries: [Entry] = []
  /// The place of the innermost meaning of each name.
  private var latest: [String: Int] = [:]

  var count: Int { entries.count }

  /// All of them, innermost first.
  var innermostFirst: [String] { entries.reversed().map(\.name) }

  mutating func append(_ name: String, _ meaning: BodyChecker.LocalMeaning) {
    let outer = latest.updateValue(entries.count, forKey: name)
    entries.append(Entry(name: name, meaning: meaning, outer: outer))
  }

  /// Forgets all but the first `count` names.
  mutating func removeAll(from count: Int) {
    while entries.count > count {
      let entry = entries.removeLast()
      latest[entry.name] = entry.outer
    }
  }

  /// The innermost meaning of a name.
  subscript(name: String) -> BodyChecker.LocalMeaning? {
    latest[name].map { entries[$0].meaning }
  }

  /// The innermost meaning of a name that `fits`, among the names from `start` on.
  func last(
    _ name: String, from start: Int = 0, where fits: (BodyChecker.LocalMeaning) -> Bool
  ) -> BodyChecker.LocalMeaning? {
    var place = latest[name]
    while let one = place, one >= start {
      if fits(entries[one].meaning) { return entries[one].meaning }
      place = entries[one].outer
    }
    return nil
  }
}
