import Testing

extension WarningTests {
  private static let unreached = "this is never reached"

  /// Code that no way leads to.
  static let ways = [
    Kind(
      "behind an endless loop", unreached, "while true { print(1) }\n⟨print(2)⟩",
      silent: "while true { break }\nprint(2)"),
    Kind(
      "behind two ways out", unreached, "if now > 0s { return } else { return }\n⟨print(2)⟩",
      silent: "if now > 0s { return }\nprint(2)"),
    Kind(
      "behind a 'switch' that always leaves", unreached,
      "switch now > 0s { case true: return\ncase false: fatalError() }\n⟨print(2)⟩",
      silent: "switch now > 0s { case true: break\ncase false: return }\nprint(2)"),
    Kind(
      "behind a function that never returns", unreached,
      top: "func end() -> Never { fatalError() }",
      "end()\n⟨print(2)⟩", silent: "if now > 0s { end() }\nprint(2)"),
    Kind(
      "a declaration", unreached, "while true { print(1) }\n⟨let a = 1⟩\nprint(a)",
      silent: "while true { print(1) }\nfunc f() { print(1) }"),
    Kind(
      "behind 'continue'", unreached, "for i in 0 ..< 2 { print(i)\ncontinue\n⟨print(2)⟩ }",
      silent: "for i in 0 ..< 2 { print(i)\nif i == 0 { continue }\nprint(2) }"),
    Kind(
      "behind 'throw'", unreached, "do { throw \"bad\"\n⟨print(2)⟩ } catch { print(error) }",
      silent: "do { if now > 0s { throw \"bad\" }\nprint(2) } catch { print(error) }"),
    Kind(
      "behind a 'repeat' without an end", unreached, "repeat { print(1) } while true\n⟨print(2)⟩",
      silent: "repeat { if now > 0s { break } } while true\nprint(2)"),
    Kind(
      "what is in it is not told again", unreached,
      "while true { print(1) }\n⟨if now > 0s { return\nprint(3) }⟩",
      silent: "outer: while true { while true { break outer } }\nprint(2)"),
    Kind(
      "a handler for nothing", "this 'catch' is never reached: nothing in its 'do' throws",
      "do { print(1) } catch ⟨{ print(error) }⟩", silent: "do { print(1) } catch { }"),
    Kind(
      "a handler for what is caught already",
      "this 'catch' is never reached: nothing in its 'do' throws",
      top: "func risky() throws { throw \"bad\" }",
      "do { do { try risky() } catch { print(1) } } catch ⟨{ print(error) }⟩",
      silent: "do { do { try risky() } catch is CancellationError { print(1) } } catch { print(2) }"
    ),
    Kind(
      "a handler behind 'try?'", "this 'catch' is never reached: nothing in its 'do' throws",
      top: "func risky() throws { throw \"bad\" }",
      "do { try? risky() } catch ⟨{ print(error) }⟩",
      silent: "do { try risky() } catch { print(error) }"),
    Kind(
      "a handler for what a closure throws elsewhere",
      "this 'catch' is never reached: nothing in its 'do' throws",
      "do { let f = { throw \"bad\" }\n_ = f } catch ⟨{ print(error) }⟩",
      silent: "do { let f = { throw \"bad\" }\ntry f() } catch { print(error) }"),
    Kind(
      "a condition of literals", "this condition is always true", "if ⟨1 < 2⟩ { print(1) }",
      silent: "let n = 1\nif n < 2 { print(1) }"),
    Kind(
      "one of several signs", "this condition is always false",
      "if ⟨!(2 + 2 == 4) || 1ms > 1s⟩ { print(1) }",
      silent: "if now > 1s || 1ms > 1s { print(1) }"),
    Kind(
      "a loop that never runs", "this condition is always false", "while ⟨false⟩ { print(1) }",
      silent: "while true { break }"),
    Kind(
      "a parameter decides in this run only", "this condition is always true",
      top: "param isQuick = true", "if isQuick { print(1) }\nif ⟨true⟩ { print(2) }",
      silent: "if isQuick { return }\nprint(2)"),
    Kind(
      "an 'await' for nothing", "nothing in this 'await' can wait", "⟨await⟩ print(1)",
      silent: "await Task.yield()", isAsync: true),
    Kind(
      "an 'await' of what stays here", "nothing in this 'await' can wait",
      top: "func make() -> Int { 1 }", "print(⟨await⟩ make())",
      silent: "async let n = make()\nprint(await n)", isAsync: true),
    Kind(
      "an 'await' of what is elsewhere", "nothing in this 'await' can wait",
      top: "actor Counter { var n = 0\nfunc next() -> Int { n += 1\nreturn n } }",
      "let counter = Counter()\nprint(await counter.next())\nprint(⟨await⟩ 1)",
      silent: "let counter = Counter()\nprint(await counter.n)\nawait io(1ms)", isAsync: true),
  ]
}
