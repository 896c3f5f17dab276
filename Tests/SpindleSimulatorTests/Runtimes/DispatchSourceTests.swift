import SpindleModel
import TestSupport
import Testing

/// The rules of dispatch sources, one trace each; the values are worked out by hand.
@Suite struct DispatchSourceTests {
  @Test(arguments: timers + merging + holding + ending + feeding)
  func sourcesFollow(_ row: RuleRow) {
    #expect(row.failures() == [])
  }

  static let timers = [
    RuleRow(
      rule: "a timer without an interval, or with the distant future, fires once",
      trace: """
        machine { platform: .linux; costs: .zero }
        let once = DispatchSource.makeTimerSource(queue: .main)
        let never = DispatchSource.makeTimerSource(queue: .main)
        main {
            once.setEventHandler { mark("once \\(once.data)") }
            never.setEventHandler { mark("never") }
            once.schedule(deadline: .now() + 10ms)
            never.schedule(deadline: .distantFuture, repeating: 10ms)
            once.resume()
            never.resume()
        }
        expect { timeline == [10ms: "once 1"]; outcome == .finished }
        """),
    RuleRow(
      rule: "an interval of 0 is 1 ns: of 1001 to 1010 ns ten firings are missed",
      trace: """
        machine { platform: .linux; costs: .zero }
        let timer = DispatchSource.makeTimerSource(queue: .main)
        var count = 0
        main {
            timer.schedule(deadline: .now() + 1us, repeating: 0s)
            timer.setEventHandler {
                mark("\\(timer.data)")
                count += 1
                if count == 2 { timer.cancel() }
                io(10ns)
            }
            timer.resume()
        }
        expect { timeline == [1us: "1", 1010ns: "10"] }
        """),
    RuleRow(
      rule: "a start that has passed counts what was missed: 50, 150, 250, and the grid goes on",
      trace: """
        machine { platform: .linux; costs: .zero }
        let timer = DispatchSource.makeTimerSource(queue: .main)
        main {
            let start = now + 50ms
            sleep(until: 300ms)
            timer.schedule(deadline: start, repeating: 100ms)
            timer.setEventHandler { mark("\\(timer.data)"); if now > 300ms { timer.cancel() } }
            timer.resume()
        }
        expect { timeline == [300ms: "3", 350ms: "1"] }
        """),
    RuleRow(
      rule: "a timer that is suspended keeps no run going", end: 55,
      trace: """
        machine { platform: .linux; costs: .zero }
        let timer = DispatchSource.makeTimerSource(queue: .main)
        main {
            timer.schedule(deadline: .now() + 10ms, repeating: 10ms)
            timer.setEventHandler { mark("\\(timer.data)"); timer.suspend() }
            timer.resume()
        }
        at(55ms) { timer.resume() }
        expect { timeline == [10ms: "1", 55ms: "4"]; outcome == .finished }
        """),
    RuleRow(
      rule: "a repeating timer that may fire keeps the run going until its limit", end: 35,
      trace: """
        trace "on" { until: 35ms }
        machine { platform: .linux; costs: .zero }
        let timer = DispatchSource.makeTimerSource(queue: .main)
        main {
            timer.schedule(deadline: .now() + 10ms, repeating: 10ms)
            timer.setEventHandler { mark("\\(timer.data)") }
            timer.resume()
        }
        expect { timeline == [10ms: "1", 20ms: "1", 30ms: "1"] }
        """),
    RuleRow(
      rule: "a timer is scheduled anew in its own handler",
      trace: """
        machine { platform: .linux; costs: .zero }
        let timer = DispatchSource.makeTimerSource(queue: .main)
        main {
            timer.schedule(deadline: .now() + 10ms, repeating: 10ms)
            timer.setEventHandler {
                mark("\\(timer.data)")
                if now == 20ms { timer.schedule(deadline: .now() + 25ms) }
            }
            timer.resume()
        }
        expect { timeline == [10ms: "1", 20ms: "1", 45ms: "1"]; outcome == .finished }
        """),
  ]

