import SpindleModel
import SpindleReports
import TestSupport
import Testing

/// The load that a group of threads leaves behind under clutch, where its sum is larger than 64 bits.
///
/// It is no trace in `Traces`: the sums that tests make of every trace's times do not hold it either.
@Suite struct ClutchLongUseTests {
  /// What the threads of one group use is added up before it is scaled down to the 500 ms that a score is of.
  ///
  /// Source: xnu:osfmk/kern/sched_clutch.c, sched_clutch_bucket_group_cpu_adjust.
  ///
  /// Sixty threads that have a core each for 90,000 h use 5,400,000 h of cores together. Threads that come later are
  /// of a group of no interactivity, and get a core all the same.
  @Test func useOfYearsIsAddedUp() {
    let run = TestRun(Self.text, writesLog: false)
    #expect(run.record?.outcome.kind == .finished, "\(run.messages)")
    #expect(!run.verdicts.isEmpty && run.verdicts.allSatisfy(\.holds))
  }

  private static let text = #"""
    trace "Cores for years" { until: 100000h }

    machine { platform: .macOS; cores: 64; costs: .zero; policy: .clutch }

    main {
        for i in 0 ..< 60 {
            Thread.detachNewThread(name: "long\(i)") { work(90000h) }
        }
    }

    at(95000h) {
        for i in 0 ..< 70 {
            Thread.detachNewThread(name: "late\(i)") { work(10ms) }
        }
    }

    expect {
        count(of: "long*") == 60
        latency("long*").max == 90000h
        count(of: "late*") == 70
        // Six of the seventy wait for a core, for a turn of 10 ms.
        latency("late*").max <= 30ms
    }
    """#
}
