import SpindleModel

extension FindingPage {
  /// Tasks and continuations.
  static let taskPages: [Finding.Kind: FindingPage] = [
    .poolStarved: FindingPage(
      means: """
        Every thread of the pool that tasks run in waits, and tasks that are ready wait for \
        one: nothing is added for a thread that is blocked.
        """,
      remedy: """
        Wait with 'await' instead of a semaphore, a lock or a blocking call; or do the \
        blocking work on a queue or thread of its own, and resume a continuation from there.
        """,
      trace: """
        trace "Tasks that wait for a task that gets no thread"

        machine { platform: .linux; cores: 2; costs: .zero }

        let ready = DispatchSemaphore(value: 0)

        main {
            for i in 0 ..< 2 { Task.detached(name: "waiter\\(i)") { ready.wait() } }
            Task.detached(name: "loader") { ready.signal(); ready.signal() }
        }

        expect {
            outcome == .deadlock
            findings == [.blockingInTask, .deadlock, .poolStarved]
        }
        """),
    .blockingInTask: FindingPage(
      means: """
        A task holds its thread while it waits: one thread of the pool fewer for all others.
        """,
      remedy: """
        Wait with 'await': 'await io(…)', 'Task.sleep', a continuation. What can only block \
        belongs on a queue or thread of its own.
        """,
      trace: """
        trace "A task that blocks its thread"

        machine { platform: .linux; cores: 2; costs: .zero }

        main {
            for i in 0 ..< 3 { Task.detached(name: "load\\(i)") { io(100ms) } }
        }

        expect {
            findings == [.blockingInTask]
            makespan == 200ms
        }
        """),
    .continuationNeverResumed: FindingPage(
      means: """
        A continuation was never resumed, and its task waits forever.
        """,
      remedy: """
        Resume it on every way out of the callback, the one of an error too, exactly once.
        """,
      trace: """
        trace "A callback that forgets its error path"

        machine { platform: .linux; cores: 2; costs: .zero }

        let queue = DispatchQueue(label: "network")

        func load(_ hasAnswer: Bool) async -> Int {
            let n: Int = await withCheckedContinuation { c in
                queue.asyncAfter(deadline: .now() + 10ms) { if hasAnswer { c.resume(returning: 1) } }
            }
            return n
        }

        main(.tool) {
            record("first", await load(true))
            record("second", await load(false))
        }

        expect {
            outcome == .deadlock
            findings == [.continuationNeverResumed]
            values == ["first": 1]
        }
        """),
    .continuationResumedTwice: FindingPage(
      means: """
        A continuation was resumed again, which stops the process where its use is checked.
        """,
      remedy: """
        Resume it once: return behind the first resume, or keep an optional and set it to nil.
        """,
      trace: """
        trace "A callback that continues after its error"

        machine { platform: .linux; cores: 2; costs: .zero }

        let queue = DispatchQueue(label: "network")

        main(.tool) {
            let n: Int = await withCheckedContinuation { c in
                queue.async {
                    c.resume(returning: 0)
                    c.resume(returning: 1)
                }
            }
            mark("got \\(n)")
        }

        expect {
            outcome == .crashed
            findings == [.continuationResumedTwice]
        }
        """),
    .circularAwait: FindingPage(
      means: """
        Tasks wait for each other's end in a cycle: none of them ever continues, however the run ends.
        """,
      remedy: """
        Let one of them hand its part over through a stream or a continuation, or put the \
        common part into a third task that both await.
        """,
      trace: """
        trace "Two tasks that await each other"

        machine { platform: .linux; cores: 2; costs: .zero }

        var first: Task? = nil
        var second: Task? = nil

        main {
            first = Task(name: "first") { @MainActor in await Task.sleep(for: 1ms); await second?.value }
            second = Task(name: "second") { @MainActor in await Task.sleep(for: 1ms); await first?.value }
        }

        expect {
            outcome == .deadlock
            findings == [.circularAwait]
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
        A cancelled child never checked for cancellation, and its scope had to wait for it.
        """,
      remedy: """
        Check in the loop: 'Task.isCancelled' or 'try Task.checkCancellation()'; 'Task.sleep' \
        checks by itself. An unstructured task continues although its waiter is \
        cancelled: cancel it in 'withTaskCancellationHandler' around the wait.
        """,
      trace: """
        trace "A child that keeps computing"

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
        A task threw an error, and its value was never awaited: the error is lost silently.
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
    .competingReaders: FindingPage(
      means: """
        Several tasks loop over one stream, each for a purpose of its own, and each gets only \
        some of the elements: a stream gives each element to one reader.
        """,
      remedy: """
        Give each reader a stream of its own, and yield each element to all of them; or read it \
        in one task, which hands on what it gets. Workers that are to share out the elements are \
        made by one loop: 'for _ in 0 ..< 2 { group.addTask { for await job in jobs { … } } }'.
        """,
      trace: """
        trace "Two that observe one stream"

        machine { platform: .linux; cores: 2; costs: .zero }

        let (levels, input) = AsyncStream.makeStream(of: Int.self)

        func observe(_ name: String) {
            Task.detached(name: name) { for await level in levels { mark("\\(name) \\(level)") } }
        }

        main {
            observe("screen")
            observe("log")
        }
        at(10ms) { input.yield(1) }
        at(20ms) { input.yield(2) }
        at(30ms) { input.finish() }

        expect {
            findings == [.competingReaders]
            timeline == [10ms: "screen 1", 20ms: "log 2"]
        }
        """),
    .yieldAfterTermination: FindingPage(
      means: """
        A stream has ended, since its reader was cancelled or it was finished, and a producer \
        continues: each element is dropped, and 'yield' returns '.terminated'.
        """,
      remedy: """
        Stop what produces in 'onTermination', or when 'yield' returns '.terminated'.
        """,
      trace: """
        trace "A producer that does not notice the end"

        machine { platform: .linux; cores: 2; costs: .zero }

        let (samples, input) = AsyncStream.makeStream(of: Int.self)

        main(.tool) {
            let reader = Task.detached { for await sample in samples { mark("\\(sample)") } }
            await io(10ms)
            reader.cancel()
            for sample in 1 ... 8 { await io(10ms); input.yield(sample) }
        }

        expect {
            findings == [.yieldAfterTermination]
            timeline == []
        }
        """),
  ]
}
