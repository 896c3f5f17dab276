import SpindleModel

extension FindingPage {
  /// Actors, the main actor too.
  static let actorPages: [Finding.Kind: FindingPage] = [
    .mainActorFlood: FindingPage(
      means: """
        A hundred or more tasks were queued for the main actor at once, and whatever comes \
        next, such as a touch, waits behind them.
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
    .actorReentrancy: FindingPage(
      means: """
        A call of an actor looked at a member, waited, and then changed the member without another \
        look; meanwhile another call of the actor had changed it. Others enter at each 'await'.
        """,
      remedy: """
        Look again behind the 'await', or set what others look at before it: keep the task that \
        loads instead of what it gives.
        """,
      trace: """
        trace "A cache that loads three times"

        machine { platform: .linux; cores: 2; costs: .zero }

        actor ImageCache {
            var loaded = 0
            var downloads = 0
            func image() async -> Int {
                if loaded > 0 { return loaded }
                downloads += 1
                await io(200ms)
                loaded = downloads
                return loaded
            }
        }

        main(.tool) {
            let cache = ImageCache()
            await withTaskGroup { group in
                for i in 0 ..< 3 { group.addTask(name: "cell\\(i)") { _ = await cache.image() } }
            }
            mark("downloads \\(await cache.downloads)")
        }

        expect {
            findings == [.actorReentrancy]
            timeline == [200ms: "downloads 3"]
        }
        """),
    .priorityInversionOnActor: FindingPage(
      means: """
        An urgent task waited for an actor for 50 ms or more, behind the call of a less \
        urgent one: a running actor is not preempted.
        """,
      remedy: """
        Keep the calls of an actor short: compute outside of it, or 'await Task.yield()' between \
        the parts of a long one.
        """,
      trace: """
        trace "An urgent call behind a long one"

        machine { platform: .linux; cores: 2; costs: .zero }

        actor Store {
            func compact() { work(300ms) }
            func read() -> Int { 7 }
        }
        let store = Store()

        main {
            Task.detached(name: "cleaner", priority: .background) { await store.compact() }
            Task.detached(name: "screen", priority: .high) {
                await io(10ms)
                _ = await store.read()
                mark("shown")
            }
        }

        expect {
            findings == [.priorityInversionOnActor]
            timeline == [300ms: "shown"]
        }
        """),
    .orderNotKept: FindingPage(
      means: """
        Two tasks were made at one place, one surely behind the other, and came to an actor, or \
        the main actor, the other way round.
        """,
      remedy: """
        Hand what happens to an AsyncStream, which one task reads in order.
        """,
      trace: """
        trace "A task for each message"

        machine { platform: .linux; cores: 2; costs: .zero }

        actor Chat {
            var shown = 0
            func show(_ number: Int) { shown += 1; mark("message \\(number)") }
        }
        let chat = Chat()

        func receive(_ number: Int, _ length: Duration) {
            Task(name: "message\\(number)") { work(length); await chat.show(number) }
        }

        main { }
        at(10ms) { receive(1, 50ms) }
        at(20ms) { receive(2, 5ms) }

        expect {
            findings == [.orderNotKept]
            timeline == [25ms: "message 2", 60ms: "message 1"]
        }
        """),
  ]
}
