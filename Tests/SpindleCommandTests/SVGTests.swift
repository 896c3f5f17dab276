import Foundation
import SpindleSystem
import Testing

@testable import SpindleCommand

/// Drawings for slides: lanes in order, bars to scale, and what the colours mean.
@Suite struct SVGTests {
  /// One core, and two threads that take turns of 1 s: `a` 2 s, `b<` 1 s and then 1 s of io.
  private static let turns = """
    machine { platform: .ideal; cores: 1; costs: .zero; policy: .roundRobin(quantum: 1s) }
    main {
        Thread.detachNewThread(name: "z") { work(2s); mark("done") }
        Thread.detachNewThread(name: "b<") { work(1s); io(1s) }
    }

    """

  private func draw(_ arguments: String...) -> Invocation {
    let environment = HostEnvironment(standardInput: Array(Self.turns.utf8))
    return Invocation(["timeline", "-"] + arguments, environment: environment)
  }

  /// A rectangle of a drawing: its left edge, its upper edge and its width.
  private struct Bar: Equatable {
    let x: Double
    let y: Double
    let width: Double

    static func == (left: Bar, right: Bar) -> Bool {
      abs(left.x - right.x) < 0.01 && left.y == right.y && abs(left.width - right.width) < 0.01
    }
  }

  private func bars(_ drawing: String, _ color: String) -> [Bar] {
    drawing.split(separator: "\n").compactMap { line in
      guard line.hasPrefix("<rect x="), line.contains(color) else { return nil }
      let numbers = line.split(separator: "\"").compactMap { Double($0) }
      return numbers.count < 4 ? nil : Bar(x: numbers[0], y: numbers[1], width: numbers[2])
    }
  }

  @Test func threadsHaveLanesInTheirOrder() throws {
    let drawing = draw("--svg", "-").output
    // The window is 3 s. Names take at most 6 columns of 7 beside two edges of 12, and the right edge has 12 more.
    let left: Double = 66
    let second: Double = (948 - left) / 3
    let running = bars(drawing, "#7cc36e")
    #expect(
      running.prefix(3) == [
        Bar(x: left, y: 34, width: second), Bar(x: left + 2 * second, y: 34, width: second),
        Bar(x: left + second, y: 60, width: second),
      ], "\(drawing)")
    #expect(
      bars(drawing, "#9fd8ef").first == Bar(x: left + 2 * second, y: 60, width: second),
      "\(drawing)")
    let names = try #require(drawing.firstRange(of: ">z<"))
    let escaped = try #require(drawing.firstRange(of: ">b&lt;<"))
    #expect(names.lowerBound < escaped.lowerBound)
    for text in [">runs<", ">ready, no core<", ">io<", ">'done'<", "▲", ">0s<", ">3s<"] {
      #expect(drawing.contains(text), "\(text) in \(drawing)")
    }
  }

  @Test func coresShowTheirThreads() {
    let drawing = draw("--by", "core", "--svg", "-").output
    #expect(drawing.contains(">core 0<") && !drawing.contains(">runs<"), "\(drawing)")
    #expect(drawing.components(separatedBy: ">z</text>").count == 3, "\(drawing)")
    #expect(drawing.components(separatedBy: ">b&lt;</text>").count == 2, "\(drawing)")
  }

  @Test func otherLanesAreRefused() {
    let failed = draw("--by", "queue", "--svg", "-")
    #expect(failed.status == .usage)
    #expect(failed.error.contains("'--svg' draws threads or cores"), "\(failed.error)")
  }

  @Test func drawingsGoIntoFiles() throws {
    let folder = TemporaryFolder()
    let path = "\(folder.path)/gantt.svg"
    let made = draw("--svg", path, "--width", "200")
    #expect(made.status == .held && made.output.isEmpty)
    let bytes = try Files.read(path)
    #expect(String(decoding: bytes, as: UTF8.self).contains("viewBox=\"0 0 2000"))
  }
}
