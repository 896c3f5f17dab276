import SpindleModel
import Testing

/// What each member of dispatch finds in its registers, as `Primitive` says it.
@Suite struct DispatchRowTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let primitive: Primitive
    /// The registers, with `@` behind them for a call that makes an activity.
    let window: String
    let location: SourceLocation

    init(
      _ statement: String, _ primitive: Primitive, _ window: String,
      location: SourceLocation = #_sourceLocation
    ) {
      (testDescription, self.primitive, self.window) = (statement, primitive, window)
      self.location = location
    }
  }

  private static let prelude = """
    let q = DispatchQueue(label: "q")
    let w = DispatchWorkItem { }
    let g = DispatchGroup()
    let s = DispatchSource.makeUserDataAddSource(queue: q)
    let pipe = Pipe()
    let child = Process(5s)
    let token = DispatchOnce()
    func f() { }
    func each(_ i: Int) { }
    at(1s) {
        s.resume()
        q.async(execute: w)
    }

    """

  @Test(
    arguments: queues + submissions + synchronous + workItems + sources + makers + feeding + app)
  func fills(row: Row) throws {
    let program = try CompilerSupport.program(
      Self.prelude + "main { \(row.testDescription) }", location: row.location)
    let width = row.window.split(separator: " ").count { $0 != "@" }
    let windows = RowWindow.windows(of: row.primitive, width, in: program)
    #expect(windows == [row.window], sourceLocation: row.location)
  }

  private static func number(_ name: WellKnownName) -> Int64 { Int64(name.id.index) }

  static let queues = [
    Row("_ = DispatchQueue()", .queueMake, "- - 0 -"),
    Row("let own = DispatchQueue(); own.resume()", .queueMake, "'own' - 0 -"),
    Row(
      "_ = DispatchQueue(label: \"x\", qos: .utility, attributes: .concurrent, target: q)",
      .queueMake,
      "'x' \(number(.utility)) 1 q"),
    Row(
      "_ = DispatchQueue(label: \"x\", attributes: [.concurrent, .initiallyInactive], target: nil)",
      .queueMake, "'x' - 3 -"),
    Row(
      "_ = DispatchQueue(target: .global(qos: .background))", .queueGlobal, "\(number(.background))"
    ),
    Row("_ = DispatchQueue(target: .main)", .queueMake, "- - 0 queueMain"),
    Row("_ = DispatchQueue.global()", .queueGlobal, "-"),
    Row("_ = DispatchQueue.global(qos: .unspecified)", .queueGlobal, "\(number(.unspecified))"),
    Row("print(q.label)", .queueLabel, "q"),
    Row("record(\"quality\", q.qos)", .queueQuality, "q"),
    Row("q.suspend()", .queueSuspend, "q"),
    Row("q.resume()", .queueResume, "q"),
    Row("q.activate()", .queueActivate, "q"),
    Row("q.setTarget(queue: .main)", .queueSetTarget, "q queueMain"),
    Row("q.setSpecific(key: \"k\", value: 5)", .queueSetSpecific, "q 'k' 5"),
    Row("q.setSpecific(key: \"k\", value: nil)", .queueSetSpecific, "q 'k' -"),
    Row("_ = DispatchQueue.getSpecific(key: \"k\")", .queueGetSpecific, "'k'"),
    Row("q.finalizer { }", .queueSetFinalizer, "q {} @"),
    Row("dispatchPrecondition(condition: .onQueue(q))", .queuePrecondition, "q"),
    Row("dispatchPrecondition(condition: .notOnQueue(.main))", .queuePreconditionNot, "queueMain"),
  ]

  static let submissions = [
    Row("q.async { }", .queueAsync, "q - 1 - - 0 {} @"),
    Row(
      "q.async(name: \"n\", group: g, qos: .utility, flags: .barrier) { }", .queueAsync,
      "q 'n' 1 g \(number(.utility)) 1 {} @"),
    Row("q.async(execute: f)", .queueAsync, "q - 1 - - 0 {} @"),
    Row(
      "DispatchQueue.main.async(flags: [.barrier, .enforceQoS]) { }", .queueAsync,
      "queueMain - 1 - - 33 {} @"),
    Row("q.async(execute: w)", .queueAsyncItem, "q - w @"),
    Row("q.async(group: g, execute: w)", .queueAsyncItem, "q g w @"),
    Row(
      "q.asyncAfter(deadline: .now()) { }", .queueAsyncAfter, "q now - 1 - 0 {} @"),
    Row(
      "q.asyncAfter(deadline: .distantPast, name: \"n\", qos: .default, flags: .barrier) { }",
      .queueAsyncAfter,
      "q \(Instant.distantPast.nanoseconds) 'n' 1 \(number(.default)) 1 {} @"),
    Row("q.asyncAfter(deadline: .now(), execute: w)", .queueAsyncAfterItem, "q now w @"),
    Row("io(3s, queue: q) { }", .queueIO, "q 3000000000 - 1 {} @"),
    Row("io(3s, queue: .main, name: \"n\") { }", .queueIO, "queueMain 3000000000 'n' 1 {} @"),
  ]

  static let synchronous = [
    Row("q.sync { }", .queueSyncEnter, "q 0"),
    Row("q.sync { }", .queueSyncLeave, "q"),
    Row("record(\"n\", q.sync(flags: .barrier) { 3 })", .queueSyncEnter, "q 1"),
    Row("q.sync(execute: f)", .queueSyncEnter, "q 0"),
    Row("q.sync(execute: w)", .queueSyncItem, "q w @"),
    Row(
      "DispatchQueue.concurrentPerform(iterations: 4) { }", .concurrentPerform, "- 4 {} @"),
    Row(
      "q.concurrentPerform(iterations: 4) { i in mark(\"\\(i)\") }", .concurrentPerform,
      "q 4 {1} @"),
    Row("q.concurrentPerform(iterations: 4, execute: each)", .concurrentPerform, "q 4 {1} @"),
    Row("dispatchMain()", .dispatchMain, ""),
    Row("let first = DispatchOnce(); once(first) { }", .onceMake, "'first'"),
    Row("once(token) { }", .onceEnter, "token"),
    Row("once(token) { }", .onceLeave, "token"),
  ]

  static let workItems = [
    Row("_ = DispatchWorkItem { }", .workItemMake, "- 1 - 0 {} @"),
    Row(
      "_ = DispatchWorkItem(name: \"n\", qos: .utility, flags: .enforceQoS, block: f)",
      .workItemMake,
      "'n' 1 \(number(.utility)) 32 {} @"),
    Row("w.perform()", .workItemPerform, "w @"),
    Row("w.cancel()", .workItemCancel, "w"),
    Row("_ = w.isCancelled", .workItemIsCancelled, "w"),
    Row("w.wait()", .workItemWait, "w -"),
    Row("_ = w.wait(timeout: .now())", .workItemWait, "w now"),
    Row("w.notify(queue: q) { }", .workItemNotify, "w q - 1 - 0 {} @"),
    Row("w.notify(queue: .main, execute: w)", .workItemNotifyItem, "w queueMain w @"),
    Row(
      "g.notify(name: \"n\", qos: .utility, flags: .barrier, queue: .main) { }", .groupNotify,
      "g queueMain 'n' 1 \(number(.utility)) 1 {} @"),
    Row("g.notify(queue: q, work: w)", .groupNotifyItem, "g q w @"),
  ]

  static let sources = [
    Row("s.setEventHandler { }", .sourceSetEventHandler, "s {} @"),
    Row("s.setCancelHandler(handler: f)", .sourceSetCancelHandler, "s {} @"),
    Row("record(\"d\", s.data)", .sourceData, "s"),
    Row("s.add(data: 1)", .sourceMerge, "s 1"),
    Row("s.or(data: 2)", .sourceMerge, "s 2"),
    Row("s.replace(data: 3)", .sourceMerge, "s 3"),
    Row("s.schedule(deadline: .now())", .sourceSchedule, "s now - -"),
    Row(
      "s.schedule(deadline: .now(), repeating: 1s, leeway: 2s)", .sourceSchedule,
      "s now 1000000000 2000000000"),
    Row("s.schedule(deadline: .now(), repeating: .never)", .sourceSchedule, "s now - -"),
    Row("s.resume()", .sourceResume, "s"),
    Row("s.activate()", .sourceActivate, "s"),
    Row("s.suspend()", .sourceSuspend, "s"),
    Row("s.cancel()", .sourceCancel, "s"),
    Row("_ = s.isCancelled", .sourceIsCancelled, "s"),
    Row("s.send(7)", .sourceSend, "s 7"),
  ]

  /// The first register has the number of the class in the list of `DispatchSourceClass`.
  static let makers = [
    Row(
      "let timer = DispatchSource.makeTimerSource(); timer.resume()", .sourceMake, "0 'timer' - -"),
    Row(
      "_ = DispatchSource.makeTimerSource(name: \"n\", queue: .main)", .sourceMake,
      "0 'n' - queueMain"),
    Row(
      "_ = DispatchSource.makeSignalSource(signal: .SIGUSR1, queue: q)", .sourceMake,
      "1 - 'SIGUSR1' q"),
    Row(
      "_ = DispatchSource.makeReadSource(fileDescriptor: pipe, queue: q)", .sourceMake, "2 - pipe q"
    ),
    Row("_ = DispatchSource.makeWriteSource(fileDescriptor: pipe)", .sourceMake, "3 - pipe -"),
    Row(
      "_ = DispatchSource.makeProcessSource(identifier: child, queue: q)", .sourceMake,
      "4 - child q 1"),
    Row(
      "_ = DispatchSource.makeProcessSource(identifier: child, eventMask: .exit, queue: q)",
      .sourceMake, "4 - child q 1"),
    Row("_ = DispatchSource.makeMachReceiveSource(queue: q)", .sourceMake, "5 - - q"),
    Row("_ = DispatchSource.makeUserDataAddSource(queue: nil)", .sourceMake, "6 - - -"),
    Row("_ = DispatchSource.makeUserDataOrSource(queue: q)", .sourceMake, "7 - - q"),
    Row("_ = DispatchSource.makeUserDataReplaceSource(queue: q)", .sourceMake, "8 - - q"),
  ]

  static let feeding = [
    Row("let p = Pipe(); p.write(6B)", .pipeMake, "'p'"),
    Row("pipe.write(6B)", .pipeWrite, "pipe 6"),
    Row("pipe.read(4B)", .pipeRead, "pipe 4"),
    Row("raise(.SIGTERM)", .raiseSignal, "'SIGTERM'"),
    Row("_ = Process(5s)", .processMake, "- 5000000000"),
    Row("_ = Process(5s, name: \"n\")", .processMake, "'n' 5000000000"),
  ]

  static let app = [
    Row("app.enterBackground()", .appEnterBackground, ""),
    Row("app.enterForeground()", .appEnterForeground, ""),
    Row("app.beginBackgroundTask { }", .appBeginBackgroundTask, "{} @"),
    Row("app.beginBackgroundTask()", .appBeginBackgroundTask, "- @"),
    Row(
      "let t = app.beginBackgroundTask { }; app.endBackgroundTask(t)", .appEndBackgroundTask,
      "appBeginBackgroundTask"),
    Row("app.endBackgroundTask()", .appEndBackgroundTask, "-"),
    Row("machine.sleep(for: 5s)", .machineSleep, "5000000000"),
  ]
}