  static let merging = [
    RuleRow(
      rule: "a handler is not entered again while it runs, on a concurrent queue neither",
      trace: """
        machine { platform: .linux; cores: 4; costs: .zero }
        let queue = DispatchQueue(label: "queue", attributes: .concurrent)
        let source = DispatchSource.makeUserDataAddSource(queue: queue)
        main {
            source.setEventHandler { mark("begins \\(source.data)"); io(10ms); mark("ends") }
            source.resume()
            for i in 1 ... 3 { source.add(data: i); sleep(1ms) }
        }
        expect { timeline == [0s: "begins 1", 10ms: "ends", 10ms: "begins 5", 20ms: "ends"] }
        """),
    RuleRow(
      rule: "without a queue the handler runs on a global one; its data stays until the next event",
      trace: """
        machine { platform: .linux; costs: .zero }
        let source = DispatchSource.makeUserDataOrSource()
        main {
            record("before", source.data)
            source.setEventHandler { record("on the main thread", Thread.isMainThread) }
            source.resume()
            source.or(data: 6)
            sleep(1ms)
            record("after", source.data)
        }
        expect { values == ["before": 0, "on the main thread": false, "after": 6] }
        """),
    RuleRow(
      rule: "what is added up to 0 is not delivered",
      trace: """
        machine { platform: .linux; costs: .zero }
        let source = DispatchSource.makeUserDataAddSource(queue: .main)
        main {
            source.setEventHandler { mark("never") }
            source.resume()
            source.add(data: 0)
        }
        expect { timeline == [] }
        """),
    RuleRow(
      rule: "each message at a port is an event of its own, in the order of sending",
      trace: """
        machine { platform: .macOS; costs: .zero }
        let source = DispatchSource.makeMachReceiveSource(queue: .main)
        main {
            source.setEventHandler { mark("\\(source.data)") }
            for i in [3, 0, 4] { source.send(i) }
            sleep(5ms)
            source.resume()
        }
        expect { timeline == [5ms: "3", 5ms: "0", 5ms: "4"] }
        """),
  ]

  static let holding = [
    RuleRow(
      rule: "a suspension before the first resume wants a resume of its own",
      trace: """
        machine { platform: .linux; costs: .zero }
        let source = DispatchSource.makeUserDataAddSource(queue: .main)
        main {
            source.setEventHandler { mark("\\(source.data)") }
            source.suspend()
            source.add(data: 1)
        }
        at(1ms) { source.resume() }
        at(2ms) { source.suspend() }
        at(3ms) { source.resume() }
        at(4ms) { source.resume() }
        at(5ms) { source.resume() }
        expect { timeline == [4ms: "1"]; outcome == .crashed; findings == [.overResume] }
        """),
    RuleRow(
      rule: "a source that is suspended while it waits in its queue keeps what it has",
      trace: """
        machine { platform: .linux; costs: .zero }
        let queue = DispatchQueue(label: "queue")
        let source = DispatchSource.makeUserDataAddSource(queue: queue)
        main {
            source.setEventHandler { mark("\\(source.data)") }
            source.resume()
            queue.async { io(10ms) }
            source.add(data: 1)
            sleep(until: 5ms)
            source.suspend()
            sleep(until: 15ms)
            source.add(data: 2)
            source.resume()
        }
        expect { timeline == [15ms: "3"] }
        """),
    RuleRow(
      rule: "activate() does nothing to a source that is active or suspended",
      trace: """
        machine { platform: .linux; costs: .zero }
        let source = DispatchSource.makeUserDataAddSource(queue: .main)
        main {
            source.setEventHandler { mark("\\(source.data)") }
            source.activate()
            source.activate()
            source.suspend()
            source.activate()
            source.add(data: 1)
        }
        expect { timeline == []; outcome == .finished; findings == [] }
        """),
    RuleRow(
      rule: "an inactive queue with items is reported as never resumed, with the count",
      trace: """
        machine { platform: .linux; costs: .zero }
        let queue = DispatchQueue(label: "queue", attributes: .initiallyInactive)
        let idle = DispatchQueue(label: "idle", attributes: .initiallyInactive)
        main {
            queue.async { mark("never") }
            queue.async { mark("never") }
        }
        expect { findings == [.neverResumed] }
        """),
  ]

  static let ending = [
    RuleRow(
      rule: "cancelled before its first resume, a source calls its cancel handler after it",
      trace: """
        machine { platform: .linux; costs: .zero }
        let source = DispatchSource.makeUserDataAddSource(queue: .main)
        main {
            source.setEventHandler { mark("never") }
            source.setCancelHandler { mark("cancelled \\(Thread.isMainThread)") }
            source.add(data: 1)
            source.cancel()
            sleep(5ms)
            source.resume()
            source.cancel()
        }
        expect { timeline == [5ms: "cancelled true"]; findings == [] }
        """),
    RuleRow(
      rule: "a cancelled source ignores what is merged, and its data is 0",
      trace: """
        machine { platform: .linux; costs: .zero }
        let source = DispatchSource.makeUserDataAddSource(queue: .main)
        main {
            source.setEventHandler { mark("\\(source.data)") }
            source.resume()
            source.add(data: 2)
        }
        at(1ms) { source.cancel(); source.add(data: 3) }
        at(2ms) { mark("then \\(source.data)"); source.resume() }
        expect { timeline == [0s: "2", 2ms: "then 0"]; outcome == .crashed }
        """),
    RuleRow(
      rule:
        "a source that is let go of falls silent without its cancel handler, then its queue goes",
      trace: """
        machine { platform: .linux; costs: .zero }
        let queue = DispatchQueue(label: "queue")
        let source = DispatchSource.makeUserDataAddSource(queue: queue)
        main {
            queue.finalizer { mark("the queue goes") }
            source.setEventHandler { mark("\\(source.data)"); io(10ms); mark("ends") }
            source.setCancelHandler { mark("never") }
            source.resume()
            source.add(data: 1)
            sleep(1ms)
            queue.release()
            sleep(1ms)
            source.add(data: 1)
            source.release()
        }
        expect { timeline == [0s: "1", 10ms: "ends", 10ms: "the queue goes"] }
        """),
  ]

