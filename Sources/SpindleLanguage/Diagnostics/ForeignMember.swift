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
    ("write exponential(5ms), with the mean and without the point", ["Duration"], ["exponential"]),
    ("write uniform(2ms, 5ms), without the point", ["Duration"], ["uniform"]),
    (
      "write normal(5ms, 1ms), with the mean and the deviation, without the point", ["Duration"],
      ["normal", "gaussian"]
    ),
    ("write pareto(2ms, 1.5), without the point", ["Duration"], ["pareto"]),
    (
      "use addObserver(forName: …), or 'for await note in NotificationCenter.default.notifications(named: …)'",
      ["NotificationCenter"], ["publisher"]
    ),
    (
      "go through what the tasks give: for await x in group { sum += x }", ["TaskGroup"],
      [
        "reduce", "map", "compactMap", "filter", "contains", "allSatisfy", "first", "min", "max",
        "prefix", "makeAsyncIterator",
      ]
    ),
    (
      "use next(), and catch what it throws: do { while let x = try await group.next() { sum += x } } catch { … }",
      ["TaskGroup"], ["nextResult"]
    ),
    (
      "write 'switch result { case .success(let x): … case .failure(let error): … }'", ["Result"],
      ["map", "flatMap", "mapError", "flatMapError"]
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
      "a text stays whole: keep its parts in an array of texts", ["String"],
      [
        "split", "components", "prefix", "suffix", "dropFirst", "dropLast", "trimmingCharacters",
        "reversed", "first", "last", "filter", "map", "forEach", "enumerated", "startIndex",
        "endIndex", "index", "removeFirst", "removeLast", "sorted", "utf8", "unicodeScalars",
      ]
    ),
    ("write s += \"more\"", ["String"], ["append"]),
    (
      "write what comes of it: a text is not searched for what to replace", ["String"],
      ["replacingOccurrences", "replacing"]
    ),
    ("it is 0", ["Array"], ["startIndex"]),
    ("it is a.count", ["Array"], ["endIndex"]),
    ("write a.firstIndex(of: x)", ["Array"], ["index"]),
    (
      "write a.dropFirst(a.firstIndex { $0 > 9 } ?? a.count), with the condition that ends it",
      ["Array"], ["drop"]
    ),
    ("leave it out: the next call creates its array at once", ["Array"], ["lazy"]),
    (
      "leave this line out: an array grows by itself", ["Array", "Dictionary", "Set"],
      ["reserveCapacity"]
    ),
    ("write a = Array(a.prefix(i) + a.dropFirst(j))", ["Array"], ["removeSubrange"]),
    ("write a = Array(a.prefix(i) + b + a.dropFirst(j))", ["Array"], ["replaceSubrange"]),
    ("write a == b", ["Array"], ["elementsEqual"]),
    ("write Array(a.prefix(b.count)) == b", ["Array"], ["starts"]),
    (
      "ask the array itself", ["Array"],
      ["withUnsafeBufferPointer", "withUnsafeMutableBufferPointer", "withUnsafeBytes"]
    ),
    (
      "write for (key, value) in d.sorted(by: { $0.key < $1.key }), or d.keys.sorted(by: { d[$0]! < d[$1]! })",
      ["Dictionary"], ["sorted"]
    ),
    ("write d.keys.max(by: { d[$0]! < d[$1]! }), and d[key]!", ["Dictionary"], ["max"]),
    ("write d.keys.min(by: { d[$0]! < d[$1]! }), and d[key]!", ["Dictionary"], ["min"]),
    ("write d.keys.first { d[$0]! > 1 }, and d[key]!", ["Dictionary"], ["first"]),
    ("write d.keys.contains { d[$0]! > 1 }, or d[key] != nil", ["Dictionary"], ["contains"]),
    ("write d.keys.allSatisfy { d[$0]! > 1 }", ["Dictionary"], ["allSatisfy"]),
    ("write d.keys.map { d[$0]! }", ["Dictionary"], ["map", "compactMap", "flatMap"]),
    (
      "write d.values.reduce(0, +), or a loop: for (key, value) in d { n += value }",
      ["Dictionary"],
      ["reduce"]
    ),
    (
      "fill another one: for (key, value) in d where value > 1 { e[key] = value }", ["Dictionary"],
      ["filter"]
    ),
    (
      "fill another one: for (key, value) in d { e[key] = value }", ["Dictionary"],
      ["mapValues", "compactMapValues", "merge", "merging"]
    ),
    ("write d.keys.randomElement(), and d[key]!", ["Dictionary"], ["randomElement"]),
    ("go through both: for x in b { a.insert(x) }", ["Set"], ["union", "formUnion"]),
    (
      "go through one of them: for x in a where b.contains(x) { f(x) }", ["Set"],
      [
        "intersection", "formIntersection", "subtracting", "symmetricDifference", "isDisjoint",
      ]
    ),
    ("go through the others: for x in b { a.remove(x) }", ["Set"], ["subtract"]),
    ("write a.allSatisfy { b.contains($0) }", ["Set"], ["isSubset"]),
    ("write b.allSatisfy { a.contains($0) }", ["Set"], ["isSuperset"]),
    ("go through it: for x in a where x > 9 { f(x) }", ["Set"], ["filter"]),
    ("divide, and take the rest: n / 3, n % 3", ["Int"], ["quotientAndRemainder"]),
    ("use perform(on: thread) { … }", ["Thread"], ["perform"]),
    (
      "call relations are not part of a run: leave it out", ["Thread"],
      ["callStackSymbols", "callStackReturnAddresses"]
    ),
    (
      "it says how long it runs when it is made, Process(50ms), and io(50ms) waits as long",
      ["Process"],
      [
        "launchPath", "executableURL", "arguments", "environment", "standardInput",
        "standardOutput", "standardError", "run", "launch", "waitUntilExit", "terminate",
        "terminationHandler", "terminationStatus", "isRunning",
      ]
    ),
    (
      "what is done once is a 'static let' of a class, or once(token) { … } with a DispatchOnce()",
      ["DispatchQueue"], ["once"]
    ),
    (
      "use queue.asyncAfter(deadline: .now() + 1s) { … }", ["DispatchQueue"],
      ["after", "schedule"]
    ),
    ("write Task { try await Task.sleep(for: 1s); … }", ["Task"], ["delayed"]),
    (
      "use Timer.scheduledTimer(withTimeInterval: 1s, repeats: true) { _ in … }", ["Timer"],
      ["publish"]
    ),
    (
      "outside events belong at the top: at(5s) { … }", ["DispatchSource"],
      ["makeMemoryPressureSource", "makeFileSystemObjectSource", "makeProcessSource"]
    ),
    (
      "divide it by its unit: d / 1s, and Int(d / 1s) for whole seconds", ["Duration"],
      ["components", "rounded"]
    ),
    (
      "Int(x) cuts off what is behind the point, and Int(x + 0.5) rounds", ["Decimal"],
      ["rounded", "round"]
    ),
    ("write \"\\(n)\"", ["Int", "Decimal", "Bool"], ["description", "formatted"]),
    ("use .readLock() and .unlock()", ["ReadWriteLock"], ["lockForReading", "rdlock"]),
    ("use .writeLock() and .unlock()", ["ReadWriteLock"], ["lockForWriting", "wrlock", "lock"]),
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
      "compare its cases, or give each its number in a 'switch'",
      ["QualityOfService", "Operation.QueuePriority", "TaskPriority", "DispatchQoS"], ["rawValue"]
    ),
    (
      "a moment counts from the start of the run: keep 'let start = now', and 'now - start' is the time since then",
      ["Instant"], ["timeIntervalSince1970", "timeIntervalSinceReferenceDate"]
    ),
  ]

  private static let arguments = [
    "global.priority": "write DispatchQueue.global(qos: .userInitiated)",
    "perform.afterDelay":
      "use Timer.scheduledTimer(withTimeInterval: 1s, repeats: false) { _ in … }",
    "drop.while":
      "write a.dropFirst(a.firstIndex { $0 > 9 } ?? a.count), with the condition that ends it",
    "insert.contentsOf": "put the array together: a = Array(a.prefix(i) + b + a.dropFirst(i))",
    "prefix.through": "write a.prefix(i + 1)",
    "prefix.upTo": "write a.prefix(i)",
    "prefix.while":
      "write a.prefix(a.firstIndex { $0 > 9 } ?? a.count), with the condition that ends it",
    "randomElement.using": "chance goes by the seed of the trace: leave it out",
    "shuffled.using": "chance goes by the seed of the trace: leave it out",
    "String.repeating": "write Array(repeating: \"a\", count: 3).joined()",
    "suffix.from": "write a.dropFirst(i)",
    "print.to": "it prints to the output of the trace: put the text together, and record(…) it",
  ]
}
