import SpindleModel
import TestSupport
import Testing

/// Rules of queues, pools and urgency that are easily got wrong, each as the smallest trace for it.
@Suite struct DispatchRuleTests {
  @Test(arguments: running + urgency + items)
  func theLibraryDoes(_ row: RuleRow) {
    #expect(row.failures() == [])
  }

  static let running = [
    RuleRow(
      rule: "a work item in sync on the main queue runs on main, and the caller goes on",
      trace: """
        machine { platform: .iOS; costs: .zero }
        main {
            Thread.detachNewThread(name: "caller") {
                let item = DispatchWorkItem { mark("item \\(Thread.isMainThread)"); work(1ms) }
                DispatchQueue.main.sync(execute: item)
                mark("caller \\(Thread.isMainThread)")
            }
        }
        expect { timeline == [0s: "item true", 1ms: "caller false"] }
        """),
    RuleRow(
      rule: "iterations on the main queue run on main, one after the other",
      trace: """
        machine { platform: .iOS; costs: .zero }
        main {
            Thread.detachNewThread {
                DispatchQueue.main.concurrentPerform(iterations: 2) { i in
                    work(1ms)
                    mark("\\(i) \\(Thread.isMainThread)")
                }
                mark("caller \\(Thread.isMainThread)")
            }
        }
        expect { timeline == [1ms: "0 true", 2ms: "1 true", 2ms: "caller false"] }
        """),
    RuleRow(
      rule: "a barrier is one on the queue that it was handed to, not on that one's target",
      trace: """
        machine { platform: .iOS; costs: .zero; cores: 4 }
        let b = DispatchQueue(label: "b", attributes: .concurrent)
        let a = DispatchQueue(label: "a", attributes: .concurrent, target: b)
        main {
            b.async(name: "reader of b") { work(50ms) }
            a.async(flags: .barrier) { work(10ms); mark("barrier") }
            a.async { mark("behind it") }
        }
        expect { timeline == [10ms: "barrier", 10ms: "behind it"] }
        """),
    RuleRow(
      rule: "threads that are made before main do not own the main queue",
      trace: """
        machine { platform: .iOS; costs: .zero }
        let early = Thread(name: "early") { DispatchQueue.main.sync { mark("on main") } }
        main { early.start() }
        expect { timeline == [0s: "on main"] }
        """),
    RuleRow(
      rule: "a helper of concurrentPerform is not its caller, whatever thread it is on",
      trace: """
        machine { platform: .iOS; costs: .zero }
        let serial = DispatchQueue(label: "serial")
        let queue = DispatchQueue(label: "queue", attributes: .concurrent, target: serial)
        main {
            DispatchQueue.global().async {
                queue.concurrentPerform(iterations: 3) { i in work(1ms) }
                mark("done")
            }
        }
        expect { timeline == [3ms: "done"] }
        """),
    RuleRow(
      rule: "cores are divided by the iterations of all concurrentPerforms around",
      trace: """
        machine { platform: .iOS; costs: .zero; cores: 8 }
        main {
            DispatchQueue.concurrentPerform(iterations: 4) { i in
                DispatchQueue.concurrentPerform(iterations: 2) { j in
                    DispatchQueue.concurrentPerform(iterations: 4) { k in io(1ms) }
                }
            }
        }
        expect { makespan == 4ms }
        """),
    RuleRow(
      rule: "main in sync on a queue whose target is main crashes",
      trace: """
        machine { platform: .macOS; costs: .zero }
        let queue = DispatchQueue(label: "queue", target: .main)
        main { queue.sync { } }
        expect { outcome == .crashed; findings == [.syncOnOwnQueue] }
        """),
    RuleRow(
      rule: "a precondition knows the queues of all items and syncs that the thread is in",
      trace: """
        machine { platform: .iOS; costs: .zero }
        let q = DispatchQueue(label: "q")
        let r = DispatchQueue(label: "r")
        main {
            q.sync { dispatchPrecondition(condition: .onQueue(.main)) }
            q.async { r.sync { dispatchPrecondition(condition: .onQueue(q)); mark("held") } }
        }
        expect { timeline == [0s: "held"] }
        """),
  ]

