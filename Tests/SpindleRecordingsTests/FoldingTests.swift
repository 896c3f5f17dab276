import Testing

@testable import SpindleRecordings

/// Repetition as loops.
@Suite struct FoldingTests {
  /// Letters as operations: `w` works, `i` waits for io, digits signal a thread; the length of each is its
  /// place.
  private func text(_ letters: String) -> String {
    let operations = letters.enumerated().map { place, letter in
      let length = Int64(place + 1) * 1_000_000
      return switch letter {
      case "w": ThreadOperation(kind: .work, length: length)
      case "i": ThreadOperation(kind: .io, length: 7_000_000)
      default: ThreadOperation(kind: .signal, target: Int32(letter.wholeNumberValue ?? 0))
      }
    }
    let folded = FoldedOperation.folded(operations)
    return FunctionText(folded) { kind, target, length in
      switch kind {
      case .signal: "t\(target)"
      case .io: "io \(length)"
      default: "work \(length)"
      }
    }.lines.joined(separator: "\n")
  }

  @Test func whatRepeatsBecomesALoop() {
    #expect(text("111") == "for _ in 0 ..< 3 {\n    t1\n}")
    #expect(text("2iii") == "t2\nfor _ in 0 ..< 3 {\n    io 7ms\n}")
    #expect(text("11") == "t1\nt1")
    #expect(
      text("w1w1w1") == """
        let lengths = [
            1ms, 3ms, 5ms,
        ]
        for i in 0 ..< 3 {
            work lengths[i]
            t1
        }
        """)
  }

  /// Rounds of 1112 stand twice and a half: the rest is as it is.
  @Test func loopsStandInLoops() {
    #expect(
      text("11w211w211") == """
        let lengths = [
            3ms, 7ms,
        ]
        for i in 0 ..< 2 {
            t1
            t1
            work lengths[i]
            t2
        }
        t1
        t1
        """)
    #expect(
      text("www2www2www2") == """
        let lengths = [
            1ms, 2ms, 3ms, 5ms, 6ms, 7ms, 9ms, 10ms, 11ms,
        ]
        for i in 0 ..< 3 {
            for j in 0 ..< 3 {
                work lengths[i * 3 + j]
            }
            t2
        }
        """)
  }
}
