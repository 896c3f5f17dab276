import SpindleSystem
import Testing

@testable import SpindleCommand

/// Costs of the machine are a cause: explanations say how much of the work's time they took, and for what.
@Suite struct CoreCostTests {
  private func call(_ machine: String, _ trace: String, _ command: String, _ arguments: String...)
    -> String
  {
    let text = "machine { platform: .ideal; \(machine) }\n" + trace
    let environment = HostEnvironment(
      variables: ["COLUMNS": "160"], standardInput: Array(text.utf8))
    return Invocation([command, "-"] + arguments, environment: environment).flat
  }

  /// `a` leaves its core for 4 ms, in which `b` takes it, and fills the caches anew when it is back.
  private static let cold = """
    main {
        Thread.detachNewThread(name: "a") { work(1ms); io(4ms); work(1ms) }
        Thread.detachNewThread(name: "b") { work(4ms) }
    }

    """

  @Test func coldCachesAreNamed() {
    let told = call("cores: 1; costs: .zero(coldCache: 2ms)", Self.cold, "explain", "--item", "a")
    // 1 ms of work and 3 ms behind the refill, which takes 2 of them.
    #expect(told.contains(", of which 2ms were costs (2ms to refill cold caches"), "\(told)")
    let path = call(
      "cores: 1; costs: .zero(coldCache: 2ms)", Self.cold, "explain", "--critical-path")
    #expect(path.contains("2ms to refill cold caches"), "\(path)")
  }

  @Test func switchesAndMigrationsAreCounted() {
    // Each of two threads takes 1 ms turns with the other, and each turn begins with a switch of 0.5 ms.
    let turns = """
      main {
          Thread.detachNewThread(name: "a") { work(4ms) }
          Thread.detachNewThread(name: "b") { work(4ms) }
      }

      """
    let told = call(
      "cores: 1; costs: .zero(contextSwitch: 500us); policy: .roundRobin(quantum: 1ms)", turns,
      "explain", "--item", "a")
    #expect(told.contains("were costs ("), "\(told)")
    #expect(told.contains("context switches)"), "\(told)")
  }

  @Test func smallCostsAreNotTold() {
    let told = call(
      "cores: 1; costs: .zero(contextSwitch: 10us)", Self.cold, "explain", "--item", "a")
    #expect(!told.contains("were costs"), "\(told)")
    let free = call("cores: 1; costs: .zero", Self.cold, "explain", "--item", "a")
    #expect(!free.contains("were costs"), "\(free)")
  }
}