  static let urgency = [
    RuleRow(
      rule: "an item on the default global queue has its submitter's class",
      trace: """
        machine { platform: .iOS; costs: .zero; cores: 1 }
        main {
            DispatchQueue.global().async { record("plain", "\\(Thread.current.qualityOfService)") }
            DispatchQueue.global(qos: .utility).async { record("set", "\\(Thread.current.qualityOfService)") }
            DispatchQueue.global(qos: .utility).async(qos: .userInitiated, flags: .enforceQoS) {
                record("enforced", "\\(Thread.current.qualityOfService)")
            }
        }
        expect {
            values == ["plain": "userInitiated", "set": "utility", "enforced": "userInitiated"]
        }
        """),
    RuleRow(
      rule: "a sync inside does not end the urgency that the queue outside was lent",
      trace: """
        machine { platform: .iOS; costs: .zero; cores: 1 }
        let a = DispatchQueue(label: "a", qos: .background)
        let b = DispatchQueue(label: "b", qos: .background)
        main {
            a.async { work(10ms); b.sync { work(1ms) }; mark("after sync"); work(9ms) }
            sleep(5ms)
            DispatchQueue.global(qos: .userInitiated).async { work(100ms) }
            a.sync { mark("main in a") }
        }
        expect { timeline == [11ms: "after sync", 20ms: "main in a"] }
        """),
    RuleRow(
      rule: "urgency is lent along targets",
      trace: """
        machine { platform: .iOS; costs: .zero; cores: 1 }
        let low = DispatchQueue(label: "low", qos: .background)
        let a = DispatchQueue(label: "a", qos: .background, target: low)
        let c = DispatchQueue(label: "c", qos: .background, target: low)
        main {
            c.async { work(10ms) }
            sleep(5ms)
            DispatchQueue.global(qos: .userInitiated).async { work(100ms) }
            a.async { work(1ms) }
            a.sync { mark("main in a") }
        }
        expect { timeline == [11ms: "main in a"] }
        """),
    RuleRow(
      rule: "urgency is lent along threads that wait in sync",
      trace: """
        machine { platform: .iOS; costs: .zero; cores: 2 }
        let a = DispatchQueue(label: "a", qos: .background)
        let b = DispatchQueue(label: "b", qos: .background)
        main {
            b.async { work(10ms); mark("b done") }
            a.async { b.sync { mark("a in b") } }
            sleep(1ms)
            for i in 0 ..< 2 { DispatchQueue.global(qos: .userInitiated).async { work(100ms) } }
            a.sync { mark("main in a") }
        }
        expect { timeline == [10ms: "b done", 10ms: "a in b", 10ms: "main in a"] }
        """),
    RuleRow(
      rule: "a worker on its way to look for work is as urgent as what waits",
      trace: """
        machine { platform: .iOS; costs: .zero; cores: 1 }
        main {
            Thread.detachNewThread { Thread.current.qualityOfService = .utility; work(100ms) }
            sleep(1ms)
            DispatchQueue.global(qos: .background).async { }
            DispatchQueue.global(qos: .userInitiated).async { mark("urgent") }
        }
        expect { timeline == [1ms: "urgent"] }
        """),
    RuleRow(
      rule: "on Linux the monitor does not count the workers of a class in which nothing waits",
      trace: """
        trace "monitor" { until: 1500ms }
        machine { platform: .linux; costs: .zero; cores: 4 }
        main {
            for i in 0 ..< 4 { DispatchQueue.global(qos: .userInteractive).async { work(10s) } }
            for i in 0 ..< 4 { DispatchQueue.global(qos: .userInitiated).async { work(10s) } }
            for i in 0 ..< 8 {
                DispatchQueue.global().async { if i == 4 { mark("one more") }; io(10s) }
            }
        }
        expect { timeline(within: 20ms) == [1s: "one more"] }
        """),
  ]

  static let items = [
    RuleRow(
      rule: "a group hands over what follows it before it wakes who waits",
      trace: """
        machine { platform: .ideal; cores: 1 }
        let group = DispatchGroup()
        main {
            group.enter()
            group.notify(queue: .global()) { mark("notified") }
            Thread.detachNewThread { group.wait(); mark("waited") }
            sleep(1ms)
            group.leave()
        }
        expect { timeline == [1ms: "notified", 1ms: "waited"] }
        """),
    RuleRow(
      rule: "a semaphore's count that overflows crashes in the library's words",
      trace: """
        machine { platform: .linux; costs: .zero }
        let full = DispatchSemaphore(value: 9223372036854775807)
        main { full.signal() }
        expect {
            outcome == .crashed
            crash.message
                == "BUG IN CLIENT OF LIBDISPATCH: Unbalanced call to dispatch_semaphore_signal()"
        }
        """),
    RuleRow(
      rule: "a work item that was waited for may not run again",
      trace: """
        machine { platform: .macOS; costs: .zero }
        let queue = DispatchQueue(label: "queue")
        let item = DispatchWorkItem { }
        main {
            queue.async(execute: item)
            item.wait()
            queue.async(execute: item)
        }
        expect { outcome == .crashed }
        """),
    RuleRow(
      rule: "targets, delayed items and followers keep a released queue alive",
      trace: """
        machine { platform: .iOS; costs: .zero; cores: 4 }
        let t = DispatchQueue(label: "t", attributes: .concurrent)
        let a = DispatchQueue(label: "a", target: t)
        let q = DispatchQueue(label: "q")
        let s = DispatchQueue(label: "s")
        let group = DispatchGroup()
        main {
            t.finalizer { mark("t gone") }
            q.finalizer { mark("q gone") }
            s.finalizer { mark("s gone") }
            t.release()
            q.asyncAfter(deadline: .now() + 20ms) { mark("late") }
            q.release()
            group.enter()
            group.notify(queue: s) { mark("notified") }
            s.release()
            sleep(50ms)
            a.release()
            sleep(10ms)
            group.leave()
        }
        expect {
            timeline == [
                20ms: "late", 20ms: "q gone", 50ms: "t gone", 60ms: "notified", 60ms: "s gone",
            ]
        }
        """),
    RuleRow(
      rule: "items left in a suspended queue are told",
      trace: """
        machine { platform: .iOS; costs: .zero }
        let queue = DispatchQueue(label: "queue")
        main { queue.suspend(); queue.async { } }
        expect { findings == [.neverResumed] }
        """),
    RuleRow(
      rule: "a chain of too many targets crashes the program, not the simulator",
      trace: """
        machine { platform: .iOS; costs: .zero }
        main {
            var last = DispatchQueue(label: "first")
            for i in 0 ..< 2000 { last = DispatchQueue(label: "next", target: last) }
        }
        expect { outcome == .crashed }
        """),
  ]
}
