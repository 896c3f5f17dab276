import SpindleModel
import SpindleReports
import Testing

/// Crossovers in words and as JSON.
@Suite struct CrossoverTextTests {
  typealias Stretch = CrossoverSearch.Stretch

  struct Row: CustomTestStringConvertible, Sendable {
    let stretches: [Stretch]
    let seeds: Int
    let testDescription: String

    init(_ sentence: String, seeds: Int = 1, _ stretches: [Stretch]) {
      (self.stretches, self.seeds, testDescription) = (stretches, seeds, sentence)
    }
  }

  static let scale = ValueScale(.duration, from: 1_000, to: 1_000_000)

  static let rows = [
    Row(
      "a is faster than b over the whole range",
      [Stretch(.firstIsBetter, from: 1_000, to: 1_000_000)]),
    Row(
      "a and b take equally long over the whole range",
      [Stretch(.noDifference, from: 1_000, to: 1_000_000)]),
    Row(
      "there is no difference between a and b over the whole range", seeds: 2,
      [Stretch(.noDifference, from: 1_000, to: 1_000_000)]),
    Row(
      "b is faster than a from unit = 20us on; below, a is",
      [
        Stretch(.firstIsBetter, from: 1_000, to: 19_900),
        Stretch(.secondIsBetter, from: 20_000, to: 1_000_000),
      ]),
    Row(
      "a is faster than b below unit = 20us; from there on, they take equally long",
      [
        Stretch(.firstIsBetter, from: 1_000, to: 19_900),
        Stretch(.noDifference, from: 20_000, to: 1_000_000),
      ]),
    Row(
      "a and b take equally long below unit = 20us; from there a is faster; from 50us on, b is",
      [
        Stretch(.noDifference, from: 1_000, to: 19_900),
        Stretch(.firstIsBetter, from: 20_000, to: 49_900),
        Stretch(.secondIsBetter, from: 50_000, to: 1_000_000),
      ]),
    Row(
      "a is faster than b from unit = 20us on; below, there is no difference", seeds: 5,
      [
        Stretch(.noDifference, from: 1_000, to: 19_900),
        Stretch(.firstIsBetter, from: 20_000, to: 1_000_000),
      ]),
    Row(
      "a is faster than b from unit = 20us on; below, only b finishes",
      [
        Stretch(.onlySecondFinishes, from: 1_000, to: 19_900),
        Stretch(.firstIsBetter, from: 20_000, to: 1_000_000),
      ]),
    Row(
      "b finishes and a does not from unit = 20us on; below, neither finishes",
      [
        Stretch(.neitherFinishes, from: 1_000, to: 19_900),
        Stretch(.onlySecondFinishes, from: 20_000, to: 1_000_000),
      ]),
    Row(
      "a is faster than b below unit = 20us; from there b is; from 30us on, a is",
      [
        Stretch(.firstIsBetter, from: 1_000, to: 19_900),
        Stretch(.secondIsBetter, from: 20_000, to: 29_900),
        Stretch(.firstIsBetter, from: 30_000, to: 1_000_000),
      ]),
    Row(
      "b is faster than a from unit = 20us to 40us on; below, a is",
      [
        Stretch(.firstIsBetter, from: 1_000, to: 20_000),
        Stretch(.secondIsBetter, from: 40_000, to: 1_000_000),
      ]),
  ]

  static func crossovers(_ groups: [Crossovers.Group], seeds: Int = 1) -> Crossovers {
    Crossovers(parameter: "unit", scale: scale, seedCount: seeds, runCount: 40, groups: groups)
  }

  @Test("a pair is told in a sentence", arguments: rows)
  func sentences(row: Row) {
    let group = Crossovers.Group(
      label: "", designs: ["a", "b"],
      pairs: [Crossovers.Pair(first: 0, second: 1, stretches: row.stretches)])
    let text = CrossoverTextTests.crossovers([group], seeds: row.seeds)
      .text(style: TextStyle(width: 100))
    #expect(text.split(separator: "\n").first.map(String.init) == row.testDescription)
    #expect(text.contains("95%") == (row.seeds > 1))
  }

