import SpindleSystem
import Testing

@testable import SpindleCommand

/// The throughput of a kind of work: how many items ended per second.
@Suite struct RateTests {
  /// One worker ends ten jobs in the first second, and one more item in the next.
  private static let jobs = """
    machine { platform: .ideal; cores: 2; costs: .zero }
    let pool = ThreadPool(width: 1)
    main {
        for i in 0 ..< 10 { pool.async(name: "job\\(i)") { work(100ms) } }
        pool.async(name: "other") { work(1s) }
    }

    """

  private func call(_ trace: String, _ arguments: String...) -> String {
    let environment = HostEnvironment(
      variables: ["COLUMNS": "160"], standardInput: Array(trace.utf8))
    let call = Invocation(["simulate", "-"] + arguments, environment: environment)
    return call.flat + call.error
  }

  @Test func ratesAreOfTheMakespan() {
    // Ten jobs, and eleven items, in two seconds.
    let conditions = [
      "rate(of: \"job*\") == 5", "rate(of: \"*\") == 5.5", "rate(of: \"job3\") == 0.5",
      "rate(of: \"other\") <= 1", "rate(of: \"job*\") == 4.9 ± 3%",
    ]
    let told = call(Self.jobs + "expect { \(conditions.joined(separator: "; ")) }\n")
    #expect(told.contains("expected 5 of 5 met"), "\(told)")
    let failed = call(Self.jobs + "expect { rate(of: \"job*\") > 100 }\n")
    #expect(failed.contains("rate(of: \"job*\") was 5"), "\(failed)")
  }

  @Test func behindAWarmUpTheyAreOfTheRest() {
    // From 0.75 s to 2 s three of the jobs end.
    let told = call(Self.jobs, "--warm-up", "750ms", "--measure", "rate(of: \"job*\")", "--quiet")
    #expect(told.contains("rate(of: \"job*\"): 2.4 "), "\(told)")
    let whole = call(Self.jobs, "--measure", "rate(of: \"job*\")", "--quiet")
    #expect(whole.contains("rate(of: \"job*\"): 5"), "\(whole)")
  }

  @Test func otherWordsLeadToIt() {
    let told = call(Self.jobs + "expect { throughput > 5 }\n")
    #expect(told.contains("did you mean 'rate(of: \"name*\")'"), "\(told)")
  }
}
