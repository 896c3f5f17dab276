extension AppFileTests {
  /// Where a stub is proposed, and where not.
  static let undeclared: [Row] = [
    Row(
      name: "a stub is proposed for what nobody declares, and for nothing else",
      files: [
        "Mine.swift": """
        struct Mine { let count = 1; func work(_ n: Int) {} }
        final class Screen: Outside { func show() { self.frame = 2 } }
        func broken() {
            print(Mine().cont, [1].append2, "a".upperCased(), Mine(3))
            Mine().work("x", 3)
            Unknown().thing(3)
            Screen().show()
        }
        """
      ],
      text: """
        include "Mine.swift"
        main { broken() }
        """,
      expected: [
        "Mine.swift:2:50: error: unknown member 'frame' of Screen; a stub in the trace gives it a "
          + "meaning and a cost: extension Screen { var frame: … { … } }",
        "Mine.swift:4:18: error: unknown member 'cont' of Mine; did you mean 'count'?",
        "Mine.swift:4:28: error: unknown member 'append2' of [Int]; did you mean 'append'?",
        "Mine.swift:4:41: error: unknown member 'upperCased' of String; did you mean 'uppercased'?",
        "Mine.swift:4:55: error: there is no 'Mine(_:)'",
        "Mine.swift:5:12: error: there is no 'work(_:_:)'",
        "Mine.swift:6:15: error: unknown member 'thing' of Unknown; a stub in the trace gives it a "
          + "meaning and a cost: extension Unknown { func thing(_ a: Int) -> … { … } }",
      ])
  ]
}
