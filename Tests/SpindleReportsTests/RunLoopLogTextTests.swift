import SpindleModel
import SpindleReports
import Testing

/// How what happens in run loops is told.
@Suite struct RunLoopLogTextTests {
  static let rows: [LogTextTests.Row] = [
    .init("1ms      worker          waits for a perform of \"main\"") {
      $0.add(1, .threadBlocked, thread: 1, other: 0, detail: WaitReason.perform.rawValue)
    },
    .init("1ms      worker          runs its loop, mode \"default\"") {
      $0.add(1, .runLoopEntered, thread: 1, object: "default")
    },
    .init("1ms      worker          does not run its loop, mode \"default\", nothing is in it") {
      $0.add(1, .runLoopLeft, thread: 1, object: "default")
    },
    .init("1ms      worker          leaves its loop, mode \"own\", nothing is left in it") {
      $0.add(
        1, .runLoopLeft, thread: 1, object: "own", detail: RunLoopEnding.finished.rawValue)
    },
    .init("1ms      worker          leaves its loop, mode \"own\", stopped") {
      $0.add(
        1, .runLoopLeft, thread: 1, object: "own", detail: RunLoopEnding.stopped.rawValue)
    },
    .init("1ms      worker          leaves its loop, mode \"own\", timed out") {
      $0.add(
        1, .runLoopLeft, thread: 1, object: "own", detail: RunLoopEnding.timedOut.rawValue)
    },
    .init("1ms      worker          leaves its loop, mode \"own\", handled a source") {
      $0.add(
        1, .runLoopLeft, thread: 1, object: "own", detail: RunLoopEnding.handledSource.rawValue)
    },
    .init("1ms      main            stops the loop of \"worker\"") {
      $0.add(1, .runLoopStopped, thread: 0, other: 1)
    },
    .init("1ms      world           wakes the loop of \"worker\"") {
      $0.add(1, .runLoopWoken, other: 1)
    },
    .init("1ms      main            wakes the loop of \"worker\", awake") {
      $0.add(1, .runLoopWoken, thread: 0, other: 1, detail: 1)
    },
    .init("1ms      world           wakes the loop of \"late\"") {
      let name = $0.name("late")
      $0.add(1, .runLoopWoken, other: 7, value: Int64(name), detail: 2)
    },
    .init("1ms      main            adds \"clock\" to the loop of \"worker\", mode \"own\"") {
      let mode = $0.name("own")
      $0.add(1, .runLoopItemAdded, thread: 0, object: "clock", other: 1, subject: mode)
    },
    .init("1ms      main            removes \"clock\" from the loop of \"late\", mode \"own\"") {
      let (mode, name) = ($0.name("own"), $0.name("late"))
      $0.add(
        1, .runLoopItemRemoved, thread: 0, object: "clock", other: 7, subject: mode,
        value: Int64(name), detail: 2)
    },
    .init("1ms      main            makes mode \"own\" a common one of the loop of \"worker\"") {
      $0.add(1, .commonModeAdded, thread: 0, object: "own", other: 1)
    },
    .init("1ms      worker          idles in its run loop, mode \"own\"") {
      $0.add(1, .threadBlocked, thread: 1, object: "own", detail: WaitReason.runLoop.rawValue)
    },
    .init("1ms      worker          goes on in its loop, mode \"own\", its time is up") {
      $0.add(1, .runLoopAwoke, thread: 1, object: "own")
    },
    .init("1ms      worker          goes on in its loop, mode \"own\", woken by hand") {
      $0.add(
        1, .runLoopAwoke, thread: 1, object: "own", detail: RunLoopAwakening.wakeUp.rawValue)
    },
    .init("1ms      worker          goes on in its loop, mode \"own\", a timer is due") {
      $0.add(
        1, .runLoopAwoke, thread: 1, object: "own", detail: RunLoopAwakening.timer.rawValue)
    },
    .init("1ms      worker          goes on in its loop, mode \"own\", the main queue has work") {
      $0.add(
        1, .runLoopAwoke, thread: 1, object: "own", detail: RunLoopAwakening.mainQueue.rawValue)
    },
    .init("1ms      worker          goes on in its loop, mode \"own\", a message has come") {
      $0.add(
        1, .runLoopAwoke, thread: 1, object: "own", detail: RunLoopAwakening.message.rawValue)
    },
    .init("1ms      main            observes \"beforeTimers\"") {
      $0.add(1, .observerCalled, thread: 0, object: "beforeTimers")
    },
    .init("1ms      main            fires \"clock\", late by 2us") {
      $0.add(1, .timerFired, thread: 0, object: "clock", value: 2_000)
    },
    .init("1ms      main            fires \"clock\", by hand") {
      $0.add(1, .timerFired, thread: 0, object: "clock", detail: 1)
    },
    .init("1ms      main            performs after its delay") {
      $0.add(1, .timerFired, thread: 0)
    },
    .init("1ms      world           signals source \"source\"") {
      $0.add(1, .sourceSignalled, object: "source")
    },
    .init("1ms      main            performs \"source\"") {
      $0.add(1, .sourcePerformed, thread: 0, object: "source")
    },
    .init("1ms      main            performs a block") { $0.add(1, .blockPerformed, thread: 0) },
    .init("1ms      main            asks \"worker\" to perform") {
      $0.add(1, .performAsked, thread: 0, other: 1)
    },
    .init("1ms      main            asks \"worker\" to perform, waits") {
      $0.add(1, .performAsked, thread: 0, other: 1, detail: 1)
    },
    .init("1ms      main            asks \"late\" to perform, waits") {
      let name = $0.name("late")
      $0.add(1, .performAsked, thread: 0, other: 7, value: Int64(name), detail: 3)
    },
    .init("1ms      worker          performs what it was asked to") {
      $0.add(1, .performBegun, thread: 1)
    },
    .init("1ms      main            sends to \"port\"") {
      $0.add(1, .messageSent, thread: 0, object: "port")
    },
    .init("1ms      worker          receives at \"port\"") {
      $0.add(1, .messageReceived, thread: 1, object: "port")
    },
    .init("1ms      world           an answer comes") { $0.add(1, .answerCame) },
    .init("1ms      worker          takes the answer") { $0.add(1, .answerReceived, thread: 1) },
    .init("1ms      world           a finger is down for 2ms") {
      $0.add(1, .trackingBegan, value: 2_000_000)
    },
    .init("1ms      world           the finger is lifted") { $0.add(1, .trackingEnded) },
  ]

  @Test(arguments: rows)
  func aStepIsALine(row: LogTextTests.Row) {
    var log = SmallLog()
    log.addMain()
    log.addThread(1, "worker")
    row.log(&log)
    let lines = log.text().split(separator: "\n").filter { !$0.hasPrefix("#") }
    let seen = lines[lines.count - 1].drop { $0 == " " }
    #expect(String(seen) == row.testDescription, sourceLocation: row.location)
  }
}
