import SpindleSystem
import Testing

@testable import SpindleCommand

/// A slow core is a cause: explanations name it and its speed where work ran there.
@Suite struct SlowCoreTests {
  private static let export = """
    main { DispatchQueue.global(qos: .utility).async(name: "export") { work(100ms) } }
    expect { latency("export").max <= 200ms }

    """

  private func call(_ cores: String, _ trace: String, _ command: String, _ arguments: String...)
    -> String
  {
    let machine = "machine { platform: .iOS; cores: \(cores); costs: .zero }\n"
    let environment = HostEnvironment(
      variables: ["COLUMNS": "160"], standardInput: Array((machine + trace).utf8))
    return Invocation([command, "-"] + arguments, environment: environment).flat
  }

  @Test func explanationsNameTheCoreAndItsSpeed() {
    let cores = "[.performance(2), .efficiency(4, speed: 0.4)]"
    let told =
      "on core 2 at speed 0.4 because its class is .utility, while 2 faster cores were idle"
    let item = call(cores, Self.export, "explain", "--item", "export")
    #expect(item.contains("'export' (2:8) worked 250ms \(told)"), "\(item)")
    let path = call(cores, Self.export, "explain", "--critical-path")
    #expect(path.contains("'export' (2:8) 250ms \(told)"), "\(path)")
    // Below the limit that is not met, too.
    let failure = call(cores, Self.export, "simulate")
    #expect(failure.contains("worked 250ms \(told)"), "\(failure)")
  }

  @Test func kindsOfCoresAreLabelled() {
    let cores = "[.performance(2), .efficiency(4, speed: 0.4)]"
    let picture = call(cores, Self.export, "timeline", "--by", "core")
    #expect(picture.contains("core 2 E 0.4 aaa"), "\(picture)")
    // 250 ms of 250 ms on one of four cores.
    let summary = call(cores, Self.export, "simulate")
    #expect(summary.contains("performance: 0.0%, efficiency at speed 0.4: 25.0%"), "\(summary)")
    let alike = call("2", Self.export, "simulate")
    #expect(!alike.contains("performance"), "\(alike)")
  }

  @Test func busyCoresAreNotCalledIdle() {
    let busy = """
      let left = Thread(name: "left", threadPriority: 1.0) { work(1s) }
      let right = Thread(name: "right", threadPriority: 1.0) { work(1s) }
      main {
          left.start()
          right.start()
          DispatchQueue.global(qos: .utility).async(name: "export") { work(100ms) }
      }

      """
    let cores = "[.performance(2), .efficiency(4, speed: 0.4)]"
    let item = call(cores, busy, "explain", "--item", "export")
    #expect(item.contains("worked 250ms on core 2 at speed 0.4"), "\(item)")
    #expect(!item.contains("faster core"), "\(item)")
  }

  @Test func coresThatAreAlikeAreNoCause() {
    let item = call("6", Self.export, "explain", "--item", "export")
    #expect(item.contains("'export' (2:8) worked 100ms"), "\(item)")
    #expect(!item.contains("on core"), "\(item)")
  }
}
