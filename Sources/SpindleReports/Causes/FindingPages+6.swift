import SpindleModel

extension FindingPage {
  /// The pages from mainActorFlood to unboundedTaskCreation, in the order of the catalogue.
  static let pages6: [Finding.Kind: FindingPage] = [
    .mainActorFlood: FindingPage(
      means: """
        A hundred tasks or more stood in line for the main actor at once, and whatever comes \
        next, a touch, stands behind them.
        """,
      remedy: """
        Show the newest only: an AsyncStream with '.bufferingNewest(1)' that one task of the \
        main actor reads.
        """,
      trace: """
        trace "A task on the main actor for each chunk"

        machine { platform: .linux; cores: 2; costs: .zero }

        @MainActor func show(_ n: Int) { work(3ms) }

        main {
            Task.detached(name: "download") {
                for i in 0 ..< 200 { work(200us); Task(name: "chunk") { @MainActor in show(i) } }
            }
        }

        expect {
            findings == [.mainActorFlood]
            makespan >= 600ms
        }
        """),
    .taskOutlivesScope: FindingPage(
      means: """
        The async main has returned, which ends the process, and a task was not done.
        """,
      remedy: """
        Await it before main returns: its value, or all of them in a task group.
        """,
      trace: """
        trace "A task that main does not wait for"

        machine { platform: .linux; cores: 2; costs: .zero }

        main(.tool) {
            Task(name: "upload") { await io(100ms); mark("uploaded") }
            await io(10ms)
        }

        expect {
            findings == []
            timeline == []
        }
        """),
    .cancellationIgnored: FindingPage(
      means: """
        A cancelled child never asked whether it is cancelled, and its scope had to wait for \
        it.
        """,
      remedy: """
        Ask in the loop: 'Task.isCancelled' or 'try Task.checkCancellation()'; 'Task.sleep' \
        asks by itself. A task that is nobody's child goes on though who waits for it is \
        cancelled: cancel it in 'withTaskCancellationHandler' around the wait.
        """,
      trace: """
        trace "A child that goes on computing"

        machine { platform: .linux; cores: 2; costs: .zero }

        main(.tool) {
            do {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask(name: "stubborn") { for _ in 0 ..< 30 { work(10ms) } }
                    group.addTask(name: "failing") { await io(50ms); throw "no network" }
                    for try await _ in group { }
                }
            } catch { mark("caught \\(error)") }
        }

        expect {
            findings == [.cancellationIgnored]
            timeline == [300ms: "caught no network"]
        }
        """),
    .errorNobodyAwaits: FindingPage(
      means: """
        A task threw an error, and nobody has asked for its value: the error is lost without a \
        word.
        """,
      remedy: """
        Catch it in the task, or 'try await' the value of the task.
        """,
      trace: """
        trace "A task whose error is lost"

        machine { platform: .linux; cores: 2; costs: .zero }

        main {
            Task(name: "save") { await io(10ms); throw "disk full" }
        }

        expect {
            findings == [.errorNobodyAwaits]
        }
        """),
    .unboundedTaskCreation: FindingPage(
      means: """
        A thousand tasks or more are alive at once, and nothing limits how many there will be.
        """,
      remedy: """
        Limit them: a task group that adds the next when 'next()' gives one.
        """,
      trace: """
        trace "A task for each of many files"

        machine { platform: .linux; cores: 2; costs: .zero }

        main(.tool) {
            await withTaskGroup(of: Void.self) { group in
                for i in 0 ..< 1_200 { group.addTask(name: "file\\(i)") { await io(10ms) } }
            }
        }

        expect {
            findings == [.unboundedTaskCreation]
            makespan == 10ms
        }
        """),
  ]
}
