import SpindleModel
import TestSupport
import Testing

/// The life of an app and the sleep of the machine.
@Suite struct AppLifeTests {
  @Test(arguments: sleeping + living)
  func theSystemDoes(_ row: RuleRow) {
    #expect(row.failures() == [])
  }

  static let sleeping = [
    RuleRow(
      rule: "work, sleeps, devices and deadlines stand still while the machine sleeps",
      trace: """
        machine { platform: .macOS; cores: 4; costs: .zero }
        let queue = DispatchQueue(label: "queue")
        let never = DispatchSemaphore(value: 0)
        main {
            queue.async { work(100ms); mark("worked") }
            queue.asyncAfter(deadline: .now() + 200ms) { mark("after") }
            Thread.detachNewThread { sleep(300ms); mark("slept") }
            Thread.detachNewThread { io(400ms); mark("read") }
            _ = never.wait(timeout: .now() + 500ms)
            mark("timed out")
        }
        at(50ms) { machine.sleep(for: 1s) }
        expect {
            timeline == [
                1100ms: "worked", 1200ms: "after", 1300ms: "slept", 1400ms: "read", 1500ms: "timed out",
            ]
        }
        """),
    RuleRow(
      rule: "the world goes on while the machine sleeps, and is heard when it wakes",
      trace: """
        machine { platform: .macOS; costs: .zero }
        let queue = DispatchQueue(label: "queue")
        main { }
        at(10ms) { machine.sleep(for: 100ms) }
        every(40ms, count: 3) { i in
            queue.async { mark("number \\(i)") }
            queue.asyncAfter(deadline: .now() + 10ms) { mark("after \\(i)") }
        }
        expect {
            timeline == [
                110ms: "number 0", 110ms: "number 1", 120ms: any("number 2", "after 0", "after 1"),
                130ms: "after 2",
            ]
        }
        """),
    RuleRow(
      rule: "a thread that puts the machine to sleep goes on when it wakes",
      trace: """
        machine { platform: .macOS; costs: .zero }
        main { work(5ms); machine.sleep(for: 20ms); mark("awake"); work(5ms); mark("worked") }
        at(15ms) { machine.sleep(for: 30ms) }
        expect { timeline == [45ms: "awake", 50ms: "worked"] }
        """),
    RuleRow(
      rule: "a shorter sleep inside a longer one changes nothing",
      trace: """
        machine { platform: .macOS; costs: .zero }
        main { work(20ms); mark("worked") }
        at(10ms) { machine.sleep(for: 100ms) }
        at(50ms) { machine.sleep(for: 10ms) }
        expect { timeline == [120ms: "worked"] }
        """),
    RuleRow(
      rule: "what runs out in turns has the rest of its turn after the sleep",
      trace: """
        machine { platform: .ideal; cores: 1; policy: .roundRobin(quantum: 10ms) }
        main {
            Thread.detachNewThread { work(15ms); mark("a") }
            Thread.detachNewThread { work(15ms); mark("b") }
        }
        at(5ms) { machine.sleep(for: 1s) }
        expect { timeline == [1025ms: "a", 1030ms: "b"] }
        """),
    RuleRow(
      rule: "a timer that was late before the sleep counts no firings of the sleep",
      trace: """
        machine { platform: .macOS; costs: .zero }
        let timer = DispatchSource.makeTimerSource(queue: .main)
        main {
            timer.schedule(deadline: .now() + 10ms, repeating: 10ms)
            timer.setEventHandler { mark("\\(timer.data)"); if now > 1s { timer.cancel() } }
            timer.resume()
            io(25ms)
        }
        at(15ms) { machine.sleep(for: 1s) }
        expect { timeline == [1025ms: "2"] }
        """),
  ]

  static let living = [
    RuleRow(
      rule: "a suspended app stands still; what was due meanwhile comes as one when it returns",
      trace: """
        machine { platform: .iOS; costs: .zero }
        let timer = DispatchSource.makeTimerSource(queue: .main)
        main {
            timer.schedule(deadline: .now() + 2s, repeating: 2s)
            timer.setEventHandler { mark("\\(timer.data)"); if now > 12s { timer.cancel() } }
            timer.resume()
        }
        at(1500ms) { app.enterBackground() }
        at(13s) { app.enterForeground() }
        expect {
            timeline == [2s: "1", 4s: "1", 6s: "1", 13s: "3"]
            outcome == .finished
        }
        """),
    RuleRow(
      rule: "an app that comes back in time is left alone",
      trace: """
        machine { platform: .iOS; costs: .zero }
        main { Thread.detachNewThread { io(20s); mark("done") } }
        at(1s) { app.enterBackground() }
        at(5s) { app.enterForeground() }
        expect { timeline == [20s: "done"]; outcome == .finished }
        """),
    RuleRow(
      rule: "on a Mac nobody minds the background",
      trace: """
        machine { platform: .macOS; costs: .zero }
        main { Thread.detachNewThread { io(20min); mark("done") } }
        at(1s) { app.enterBackground() }
        expect { timeline == [1200s: "done"]; outcome == .finished }
        """),
    RuleRow(
      rule: "input that holds no thread is work as well", end: 6_000,
      trace: """
        machine { platform: .iOS; costs: .zero }
        main { io(10s, queue: .main) { mark("never") } }
        at(1s) { app.enterBackground() }
        expect { timeline == []; outcome == .killed }
        """),
    RuleRow(
      rule: "when the last task ends, five seconds are left", end: 25_000,
      trace: """
        machine { platform: .iOS; costs: .zero }
        main {
            let one = app.beginBackgroundTask { mark("never") }
            let two = app.beginBackgroundTask()
            Thread.detachNewThread {
                io(10s)
                app.endBackgroundTask(one)
                app.endBackgroundTask(one)
                io(10s)
                app.endBackgroundTask(two)
                io(10s)
                mark("never")
            }
        }
        at(1s) { app.enterBackground() }
        expect { timeline == []; outcome == .killed }
        """),
    RuleRow(
      rule: "a handler that the main thread can't call is waited for for five seconds",
      end: 606_000,
      trace: """
        machine { platform: .iOS; costs: .zero }
        main {
            sleep(until: 4s)
            app.beginBackgroundTask { mark("expired") }
            sleep(20min)
        }
        at(1s) { app.enterBackground() }
        expect { timeline == []; outcome == .killed }
        """),
    RuleRow(
      rule: "who ends the tasks in the expiration handlers is not killed",
      trace: """
        machine { platform: .iOS; costs: .zero }
        main {
            app.beginBackgroundTask { mark("first"); app.endBackgroundTask() }
            app.beginBackgroundTask { mark("second"); app.endBackgroundTask() }
        }
        at(1s) { app.enterBackground() }
        at(700s) { mark("still there") }
        expect {
            timeline == [601s: "first", 601s: "second", 700s: "still there"]
            outcome == .finished
        }
        """),
  ]
}
