extension EvaluationOrderTests {
  /// Variables of a body, which only a closure that runs in place can set meanwhile.
  static let local: [Row] = [
    Row(
      "a local variable: '+='",
      "let lock = NSLock()",
      "var x = 0; x += lock.withLock { x = 10; return 1 }",
      "x", "11"),
    Row(
      "a local variable: a sum",
      "let lock = NSLock()",
      "var x = 0; x = x + lock.withLock { x = 10; return 1 }",
      "x", "1"),
    Row(
      "a local variable, a call in place first",
      "let lock = NSLock()",
      "var x = 0; x = lock.withLock { x = 10; return 1 } + x",
      "x", "11"),
    Row(
      "a local variable: a text",
      "let lock = NSLock()",
      #"var x = 0; let s = "\(x) \(lock.withLock { x = 10; return 1 }) \(x)""#,
      "s", "0 1 10"),
    Row(
      "a local variable: arguments",
      "let lock = NSLock(); func g(_ a: Int, _ b: Int) -> Int { return a * 100 + b }",
      "var x = 0; let y = g(x, lock.withLock { x = 10; return 1 }); _ = x",
      "y", "1"),
    Row(
      "a local variable: a comparison",
      "let lock = NSLock()",
      "var x = 0; let y = x < lock.withLock { x = 10; return 1 } ? 1 : 2; _ = x",
      "y", "1"),
    Row(
      "a local array: '+='",
      "let lock = NSLock()",
      "var a = [1, 2]; a[0] += lock.withLock { a[0] = 10; return 1 }",
      "a[0]", "11"),
    Row(
      "a local array: an index",
      "let lock = NSLock()",
      "var a = [1, 2]; let y = a[lock.withLock { a = [10, 20]; return 1 }]; _ = a",
      "y", "20"),
    Row(
      "a local array: '='",
      "let lock = NSLock()",
      "var a = [1, 2]; a[0] = lock.withLock { a = [7, 8]; return 1 }",
      "a[0] * 100 + a[1] * 10 + a.count", "182"),
    Row(
      "a local array: 'append'",
      "let lock = NSLock()",
      "var a = [1, 2]; a.append(lock.withLock { a = [7]; return 1 })",
      "a[0] * 10 + a.count", "72"),
    Row(
      "a local index: '+='",
      "let lock = NSLock()",
      "var a = [1, 2]; var x = 0; a[x] += lock.withLock { x = 1; return 5 }; _ = x",
      "a[0] * 10 + a[1]", "62"),
    Row(
      "a local index: '='",
      "let lock = NSLock()",
      "var a = [1, 2]; var x = 0; a[x] = lock.withLock { x = 1; return 5 }; _ = x",
      "a[0] * 10 + a[1]", "52"),
    Row(
      "a local variable: a literal of an array",
      "let lock = NSLock()",
      "var x = 0; let a = [x, lock.withLock { x = 10; return 1 }, x]",
      "a[0] * 1000 + a[1] * 100 + a[2]", "110"),
    Row(
      "a local array as a value",
      "let lock = NSLock(); func g(_ a: [Int], _ n: Int) -> Int { return a[0] * 10 + n }",
      "var a = [1, 2]; let y = g(a, lock.withLock { a[0] = 10; return 1 }); _ = a",
      "y", "11"),
    Row(
      "a local object before the arguments",
      "let one = BlockOperation { }; let two = BlockOperation { }; let lock = NSLock()",
      "var kept = one; kept.addDependency(lock.withLock { kept = two; return two })",
      "one.dependencies.count * 10 + two.dependencies.count", "10"),
    Row(
      "a local object: its property '='",
      "let one = OperationQueue(); let two = OperationQueue(); let lock = NSLock()",
      "one.maxConcurrentOperationCount = 1; two.maxConcurrentOperationCount = 1; "
        + "var kept = one; "
        + "kept.maxConcurrentOperationCount = lock.withLock { kept = two; return 3 }",
      "one.maxConcurrentOperationCount * 10 + two.maxConcurrentOperationCount", "31"),
    Row(
      "a local range",
      "let lock = NSLock()",
      "var x = 0; var n = 0; "
        + "for _ in x ..< (lock.withLock { x = 2; return 3 }) { n += 1 }; _ = x",
      "n", "3"),
    Row(
      "a local variable: '&&'",
      "let lock = NSLock()",
      "var x = 0; "
        + "let y = x == 0 && lock.withLock { x = 10; return true } && x == 10 ? 1 : 2",
      "y", "1"),
    Row(
      "a local choice",
      "let lock = NSLock()",
      "var x = 0; x += x == 0 ? lock.withLock { x = 10; return 1 } : 2",
      "x", "11"),
  ]
}
