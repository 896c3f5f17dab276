/// A member or an argument of Apple's interfaces that a trace has not, and what it has instead.
enum ForeignMember {
  /// What to say of a member of objects; nil for a name that means nothing.
  static func member(_ name: String, of owner: String) -> String? {
    guard let instead = members["\(owner).\(name)"] else { return nil }
    return "a trace has no '\(name)' of \(owner); \(instead)"
  }

  /// What to say of an argument of a function; nil for one that means nothing.
  static func argument(_ label: String, of name: String) -> String? {
    guard let instead = arguments["\(name).\(label)"] else { return nil }
    return "a trace has no '\(label):' of '\(name)'; \(instead)"
  }

  private static let members: [String: String] = {
    var members: [String: String] = [:]
    for (instead, owners, names) in rows {
      for owner in owners {
        for name in names { members["\(owner).\(name)"] = instead }
      }
    }
    return members
  }()

  private static let rows: [(instead: String, owners: [String], names: [String])] = [
    ("count the blocks where they are added", ["Operation"], ["executionBlocks"]),
    (
      "go through what the tasks give: for await x in group { sum += x }", ["TaskGroup"],
      [
        "reduce", "map", "compactMap", "filter", "contains", "allSatisfy", "first", "min", "max",
        "prefix", "makeAsyncIterator",
      ]
    ),
    (
      "go through what comes, with an 'if' inside: for await x in stream { }", ["AsyncStream"],
      [
        "reduce", "map", "compactMap", "flatMap", "filter", "contains", "allSatisfy", "first",
        "min",
        "max", "prefix", "dropFirst", "drop",
      ]
    ),
    (
      "keep the number of the next one in a 'var': if next < items.count { f(items[next]); next += 1 }",
      ["Array", "Dictionary", "Set"], ["makeIterator"]
    ),
    (
      "a text stays whole: keep its parts in an array of texts", ["String"],
      ["split", "components", "prefix", "suffix", "dropFirst", "dropLast", "trimmingCharacters"]
    ),
    (
      "it is called as the 'let' or 'var' that holds it: leave this line out",
      ["NSLock", "NSRecursiveLock", "NSCondition", "NSConditionLock"], ["name"]
    ),
    (
      "count what is done in a 'var' that a lock or a queue guards", ["OperationQueue"],
      ["progress"]
    ),
    (
      "a thread has its priority before it starts: thread.threadPriority = 0.5", ["Thread"],
      ["setThreadPriority"]
    ),
    ("there are always threads here: leave this out", ["Thread"], ["isMultiThreaded"]),
    ("a RunLoop is a CFRunLoop here: leave '.getCFRunLoop()' out", ["RunLoop"], ["getCFRunLoop"]),
    (
      "a moment counts from the start of the run: keep 'let start = now', and 'now - start' is the time since then",
      ["Instant"], ["timeIntervalSince1970", "timeIntervalSinceReferenceDate"]
    ),
  ]

  private static let arguments = [
    "resume.with":
      "take the result apart: 'case .success(let x): c.resume(returning: x)', "
      + "'case .failure(let e): c.resume(throwing: e)'",
    "print.to": "it prints to the output of the trace: put the text together, and record(…) it",
  ]
}
