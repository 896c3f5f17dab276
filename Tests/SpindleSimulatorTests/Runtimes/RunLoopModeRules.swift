/// Rules of the common modes, and of the turns that ports take.
extension RunLoopRuleTests {
  static let commonModes = [
    Rule(
      "an invalid timer among the common items does not come back with a mode that joins them",
      """
      let loop = RunLoop.current
      let timer = Timer(timeInterval: 10ms, repeats: false) { mark("never") }
      loop.add(timer, forMode: .common)
      loop.remove(timer, forMode: .default)
      timer.invalidate()
      CFRunLoopAddCommonMode(loop, "x")
      loop.add(Port { }, forMode: "x")
      record("run", CFRunLoopRunInMode("x", 50ms, false))
      """, "timeline == []\n    values == [\"run\": .timedOut]\n    outcome == .finished"),
    Rule(
      "nor does one that fired by hand come back with the mode of tracking",
      top: """
        let timer = Timer(timeInterval: 10ms, repeats: false) { mark("once") }
        at(50ms) { RunLoop.main.track(for: 10ms) }
        """,
      """
      RunLoop.main.add(timer, forMode: .common)
      RunLoop.main.remove(timer, forMode: .default)
      timer.fire()
      """, "timeline == [0s: \"once\"]\n    outcome == .finished"),
    Rule(
      "nor does a source: the mode is empty",
      """
      let loop = RunLoop.current
      let source = Source { mark("never") }
      loop.add(source, forMode: .common)
      loop.remove(source, forMode: .default)
      source.invalidate()
      CFRunLoopAddCommonMode(loop, "x")
      record("run", CFRunLoopRunInMode("x", 50ms, false))
      """, "values == [\"run\": .finished]"),
    Rule(
      "a timer that went to another loop stays there",
      top: """
        let timer = Timer(timeInterval: 20ms, repeats: true) { mark("t") }
        let other = Thread(name: "other") {
            sleep(5ms)
            RunLoop.current.add(timer, forMode: .default)
            _ = CFRunLoopRunInMode(.default, 50ms, false)
            timer.invalidate()
        }
        """,
      """
      other.start()
      let loop = RunLoop.current
      loop.add(timer, forMode: .common)
      loop.remove(timer, forMode: .default)
      sleep(10ms)
      CFRunLoopAddCommonMode(loop, "x")
      loop.add(Port { }, forMode: "x")
      _ = CFRunLoopRunInMode("x", 90ms, false)
      """, "timeline(of: other) == [20ms: \"t\", 40ms: \"t\"]\n    timeline(of: worker) == []"),
    Rule(
      "a loop that sleeps in a mode sees what the mode gets when it joins the common ones",
      top: """
        let port = Port { message in mark("message") }
        at(10ms) { port.send("waits") }
        at(20ms) { CFRunLoopAddCommonMode(worker.runLoop, "x") }
        """,
      """
      let loop = RunLoop.current
      loop.add(Port { }, forMode: "x")
      loop.add(Timer(timeInterval: 30ms, repeats: false) { mark("timer") }, forMode: .common)
      loop.add(port, forMode: .common)
      _ = CFRunLoopRunInMode("x", 90ms, false)
      """, "timeline == [20ms: \"message\", 30ms: \"timer\"]"),
    Rule(
      "added to the common modes again a timer is back in the one that it was taken out of",
      """
      let loop = RunLoop.current
      let timer = Timer(timeInterval: 10ms, repeats: false) { mark("t") }
      loop.add(timer, forMode: .common)
      loop.remove(timer, forMode: .default)
      loop.add(timer, forMode: .common)
      record("run", CFRunLoopRunInMode(.default, 50ms, false))
      """, "timeline == [10ms: \"t\"]\n    values == [\"run\": .finished]"),
    Rule(
      "on Darwin the main loop has its mode of tracking from the start",
      top: "let log = Timer(timeInterval: 5ms, repeats: false) { ask() }\nfunc ask() "
        + "{ record(\"run\", CFRunLoopRunInMode(.tracking, 10ms, false)) }",
      "RunLoop.main.add(log, forMode: .default)", "values == [\"run\": .timedOut]"),
    Rule(
      "no other thread has one, on macOS by its name there", on: "macOS",
      """
      record("run", CFRunLoopRunInMode(.eventTracking, 10ms, false))
      """, "values == [\"run\": .finished]"),
    Rule(
      "on Linux a tolerance reads as none", on: "linux",
      """
      let timer = Timer.scheduledTimer(withTimeInterval: 10ms, repeats: true, tolerance: 5ms) { }
      timer.tolerance = 3ms
      record("tolerance", timer.tolerance)
      timer.invalidate()
      """, "values == [\"tolerance\": 0s]"),
  ]

  // A port that is always ready is served in turn with the others: who waits comes after one pass of
  // each other kind at most.
  static let turns = [
    Rule(
      "timers that are always due do not keep a message waiting",
      top: "let port = Port { message in mark(\"message\") }",
      """
      RunLoop.current.add(port, forMode: .default)
      for i in 0 ..< 3 {
          Timer.scheduledTimer(withTimeInterval: 10ms, repeats: true) { work(10ms) }
      }
      port.send("x")
      sleep(10ms)
      _ = CFRunLoopRunInMode(.default, 200ms, false)
      """, "timeline == [40ms: \"message\"]"),
    Rule(
      "a source that wakes its own loop does not keep a timer waiting",
      top: """
        let source = Source { again() }
        func again() { work(1ms); source.signal(); CFRunLoopWakeUp(RunLoop.current) }
        """,
      """
      RunLoop.current.add(source, forMode: .default)
      Timer.scheduledTimer(withTimeInterval: 10ms, repeats: false) { mark("timer") }
      again()
      _ = CFRunLoopRunInMode(.default, 50ms, false)
      """, "timeline == [10ms: \"timer\"]"),
  ]
}
