import SpindleExplore
import SpindleModel
import SpindleReports
import SpindleSimulator

/// Programs that are run under one schedule after another, each with a log of about so many entries.
enum ExploreRows {
  /// A program, and how many schedules of it are run.
  struct Row: Sendable {
    let name: String
    let schedules: Int
    let trace: String
  }

  static let all = [
    // Two threads that change a variable.
    Row(
      name: "explore-20", schedules: 40_000,
      trace: """
        machine { platform: .ideal; cores: 2 }
        var n = 0
        main(.tool) {
            let one = Thread { n += 1 }
            let two = Thread { n += 1 }
            one.start()
            two.start()
            one.join()
            two.join()
        }
        """),
    // Twenty threads that set two variables, and one that looks at them.
    Row(
      name: "explore-200", schedules: 12_000,
      trace: """
        machine { platform: .ideal; cores: 2 }
        var a = 0
        var b = 0
        var seen = 0
        main(.tool) {
            let setting = [Thread](count: 20) { i in
                a = 1
                b = -1
            }
            let looking = Thread { seen = a + b }
            for t in setting { t.start() }
            looking.start()
            for t in setting { t.join() }
            looking.join()
        }
        """),
    // 142 threads that use two locks, and one that looks.
    Row(
      name: "explore-2000", schedules: 1_500,
      trace: """
        machine { platform: .ideal; cores: 2 }
        let stageOne = NSLock()
        let stageTwo = NSLock()
        var amount = 0
        var sum = 0
        var seen = 0
        main(.tool) {
            let setting = [Thread](count: 142) { i in
                stageOne.withLock { amount = 1 }
                stageTwo.withLock { sum = amount + 1 }
            }
            let reader = Thread {
                stageOne.withLock { seen = amount }
                stageTwo.withLock { seen += sum }
            }
            for t in setting { t.start() }
            reader.start()
            for t in setting { t.join() }
            reader.join()
        }
        """),
  ]

  /// How many schedules one search runs before the next begins: a small program has no more.
  private static let schedulesOfASearch = 256

  /// Searches with the standard strategy, on one core, until all schedules of a row were run.
  static func measure(_ row: Row, share: Int) -> Measurement {
    let program = compile(SourceText(name: row.name, row.trace))
    let runner = TrialRunner(program, limits: RunLimits())
    let wanted = row.schedules / share
    var (runs, orders) = (0, 0)
    let taken = seconds {
      while runs < wanted {
        var bounds = ExploreBounds()
        bounds.runs = min(Self.schedulesOfASearch, wanted - runs + 1)
        var explorer = Explorer(runner, .standard, bounds)
        let found = explorer.explore()
        // The normal run is not made again.
        runs += found.runs - 1
        orders = max(orders, found.orders)
      }
    }
    return Measurement(
      name: row.name, unit: "schedule", units: runs, seconds: taken,
      answers: [
        ("orders", "\(orders)"),
        ("entries", "\(simulation(of: program).run(consumers: [Metrics()]).entries)"),
      ])
  }
}