  /// Four that are equal: one line, with commas, and how the pairs are seen.
  @Test func ofManyOnlyTheBestAreTold() {
    let pairs = (0..<4).flatMap { first in
      (first + 1..<4).map { second in
        Crossovers.Pair(
          first: first, second: second,
          stretches: [Stretch(.noDifference, from: 1_000, to: 1_000_000)])
      }
    }
    let group = Crossovers.Group(label: "", designs: ["a", "b", "c", "d"], pairs: pairs)
    let text = CrossoverTextTests.crossovers([group]).text(style: TextStyle(width: 300))
    #expect(text.hasPrefix("best: a, b, c and d alike\n\n"))
    #expect(text.contains("'--format json' has every pair, and '--set NAME=A,B' compares two."))
  }

  @Test func manyChangesAreCutShort() {
    let stretches = (0..<12).map { index in
      let value = Int64(1_000 + index * 1_000)
      return Stretch(
        index % 2 == 0 ? .firstIsBetter : .secondIsBetter, from: value, to: value + 999)
    }
    let group = Crossovers.Group(
      label: "", designs: ["a", "b"],
      pairs: [Crossovers.Pair(first: 0, second: 1, stretches: stretches)])
    let text = CrossoverTextTests.crossovers([group]).text(style: TextStyle(width: 200))
    #expect(text.hasPrefix("a is faster than b below unit = 2us; from there b is; from 3us a is;"))
    #expect(text.contains("from 8us b is; and 4 more changes\n"))
  }

  /// a is the best to 10 us, b to 100 us, then c; the pair of a and c crosses between.
  static let three = Crossovers.Group(
    label: "apple", designs: ["a", "b", "c"],
    pairs: [
      Crossovers.Pair(
        first: 0, second: 1,
        stretches: [
          Stretch(.firstIsBetter, from: 1_000, to: 9_900),
          Stretch(.secondIsBetter, from: 10_000, to: 1_000_000),
        ]),
      Crossovers.Pair(
        first: 0, second: 2,
        stretches: [
          Stretch(.onlyFirstFinishes, from: 1_000, to: 29_900),
          Stretch(.secondIsBetter, from: 30_000, to: 1_000_000),
        ]),
      Crossovers.Pair(
        first: 1, second: 2,
        stretches: [
          Stretch(.firstIsBetter, from: 1_000, to: 99_000),
          Stretch(.secondIsBetter, from: 100_000, to: 1_000_000),
        ]),
    ])

  @Test func groupsHaveTheirBest() {
    let text = CrossoverTextTests.crossovers([CrossoverTextTests.three])
      .text(style: TextStyle(width: 80))
    #expect(
      text == """
        apple
          b is faster than a from unit = 10us on; below, a is
          c is faster than a from unit = 30us on; below, only a finishes
          c is faster than b from unit = 100us on; below, b is
          best: a; from unit = 10us on b; from 100us on c

        By makespan, in 40 runs: at 17 values of unit from 1us to 1ms, and at more
        between neighbours that differ, until they are within 1%. A change that reverts
        between two sampled values is missed.

        """)
  }

  @Test func theEquallyGoodAreAllTheBest() {
    let whole: (PairVerdict) -> [Stretch] = { [Stretch($0, from: 1_000, to: 1_000_000)] }
    let group = Crossovers.Group(
      label: "", designs: ["a", "b", "c"],
      pairs: [
        Crossovers.Pair(first: 0, second: 1, stretches: whole(.noDifference)),
        Crossovers.Pair(first: 0, second: 2, stretches: whole(.firstIsBetter)),
        Crossovers.Pair(first: 1, second: 2, stretches: whole(.firstIsBetter)),
      ])
    let text = CrossoverTextTests.crossovers([group]).text(style: TextStyle(width: 80))
    #expect(text.contains("\nbest: a and b alike\n"))
  }

  @Test func asJSON() {
    let json = CrossoverTextTests.crossovers([CrossoverTextTests.three]).json
    #expect(
      json.hasPrefix(
        "{\n  \"format\": 2,\n  \"measure\": \"makespan\",\n  \"parameter\": \"unit\",\n"
          + "  \"unit\": \"nanoseconds\","))
    let stretch = """
                  {
                    "verdict": "onlyFirstFinishes",
                    "from": 1000,
                    "to": 29900
                  }
      """
    let squeezed = json.split(whereSeparator: \.isWhitespace).joined()
    #expect(squeezed.contains(stretch.split(whereSeparator: \.isWhitespace).joined()))
    #expect(
      squeezed.contains(#""best":[{"from":1000,"variants":["a"]},{"from":10000,"variants":["b"]}"#))
  }
}
