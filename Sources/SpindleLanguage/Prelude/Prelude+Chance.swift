extension Prelude {
  /// Chance: draws in a range, orders and elements by chance.
  ///
  /// Each draw has its key from its place in the text.
  static let chance: String = {
    let ranges = (Prelude.integers.map(\.name) + ["Double", "Duration", "Size"]).map { name in
      """
      extension \(name) {
        @inlined static func random(in range: ClosedRange<\(name)>) -> \(name) {
          drawnValue(from: range.lowerBound, through: range.upperBound)
        }
        @inlined static func random(in range: Range<\(name)>) -> \(name) {
          drawnValue(from: range.lowerBound, upTo: range.upperBound)
        }
      }
      """
    }
    return ([functions, generators] + ranges).joined(separator: "\n")
  }()

  private static let functions = """
    @builtin(drawnThrough) func drawnValue<T>(from least: T, through most: T) -> T
    @builtin(drawnUpTo) func drawnValue<T>(from least: T, upTo end: T) -> T
    @builtin(choice) func choice<T>(_ values: T...) -> T
    @builtin(drawnTime) func drawn(from file: String, unit: Duration? = nil) -> Duration
    @inlined func drawn<T>(from values: [T]) -> T {
      if values.isEmpty { fatalError("Can't draw a value from an empty array") }
      return values[drawnValue(from: 0, through: values.count - 1)]
    }
    extension Bool {
      @inlined static func random() -> Bool { drawnValue(from: 0, through: 1) == 1 }
      @inlined init(probability: Double) {
        self = drawnValue(from: 0.0, through: 0.999999999) < probability
      }
    }
    extension Array {
      @inlined mutating func shuffle() {
        var last = self.count - 1
        while last >= 1 {
          self.swapAt(last, drawnValue(from: 0, through: last))
          last -= 1
        }
      }
      @inlined func randomElement() -> Element? {
        self.isEmpty ? nil : self[drawnValue(from: 0, through: self.count - 1)]
      }
    }
    extension Sequence {
      @inlined func shuffled() -> [Element] {
        var made = Array(self)
        made.shuffle()
        return made
      }
    }
    extension Dictionary {
      @inlined func randomElement() -> (key: Key, value: Value)? { Array(self).randomElement() }
    }
    extension Set {
      @inlined func randomElement() -> Element? { Array(self).randomElement() }
    }
    extension String {
      @inlined func randomElement() -> Character? { self._characters.randomElement() }
    }
    extension Range where Bound: FixedWidthInteger {
      @inlined func randomElement() -> Bound? {
        self.isEmpty ? nil : drawnValue(from: lowerBound, upTo: upperBound)
      }
    }
    extension ClosedRange where Bound: FixedWidthInteger {
      @inlined func randomElement() -> Bound? { drawnValue(from: lowerBound, through: upperBound) }
    }
    """
}
