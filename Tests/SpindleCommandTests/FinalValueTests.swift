import SpindleSystem
import Testing

@testable import SpindleCommand

/// Expectations compute from the values at the top when the run is over.
@Suite struct FinalValueTests {
  private static let model = """
    struct Point { var x = 0; var y = 0 }
    final class Cart {
        private let lock = NSLock()
        var items: [String] = []
        var place = Point(x: 1, y: 2)
        var total: Int { items.count * 10 }
        func has(_ item: String) -> Bool { lock.withLock { items.contains(item) } }
    }
    actor Store { var hits = 0; func hit() { hits += 1 } }
    let cart = Cart()
    let store = Store()
    var table = ["a": 1, "b": 2]
    var nobody: Cart?
    main {
        cart.items = ["x", "y"]
        cart.place.y = 7
        Task { await store.hit() }
        work(2ms)
    }

    """

  /// Types with parameters, and protocols as types.
  private static let shapes = """
    protocol Shape { func area() -> Int }
    struct Box<T> { var value: T }
    final class Square: Shape { var side = 3; func area() -> Int { side * side } }
    let shapes: [any Shape] = [Square(), Square()]
    let box = Box<Int>(value: 4)
    let square = Square()
    main { square.side = 5 }

    """

  private func call(_ trace: String, _ arguments: String...) -> String {
    let text = "machine { platform: .macOS; cores: 2; costs: .zero }\n" + trace
    let environment = HostEnvironment(
      variables: ["COLUMNS": "160"], standardInput: Array(text.utf8))
    return Invocation(["simulate", "-"] + arguments, environment: environment).flat
  }

  static let held = [
    "value(cart.items) == [\"x\", \"y\"]", "value(cart.total) == 20", "value(cart.place.y) == 7",
    "value(table[\"a\"]) == 1", "value(table.count) == 2", "value(table[\"z\"] ?? 9) == 9",
    "value(cart.items[0]) == \"x\"", "value(cart.has(\"y\")) == true",
    "value(nobody?.total) == nil", "value(store.hits) == 1",
    "value(cart.total) + value(table.count) == 22",
  ]

  @Test("a value is computed at the end", arguments: held)
  func valuesAreComputed(condition: String) {
    let told = call(Self.model + "expect { \(condition) }\n")
    #expect(told.contains("expected 1 of 1 met, and finished"), "\(told)")
  }

  static let typed = [
    "value(shapes.count) == 2", "value(box.value) == 4", "value(square.area()) == 25",
    "value(shapes.map { $0.area() }) == [9, 9]",
  ]

  @Test("a value of such a type is computed, too", arguments: typed)
  func valuesOfTypedTraces(condition: String) {
    let told = call(Self.shapes + "expect { \(condition) }\n")
    #expect(told.contains("expected 1 of 1 met, and finished"), "\(told)")
  }

  @Test func whatIsNotMetIsTold() {
    let told = call(Self.model + "expect { value(cart.total) == 5 }\n")
    #expect(told.contains("value(cart.total) was 20"), "\(told)")
    let none = call(Self.model + "expect { value(cart.items[5]) == \"x\" }\n")
    #expect(
      none.contains("value(cart.items[5]) has no value: Fatal error: Index out of range"), "\(none)"
    )
  }

  @Test func measuresTakeThem() {
    let told = call(Self.model, "--measure", "value(cart.total)", "--quiet")
    #expect(told.contains("value(cart.total): 20"), "\(told)")
  }

  @Test func theRunStaysWhatItIs() {
    let digest = { (text: String) in text.split(separator: "digest").last.map(String.init) }
    let plain = call(Self.model)
    let asked = call(Self.model + "expect { value(cart.has(\"y\")) == true }\n")
    #expect(digest(plain) != nil && digest(plain) == digest(asked), "\(plain) \(asked)")
  }

  @Test func mistakesAreTold() {
    let mistakes = [
      "value(cart.itemz) == 1": "unknown member 'itemz' of Cart; did you mean 'items'?",
      "value(cart.total) == [1]": "'==' can't be applied to Int and a list",
    ]
    for (condition, message) in mistakes {
      let text = Self.model + "expect { \(condition) }\n"
      let environment = HostEnvironment(variables: [:], standardInput: Array(text.utf8))
      let told = Invocation(["simulate", "-"], environment: environment).error
      #expect(told.contains(message), "\(told)")
    }
    let text = Self.model
    let environment = HostEnvironment(variables: [:], standardInput: Array(text.utf8))
    let told = Invocation(
      ["simulate", "-", "--measure", "makespan, value(cart.itemz)"], environment: environment
    ).error
    #expect(told.contains("--measure:1:22: error: unknown member 'itemz' of Cart"), "\(told)")
  }
}