  static let feeding = [
    RuleRow(
      rule: "a pipe holds 64 KB on Linux, and what finds no room follows",
      trace: """
        machine { platform: .linux; costs: .zero }
        let pipe = Pipe()
        let readable = DispatchSource.makeReadSource(fileDescriptor: pipe, queue: .main)
        let writable = DispatchSource.makeWriteSource(fileDescriptor: pipe, queue: .main)
        main {
            readable.setEventHandler { mark("read \\(readable.data)"); pipe.read(60KB) }
            writable.setEventHandler { mark("write \\(writable.data)"); pipe.write(70KB); writable.cancel() }
            writable.resume()
        }
        at(1ms) { readable.resume() }
        expect { timeline == [0s: "write 65536", 1ms: "read 65536", 1ms: "read 10240"] }
        """),
    RuleRow(
      rule: "a pipe holds 16 KB on Apple's platforms",
      trace: """
        machine { platform: .iOS; costs: .zero }
        let pipe = Pipe()
        let writable = DispatchSource.makeWriteSource(fileDescriptor: pipe, queue: .main)
        main {
            pipe.write(384B)
            writable.setEventHandler { mark("\\(writable.data)"); writable.cancel() }
            writable.resume()
        }
        expect { timeline == [0s: "16000"] }
        """),
    RuleRow(
      rule: "a process that has ended is seen by a source that is resumed later, once",
      trace: """
        machine { platform: .macOS; costs: .zero }
        let child = Process(10ms)
        let source = DispatchSource.makeProcessSource(identifier: child, eventMask: .exit, queue: .main)
        main { source.setEventHandler { mark("\\(source.data)") } }
        at(20ms) { source.resume() }
        expect { timeline == [20ms: "1"] }
        """),
    RuleRow(
      rule: "a process that nobody watches keeps no run going", end: 1,
      trace: """
        machine { platform: .macOS; costs: .zero }
        let child = Process(10s)
        main { work(1ms) }
        expect { outcome == .finished }
        """),
    RuleRow(
      rule: "a signal that no source watches ends the process; SIGCHLD does not",
      trace: """
        machine { platform: .linux; costs: .zero }
        main {
            raise(.SIGCHLD)
            mark("goes on")
            raise(.SIGTERM)
            mark("never")
        }
        expect { outcome == .killed; timeline == [0s: "goes on"] }
        """),
    RuleRow(
      rule: "a source that is not resumed yet protects from a signal and does not get it",
      trace: """
        machine { platform: .linux; costs: .zero }
        let source = DispatchSource.makeSignalSource(signal: .SIGTERM, queue: .main)
        main {
            source.setEventHandler { mark("\\(source.data)") }
            raise(.SIGTERM)
            source.resume()
            raise(.SIGTERM)
            raise(.SIGTERM)
            sleep(1ms)
        }
        at(5ms) { source.cancel() }
        at(6ms) { raise(.SIGTERM) }
        expect { timeline == [1ms: "2"]; outcome == .killed }
        """),
  ]

  @Test func anEventThatNobodyHandlesStillHasAnEnd() {
    var limits = RunLimits()
    limits.steps = 1_000
    let run = TestRun(
      """
      machine { platform: .linux; costs: .zero }
      let pipe = Pipe()
      let source = DispatchSource.makeWriteSource(fileDescriptor: pipe, queue: .main)
      main { source.resume() }
      """, limits: limits)
    #expect(run.record?.outcome.kind == .stepLimit)
  }

  @Test func whatIsLostByNeverResumingIsSaid() {
    let run = TestRun(
      """
      machine { platform: .linux; costs: .zero }
      let pipe = Pipe()
      let adds = DispatchSource.makeUserDataAddSource(queue: .main)
      let bytes = DispatchSource.makeReadSource(fileDescriptor: pipe, queue: .main)
      let timer = DispatchSource.makeTimerSource(queue: .main)
      let signals = DispatchSource.makeSignalSource(signal: .SIGHUP, queue: .main)
      let unused = DispatchSource.makeUserDataOrSource(queue: .main)
      main {
          adds.add(data: 5)
          pipe.write(1B)
          timer.schedule(deadline: .now() + 1ms)
          raise(.SIGHUP)
      }
      """)
    let texts = (run.record?.findings ?? []).map {
      $0.explanation.split(separator: ":").last.map(String.init) ?? ""
    }
    #expect(run.record?.findings.allSatisfy { $0.kind == .neverResumed } == true)
    #expect(
      texts == [
        " 5 was merged into it and is not handled", " its event has occurred",
        " its timer is scheduled and does not fire", " 1 signals came that it did not see",
      ])
  }
}
