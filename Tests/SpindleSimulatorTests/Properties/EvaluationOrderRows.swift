extension EvaluationOrderTests {
  /// Variables of the top level, and objects.
  static let shared: [Row] = [
    Row(
      "'+=' reads after its right side",
      "var x = 0; func f() -> Int { x = 10; return 1 }",
      "x += f()",
      "x", "11"),
    Row(
      "'-=' does",
      "var x = 0; func f() -> Int { x = 10; return 1 }",
      "x -= f()",
      "x", "9"),
    Row(
      "'*=' does",
      "var x = 2; func f() -> Int { x = 10; return 3 }",
      "x *= f()",
      "x", "30"),
    Row(
      "'/=' does",
      "var x = 100; func f() -> Int { x = 10; return 5 }",
      "x /= f()",
      "x", "2"),
    Row(
      "'%=' does",
      "var x = 100; func f() -> Int { x = 17; return 5 }",
      "x %= f()",
      "x", "2"),
    Row(
      "a plain sum reads its left side first",
      "var x = 0; func f() -> Int { x = 10; return 1 }",
      "x = x + f()",
      "x", "1"),
    Row(
      "each operand where it stands",
      "var x = 0; func f() -> Int { x = 10; return 1 }",
      "let y = x + f() + x",
      "y", "11"),
    Row(
      "a product binds, but is read in its turn",
      "var x = 2; func f() -> Int { x = 10; return 3 }",
      "let y = x + f() * x",
      "y", "32"),
    Row(
      "the right side after a call",
      "var x = 0; func f() -> Int { x = 10; return 1 }",
      "let y = f() + x",
      "y", "11"),
    Row(
      "a sign is a read",
      "var x = 3; func f() -> Int { x = 10; return 1 }",
      "let y = -x + f()",
      "y", "-2"),
    Row(
      "brackets",
      "var x = 1; func f() -> Int { x = 10; return 1 }",
      "let y = x - (x - f() - x)",
      "y", "11"),
    Row(
      "'+=' of a sum with itself",
      "var x = 0; func f() -> Int { x = 10; return 1 }",
      "x += x + f()",
      "x", "11"),
    Row(
      "texts: '+='",
      #"var s = "a"; func g() -> String { s = "b"; return "c" }"#,
      "s += g()",
      "s", "bc"),
    Row(
      "texts: a sum",
      #"var s = "a"; func g() -> String { s = "b"; return "c" }"#,
      "s = s + g()",
      "s", "ac"),
    Row(
      "a text with values",
      "var x = 0; func f() -> Int { x = 10; return 1 }",
      #"let s = "\(x) \(f()) \(x)""#,
      "s", "0 1 10"),
    Row(
      "calls in a text, in order",
      "",
      #"let s = "\(t(1)) \(t(2))"; _ = s"#,
      "order", "12"),
    Row(
      "a comparison",
      "var x = 0; func f() -> Int { x = 10; return 1 }",
      "let y = x < f() ? 1 : 2",
      "y", "1"),
    Row(
      "a comparison, the call first",
      "var x = 0; func f() -> Int { x = 10; return 1 }",
      "let y = f() < x ? 1 : 2",
      "y", "1"),
    Row(
      "equality",
      "var x = 1; func f() -> Int { x = 10; return 1 }",
      "let y = x == f() ? 1 : 2",
      "y", "1"),
    Row(
      "'&&' and '||' go on",
      "",
      "let y = b(1, true) && b(2, false) || b(3, true); _ = y",
      "order", "123"),
    Row(
      "'&&' stops",
      "",
      "let y = b(1, false) && b(2, true) || b(3, true); _ = y",
      "order", "13"),
    Row(
      "'||' stops",
      "",
      "let y = b(1, true) || b(2, true) && b(3, true); _ = y",
      "order", "1"),
    Row(
      "what the left of '&&' did",
      "var x = 0; func f() -> Int { x = 10; return 1 }",
      "let y = x == 0 && f() == 1 && x == 10 ? 1 : 2",
      "y", "1"),
    Row(
      "a choice",
      "",
      "let y = b(1, true) ? t(2) : t(3); _ = y",
      "order", "12"),
    Row(
      "a choice: '+='",
      "var x = 0; func f() -> Int { x = 10; return 1 }",
      "x += x == 0 ? f() : 2",
      "x", "11"),
    Row(
      "arguments from the left",
      "var x = 0; func f() -> Int { x = 10; return 1 }; "
        + "func g(_ a: Int, _ b: Int) -> Int { return a * 100 + b }",
      "let y = g(x, f())",
      "y", "1"),
    Row(
      "arguments, the call first",
      "var x = 0; func f() -> Int { x = 10; return 1 }; "
        + "func g(_ a: Int, _ b: Int) -> Int { return a * 100 + b }",
      "let y = g(f(), x)",
      "y", "110"),
    Row(
      "calls within calls",
      "func g(_ a: Int, _ b: Int) -> Int { return a * 100 + b }",
      "let y = g(t(1), g(t(2), t(3))); _ = y",
      "order", "123"),
    Row(
      "'+=' of a call with itself",
      "var x = 0; func f() -> Int { x = 10; return 1 }; "
        + "func g(_ a: Int, _ b: Int) -> Int { return a * 100 + b }",
      "x += g(x, f())",
      "x", "11"),
    Row(
      "a default",
      "func g(_ a: Int, b: Int = t(2), c: Int) -> Int { return a + b + c }",
      "let y = g(t(1), c: t(3)); _ = y",
      "order", "132"),
    Row(
      "a default of a variable",
      "var x = 0; func f() -> Int { x = 10; return 1 }; "
        + "func g(_ a: Int, b: Int = x) -> Int { return a * 100 + b }",
      "let y = g(f())",
      "y", "110"),
    Row(
      "an element: '+='",
      "var a = [1, 2, 3]",
      "a[t(1)] += t(2)",
      "order * 10 + a[1]", "124"),
    Row(
      "an element that the right side sets: '+='",
      "var a = [1, 2, 3]; func f() -> Int { a[0] = 10; return 1 }",
      "a[0] += f()",
      "a[0]", "11"),
    Row(
      "an array that the right side replaces: '+='",
      "var a = [1, 2, 3]; func f() -> Int { a = [20, 0]; return 1 }",
      "a[0] += f()",
      "a[0] * 10 + a.count", "212"),
    Row(
      "an array that the right side makes longer: '+='",
      "var a = [1]; func f() -> Int { a.append(7); return 1 }",
      "a[1] += f()",
      "a[1]", "8"),
    Row(
      "an index is read before the right side",
      "var a = [1, 2, 3]; var x = 0; func f() -> Int { x = 1; return 5 }",
      "a[x] += f()",
      "a[0] * 10 + a[1]", "62"),
    Row(
      "an element: '='",
      "var a = [1, 2, 3]",
      "a[t(1)] = t(2)",
      "order * 10 + a[1]", "122"),
    Row(
      "an array that the right side replaces: '='",
      "var a = [1, 2, 3]; func f() -> Int { a = [7, 8]; return 1 }",
      "a[0] = f()",
      "a[0] * 100 + a[1] * 10 + a.count", "182"),
    Row(
      "an array that the index replaces: '='",
      "var a = [1, 2, 3]; func f() -> Int { a = [7, 8]; return 1 }",
      "a[f()] = 5",
      "a[0] * 100 + a[1] * 10 + a.count", "752"),
    Row(
      "'append' of what appends",
      "var a = [1]; func f() -> Int { a.append(5); return 2 }",
      "a.append(f())",
      "a[0] * 100 + a[1] * 10 + a[2]", "152"),
    Row(
      "'append' of what replaces",
      "var a = [1]; func f() -> Int { a = [4]; return 2 }",
      "a.append(f())",
      "a[0] * 10 + a[1]", "42"),
    Row(
      "an array that its index replaces",
      "var a = [1, 2]; func f() -> Int { a = [10, 20]; return 1 }",
      "let y = a[f()]",
      "y", "20"),
    Row(
      "an element is read in its turn",
      "var a = [1, 2]; func f() -> Int { a[0] = 10; return 1 }",
      "let y = a[0] + f()",
      "y", "2"),
    Row(
      "a count is read in its turn",
      "var a = [1, 2]; func f() -> Int { a.append(3); return 1 }",
      "let y = a.count + f()",
      "y", "3"),
    Row(
      "an element of an element",
      "var a = [1, 0]; func f() -> Int { a = [0, 7]; return 1 }",
      "let y = a[a[f()] - 6]",
      "y", "7"),
    Row(
      "a literal of an array",
      "var x = 0; func f() -> Int { x = 10; return 1 }",
      "let a = [x, f(), x]",
      "a[0] * 1000 + a[1] * 100 + a[2]", "110"),
    Row(
      "an array is a value",
      "var a = [1, 2]; func f() -> Int { a[0] = 10; return 1 }; "
        + "func g(_ a: [Int], _ n: Int) -> Int { return a[0] * 10 + n }",
      "let y = g(a, f())",
      "y", "11"),
    Row(
      "a property: '+='",
      "let q = OperationQueue(); "
        + "func queue(_ n: Int) -> OperationQueue { order = order * 10 + n; return q }",
      "q.maxConcurrentOperationCount = 1; queue(1).maxConcurrentOperationCount += t(2)",
      "order * 10 + q.maxConcurrentOperationCount", "123"),
    Row(
      "a property that the right side sets: '+='",
      "let q = OperationQueue(); "
        + "func f() -> Int { q.maxConcurrentOperationCount = 5; return 1 }",
      "q.maxConcurrentOperationCount = 1; q.maxConcurrentOperationCount += f()",
      "q.maxConcurrentOperationCount", "6"),
    Row(
      "a property: '='",
      "let q = OperationQueue(); "
        + "func queue(_ n: Int) -> OperationQueue { order = order * 10 + n; return q }",
      "queue(1).maxConcurrentOperationCount = t(2)",
      "order", "12"),
    Row(
      "a property is read in its turn",
      "let q = OperationQueue(); "
        + "func f() -> Int { q.maxConcurrentOperationCount = 5; return 1 }",
      "q.maxConcurrentOperationCount = 2; let y = q.maxConcurrentOperationCount + f()",
      "y", "3"),
    Row(
      "an object before its call's arguments",
      "let one = BlockOperation { }; let two = BlockOperation { }; "
        + "func op(_ n: Int, _ o: BlockOperation) -> BlockOperation { order = order * 10 + n; return o }",
      "op(1, one).addDependency(op(2, two))",
      "order", "12"),
    Row(
      "an object in a variable before the arguments",
      "let one = BlockOperation { }; let two = BlockOperation { }; var kept = one; "
        + "func f() -> BlockOperation { kept = two; return two }",
      "kept.addDependency(f())",
      "one.dependencies.count * 10 + two.dependencies.count", "10"),
    Row(
      "an object in a variable: its property '+='",
      "let one = OperationQueue(); let two = OperationQueue(); var kept = one; "
        + "func f() -> Int { kept = two; return 1 }",
      "one.maxConcurrentOperationCount = 1; two.maxConcurrentOperationCount = 1; "
        + "kept.maxConcurrentOperationCount += f()",
      "one.maxConcurrentOperationCount * 10 + two.maxConcurrentOperationCount", "21"),
    Row(
      "an object in a variable: its property '='",
      "let one = OperationQueue(); let two = OperationQueue(); var kept = one; "
        + "func f() -> Int { kept = two; return 3 }",
      "one.maxConcurrentOperationCount = 1; two.maxConcurrentOperationCount = 1; "
        + "kept.maxConcurrentOperationCount = f()",
      "one.maxConcurrentOperationCount * 10 + two.maxConcurrentOperationCount", "31"),
    Row(
      "a range from the left",
      "",
      "var n = 0; for _ in t(1) ..< t(3) { n += 1 }",
      "order * 10 + n", "132"),
    Row(
      "a range is read once",
      "",
      "var n = 3; var rounds = 0; for _ in 0 ..< n { n += 1; rounds += 1 }",
      "n * 10 + rounds", "63"),
    Row(
      "a loop goes over what the array was",
      "var a = [1, 2]",
      "for v in a { a.append(v) }",
      "a.count", "4"),
    Row(
      "a condition is read in each round",
      "var x = 0",
      "var rounds = 0; while x < 3 { x += t(1); rounds += 1 }",
      "order * 10 + rounds", "1113"),
    Row(
      "'defer' after the result",
      "var x = 1; func h() -> Int { defer { x = 5 }; return x }",
      "let y = h()",
      "y * 10 + x", "15"),
    Row(
      "'defer' after the result: '+='",
      "var x = 1; func h() -> Int { defer { x = 5 }; return x }",
      "x += h()",
      "x", "6"),
  ]
}
