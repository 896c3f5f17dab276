import SpindleModel

/// Tasks that wait for ever.
extension HangChainTests {
  static let hangsOfTasks: [Hang] = [
    Hang(
      name: "continuation-delegate",
      trace: """
        final class Delegate {
            var c: CheckedContinuation<Void, Never>?
            func done() { c?.resume() }
        }
        let delegate = Delegate()
        let q = DispatchQueue(label: "q")
        let s = DispatchSemaphore(value: 0)
        main(.tool) {
            q.async(name: "stuck") { s.wait() }
            q.async(name: "event") { delegate.done() }
            await withCheckedContinuation { delegate.c = $0 }
        }
        """,
      kind: .continuationNeverResumed,
      explanation: """
        'main' waits for a continuation that was never resumed and never will be, and would \
        be resumed by 'event', which waits in queue 'q', which 'worker-1' in 'stuck' \
        occupies
        """),
    Hang(
      name: "continuation-in-property-nobody",
      trace: """
        final class Box { var c: CheckedContinuation<Void, Never>? }
        let box = Box()
        main(.tool) {
            await withCheckedContinuation { box.c = $0 }
        }
        """,
      kind: .continuationNeverResumed,
      explanation: """
        'main' waits for a continuation that was never resumed and never will be, and no \
        remaining code resumes it
        """),
    Hang(
      name: "continuation-in-stored-array",
      trace: """
        actor Gate {
            private var waiters: [CheckedContinuation<Void, Never>] = []
            func wait() async { await withCheckedContinuation { waiters.append($0) } }
            func open() { for w in waiters { w.resume() }; waiters = [] }
        }
        let gate = Gate()
        main(.tool) {
            let t = Task(name: "guest") { await gate.wait() }
            await t.value
            await gate.open()
        }
        """,
      kind: .continuationNeverResumed,
      explanation: """
        'guest' waits for a continuation that was never resumed and never will be, and would \
        be resumed by 'main', which waits for task 'guest'; 'main' waits for 'guest'
        """),
    Hang(
      name: "continuation-resumer-in-suspended-queue",
      trace: """
        let q = DispatchQueue(label: "q")
        main(.tool) {
            q.suspend()
            await withCheckedContinuation { c in q.async(name: "resumer") { c.resume() } }
        }
        """,
      kind: .continuationNeverResumed,
      explanation: """
        'main' waits for a continuation that was never resumed and never will be, and would \
        be resumed by 'resumer', which waits in queue 'q', which is suspended
        """),
    Hang(
      name: "stream-fed-by-blocked",
      trace: """
        let (stream, feed) = AsyncStream.makeStream(of: Int.self)
        let q = DispatchQueue(label: "q")
        main(.tool) {
            q.suspend()
            q.async(name: "producer") { feed.yield(1); feed.finish() }
            for await x in stream { record("x", x) }
        }
        """,
      explanation: """
        'main' waits for an element of stream 'AsyncStream-1', and would be fed by \
        'producer', which waits in queue 'q', which is suspended: no remaining event can \
        wake it
        """),
    Hang(
      name: "stream-nobody",
      trace: """
        let (stream, feed) = AsyncStream.makeStream(of: Int.self)
        main(.tool) {
            let t = Task(name: "reader") { for await x in stream { record("x", x) } }
            await t.value
        }
        """,
      explanation: """
        'main' waits for task 'reader', which waits for an element of stream \
        'AsyncStream-1', and no remaining code feeds it: no remaining event can wake them
        """),
    Hang(
      name: "task-group-child-on-stream",
      trace: """
        let (stream, feed) = AsyncStream.makeStream(of: Int.self)
        main(.tool) {
            await withTaskGroup(of: Void.self) { group in
                group.addTask(name: "child") { for await x in stream { record("x", x) } }
            }
            feed.finish()
        }
        """,
      explanation: """
        'main' waits for its group, in which 'child' waits for an element of stream \
        'AsyncStream-1', and would be fed by 'main', which waits for its group: no remaining \
        event can wake them
        """),
    Hang(
      name: "task-value-of-task-needing-main",
      trace: """
        let s = DispatchSemaphore(value: 0)
        @MainActor func update() { s.signal() }
        main {
            Task.detached(name: "loader") { await update() }
            s.wait()
        }
        """,
      explanation: """
        'main' waits for a signal of semaphore 's' by 'loader', which waits for the main \
        actor, whose thread 'main' waits for semaphore 's': no remaining event can wake it; \
        meanwhile the main thread can't run the main actor's code that 'loader' awaits
        """),
  ]
}
