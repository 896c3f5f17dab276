import SpindleLanguage
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
        _ = g
        f()
        each(0)
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
    Row("_ = DispatchQueue()", .queue(.make), "- - 0 0 -"),
    Row("let own = DispatchQueue(); own.resume()", .queue(.make), "'own' - 0 0 -"),
    Row(
      "_ = DispatchQueue(label: \"x\", qos: .utility, attributes: .concurrent, target: q)",
      .queue(.make),
      "'x' \(number(.utility)) 1 0 q"),
    Row(
      "_ = DispatchQueue(label: \"x\", attributes: [.concurrent, .initiallyInactive], target: nil)",
      .queue(.make), "'x' - 3 0 -"),
    Row(
      "_ = DispatchQueue(target: .global(qos: .background))", .queue(.global),
      "\(number(.background))"
    ),
    Row(
      "_ = DispatchQueue(label: \"x\", autoreleaseFrequency: .workItem)", .queue(.make),
      "'x' - 0 1 -"),
    Row("_ = DispatchQueue(target: .main)", .queue(.make), "- - 0 0 queue.main"),
    Row("_ = DispatchQueue.global()", .queue(.global), "-"),
    Row("_ = DispatchQueue.global(qos: .unspecified)", .queue(.global), "\(number(.unspecified))"),
    Row("print(q.label)", .queue(.label), "q"),
    Row("record(\"quality\", q.qos)", .queue(.quality), "q"),
    Row("q.suspend()", .queue(.suspend), "q"),
    Row("q.resume()", .queue(.resume), "q"),
    Row("q.activate()", .queue(.activate), "q"),
    Row("q.setTarget(queue: .main)", .queue(.setTarget), "q queue.main"),
    Row("q.setSpecific(key: \"k\", value: 5)", .queue(.setSpecific), "q 'k' 5"),
    Row("q.setSpecific(key: \"k\", value: nil)", .queue(.setSpecific), "q 'k' -"),
    Row("_ = DispatchQueue.getSpecific(key: \"k\")", .queue(.getSpecific), "'k'"),
    Row("_ = q.getSpecific(key: \"k\")", .queue(.getOwnSpecific), "q 'k'"),
    Row("q.finalizer { }", .queue(.setFinalizer), "q {} @"),
  ]

  static let submissions = [
    Row("q.async { }", .queue(.async), "q - 1 - - 0 {} @"),
    Row(
      "q.async(name: \"n\", group: g, qos: .utility, flags: .barrier) { }", .queue(.async),
      "q 'n' 1 g \(number(.utility)) 1 {} @"),
    Row("q.async(execute: f)", .queue(.async), "q - 1 - - 0 {} @"),
    Row(
      "DispatchQueue.main.async(flags: [.barrier, .enforceQoS]) { }", .queue(.async),
      "queue.main - 1 - - 33 {} @"),
    Row("q.async(execute: w)", .queue(.asyncItem), "q - w @"),
    Row("q.async(group: g, execute: w)", .queue(.asyncItem), "q g w @"),
    Row(
      "q.asyncAfter(deadline: .now()) { }", .queue(.asyncAfter), "q now - 1 - 0 {} @"),
    Row(
      "q.asyncAfter(deadline: .distantPast, name: \"n\", qos: .default, flags: .barrier) { }",
      .queue(.asyncAfter),
      "q \(Instant.distantPast.nanoseconds) 'n' 1 \(number(.default)) 1 {} @"),
    Row("q.asyncAfter(deadline: .now(), execute: w)", .queue(.asyncAfterItem), "q now w @"),
    Row("io(3s, queue: q) { }", .queue(.io), "q 3000000000 - 1 {} @"),
    Row("io(3s, queue: .main, name: \"n\") { }", .queue(.io), "queue.main 3000000000 'n' 1 {} @"),
  ]

  static let synchronous = [
    Row("q.sync { }", .queue(.syncEnter), "q 0"),
    Row("q.sync { }", .queue(.syncLeave), "q"),
    Row("record(\"n\", q.sync(flags: .barrier) { 3 })", .queue(.syncEnter), "q 1"),
    Row("q.sync(execute: f)", .queue(.syncEnter), "q 0"),
    Row("q.sync(execute: w)", .queue(.syncItem), "q w @"),
    Row(
      "DispatchQueue.concurrentPerform(iterations: 4) { }", .queue(.concurrentPerform), "- 4 {1} @"),
    Row(
      "q.concurrentPerform(iterations: 4) { i in mark(\"\\(i)\") }", .queue(.concurrentPerform),
      "q 4 {1} @"),
    Row(
      "q.concurrentPerform(iterations: 4, execute: each)", .queue(.concurrentPerform), "q 4 {1} @"),
    Row("dispatchMain()", .queue(.dispatchMain), ""),
    Row("let first = DispatchOnce(); once(first) { }", .once(.make), "'first'"),
    Row("once(token) { }", .once(.enter), "token"),
    Row("once(token) { }", .once(.leave), "token"),
  ]

  static let workItems = [
    Row("_ = DispatchWorkItem { }", .workItem(.make), "- 1 - 0 {} @"),
    Row(
      "_ = DispatchWorkItem(name: \"n\", qos: .utility, flags: .enforceQoS, block: f)",
      .workItem(.make),
      "'n' 1 \(number(.utility)) 32 {} @"),
    Row("w.perform()", .workItem(.perform), "w @"),
    Row("w.cancel()", .workItem(.cancel), "w"),
    Row("_ = w.isCancelled", .workItem(.isCancelled), "w"),
    Row("w.wait()", .workItem(.wait), "w -"),
    Row("_ = w.wait(timeout: .now())", .workItem(.wait), "w now"),
    Row("w.notify(queue: q) { }", .workItem(.notify), "w q - 1 - 0 {} @"),
    Row("w.notify(queue: .main, execute: w)", .workItem(.notifyItem), "w queue.main w @"),
    Row(
      "g.notify(name: \"n\", qos: .utility, flags: .barrier, queue: .main) { }", .group(.notify),
      "g queue.main 'n' 1 \(number(.utility)) 1 {} @"),
    Row("g.notify(queue: q, work: w)", .group(.notifyItem), "g q w @"),
  ]

  static let sources = [
    Row("s.setEventHandler { }", .dispatchSource(.setEventHandler), "s {} @"),
    Row("s.setCancelHandler(handler: f)", .dispatchSource(.setCancelHandler), "s {} @"),
    Row("record(\"d\", s.data)", .dispatchSource(.data), "s"),
    Row("s.add(data: 1)", .dispatchSource(.merge), "s 1"),
    Row("s.or(data: 2)", .dispatchSource(.merge), "s 2"),
    Row("s.replace(data: 3)", .dispatchSource(.merge), "s 3"),
    Row("s.schedule(deadline: .now())", .dispatchSource(.schedule), "s now - -"),
    Row(
      "s.schedule(deadline: .now(), repeating: 1s, leeway: 2s)", .dispatchSource(.schedule),
      "s now 1000000000 2000000000"),
    Row("s.schedule(deadline: .now(), repeating: .never)", .dispatchSource(.schedule), "s now - -"),
    Row("s.resume()", .dispatchSource(.resume), "s"),
    Row("s.activate()", .dispatchSource(.activate), "s"),
    Row("s.suspend()", .dispatchSource(.suspend), "s"),
    Row("s.cancel()", .dispatchSource(.cancel), "s"),
    Row("_ = s.isCancelled", .dispatchSource(.isCancelled), "s"),
    Row("s.send(7)", .dispatchSource(.send), "s 7"),
  ]

  /// The first register has the number of the class in the list of `DispatchSourceClass`.
  static let makers = [
    Row(
      "let timer = DispatchSource.makeTimerSource(); timer.resume()", .dispatchSource(.make),
      "0 'timer' - -"),
    Row(
      "_ = DispatchSource.makeTimerSource(name: \"n\", queue: .main)", .dispatchSource(.make),
      "0 'n' - queue.main"),
    Row(
      "_ = DispatchSource.makeSignalSource(signal: .SIGUSR1, queue: q)", .dispatchSource(.make),
      "1 - 'SIGUSR1' q"),
    Row(
      "_ = DispatchSource.makeReadSource(fileDescriptor: pipe, queue: q)", .dispatchSource(.make),
      "2 - pipe q"
    ),
    Row(
      "_ = DispatchSource.makeWriteSource(fileDescriptor: pipe)", .dispatchSource(.make),
      "3 - pipe -"),
    Row(
      "_ = DispatchSource.makeProcessSource(identifier: child, queue: q)", .dispatchSource(.make),
      "4 - child q 1"),
    Row(
      "_ = DispatchSource.makeProcessSource(identifier: child, eventMask: .exit, queue: q)",
      .dispatchSource(.make), "4 - child q 1"),
    Row("_ = DispatchSource.makeMachReceiveSource(queue: q)", .dispatchSource(.make), "5 - - q"),
    Row("_ = DispatchSource.makeUserDataAddSource(queue: nil)", .dispatchSource(.make), "6 - - -"),
    Row("_ = DispatchSource.makeUserDataOrSource(queue: q)", .dispatchSource(.make), "7 - - q"),
    Row(
      "_ = DispatchSource.makeUserDataReplaceSource(queue: q)", .dispatchSource(.make), "8 - - q"),
  ]

  static let feeding = [
    Row("let p = Pipe(); p.write(6B)", .dispatchSource(.pipeMake), "'p'"),
    Row("pipe.write(6B)", .dispatchSource(.pipeWrite), "pipe 6"),
    Row("pipe.read(4B)", .dispatchSource(.pipeRead), "pipe 4"),
    Row("raise(.SIGTERM)", .dispatchSource(.raiseSignal), "'SIGTERM'"),
    Row("_ = Process(5s)", .dispatchSource(.processMake), "- 5000000000"),
    Row("_ = Process(5s, name: \"n\")", .dispatchSource(.processMake), "'n' 5000000000"),
  ]

  static let app = [
    Row("app.enterBackground()", .app(.enterBackground), ""),
    Row("app.enterForeground()", .app(.enterForeground), ""),
    Row("app.beginBackgroundTask { }", .app(.beginBackgroundTask), "{} @"),
    Row("app.beginBackgroundTask()", .app(.beginBackgroundTask), "- @"),
    Row(
      "let t = app.beginBackgroundTask { }; app.endBackgroundTask(t)", .app(.endBackgroundTask),
      "app.beginBackgroundTask"),
    Row("app.endBackgroundTask()", .app(.endBackgroundTask), "-"),
    Row("machine.sleep(for: 5s)", .app(.machineSleep), "5000000000"),
  ]
}
