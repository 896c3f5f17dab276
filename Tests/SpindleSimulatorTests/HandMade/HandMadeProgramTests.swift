import SpindleModel
import Testing

/// Programs that nobody wrote: the simulator needs a `Program` and nothing of the language.
@Suite struct HandMadeProgramTests {
  private typealias Made = HandMadeProgram

  /// When each entry of a kind was made, in milliseconds, with its thread.
  private static func times(_ event: LogEvent, _ log: [LogEntry]) -> [[Int64]] {
    log.filter { $0.event == event }.map { [$0.time / 1_000_000, Int64($0.thread)] }
  }

  @Test func mainWorks() {
    var made = Made()
    made.setMain(made.block("main", Made.call(.doing(.work), [.milliseconds(5)]) + [.finish]))
    let (record, log) = made.run()
    #expect(record.outcome.kind == .finished)
    #expect(record.makespan == Instant(5_000_000))
    #expect(record.cores.map(\.busy) == [.milliseconds(5)])
    #expect(record.findings.isEmpty)
    #expect(Array(log.map(\.event).prefix(3)) == [.threadCreated, .threadReady, .threadRuns])
    #expect(log.last?.event == .runEnded)
  }

  @Test func aLoopCounts() {
    var made = Made()
    // r0 counts to r1, with a millisecond of work each time.
    let body: [Instruction] =
      [
        .constant(0, to: Register(0)), .constant(7, to: Register(1)),
        .jumpUnlessLess(Register(0), Register(1), 7),
      ] + Made.call(.doing(.work), at: 2, [.milliseconds(1)]) + [
        .increment(Register(0)), .jump(2), .finish,
      ]
    made.setMain(made.block("main", body))
    #expect(made.run().record.makespan == Instant(7_000_000))
  }

  /// Two threads on two cores that need one lock, for 2 and 3 ms.
  @Test func aLockExcludes() {
    var made = Made(cores: 2)
    let lock = made.global("lock", .mutex)
    made.setInitializer(
      made.block(
        "top",
        Made.call(
          .lock(.make), [.value(Int64(LockClass.mutex.rawValue)), .left, .left, .left, .left])
          + [.storeGlobal(lock, from: Register(0)), .finish]))
    let workers = [2, 3].map { length in
      made.block(
        "worker",
        Made.call(.lock(.lock), [.global(lock)]) + Made.call(.doing(.work), [.milliseconds(length)])
          + Made.call(.lock(.unlock), [.global(lock)]) + [.finish])
    }
    let kind = made.kind("worker")
    let sites = workers.map { _ in made.site() }
    made.setMain(
      made.block(
        "main",
        zip(workers, sites).flatMap { worker, site in
          Made.call(.thread(.detach), [.left, .value(kind), .closure(worker)], site)
        } + [.finish]))
    let (record, log) = made.run()
    #expect(record.outcome.kind == .finished)
    #expect(record.makespan == Instant(5_000_000))
    #expect(Self.times(.lockAcquired, log) == [[0, 1], [2, 2]])
    #expect(Self.times(.lockReleased, log) == [[2, 1], [5, 2]])
    #expect(Self.times(.threadEnded, log) == [[2, 1], [5, 2]])
  }

  @Test func aPoolOfTwoTakesThreeItems() {
    var made = Made(cores: 2)
    let pool = made.global("pool", .threadPool)
    made.setInitializer(
      made.block(
        "top",
        Made.call(
          .executor(.threadPoolMake), [.left, .value(2), .value(0), .left])
          + [.storeGlobal(pool, from: Register(0)), .finish]))
    let item = made.block("item", Made.call(.doing(.io), [.milliseconds(10)]) + [.finish])
    let kind = made.kind("item")
    let sites = (0..<3).map { _ in made.site() }
    made.setMain(
      made.block(
        "main",
        sites.flatMap {
          Made.call(
            .executor(.async), [.global(pool), .left, .value(kind), .left, .closure(item)], $0)
        } + [.finish]))
    let (record, log) = made.run()
    #expect(record.outcome.kind == .finished)
    #expect(Self.times(.itemStarted, log) == [[0, 1], [0, 2], [10, 1]])
    #expect(Self.times(.itemEnded, log) == [[10, 1], [10, 2], [20, 1]])
  }

  /// Two threads of 25 ms each on one core, in turns of 10 ms.
  @Test func theMachinesPolicyIsUsed() {
    var made = Made(
      policy: Configuration(
        name: "roundRobin", arguments: [.init(label: "quantum", value: 10_000_000)]))
    let hog = made.block("hog", Made.call(.doing(.work), [.milliseconds(25)]) + [.finish])
    let kind = made.kind("hog")
    let sites = [made.site(), made.site()]
    made.setMain(
      made.block(
        "main",
        sites.flatMap {
          Made.call(.thread(.detach), [.left, .value(kind), .closure(hog)], $0)
        } + [.finish]))
    let log = made.run().log
    #expect(
      Self.times(.threadRuns, log).filter { $0[1] > 0 }
        == [[0, 1], [10, 2], [20, 1], [30, 2], [40, 1], [45, 2]])
  }

  @Test func whoTakesItsOwnLockIsStuck() {
    var made = Made()
    let lock = made.global("lock", .mutex)
    made.setInitializer(
      made.block(
        "top",
        Made.call(
          .lock(.make), [.value(Int64(LockClass.mutex.rawValue)), .left, .left, .left, .left])
          + [.storeGlobal(lock, from: Register(0)), .finish]))
    made.setMain(
      made.block(
        "main",
        Made.call(.lock(.lock), [.global(lock)]) + Made.call(.lock(.lock), [.global(lock)]) + [
          .finish
        ]))
    let record = made.run().record
    #expect(record.outcome.kind == .deadlock)
    #expect(record.findings.map(\.kind) == [.selfDeadlock])
  }

  /// What is drawn is decided by the seed and the place, and by nothing that happens before.
  @Test func drawsDependOnSeedAndPlace() {
    func makespan(seed: UInt64, yields: Int) -> Instant {
      var made = Made()
      made.setSeed(seed)
      let site = made.site()
      made.setMain(
        made.block(
          "main",
          (0..<yields).flatMap { _ in Made.call(.doing(.yield), []) } + [
            .constant(5_000_000, to: Register(0)),
            .draw(base: Register(0), site, count: 1, .exponential),
            .perform(.doing(.work), base: Register(0), Made.nowhere), .finish,
          ]))
      return made.run().record.makespan
    }
    #expect(makespan(seed: 1, yields: 0) == makespan(seed: 1, yields: 5))
    #expect(makespan(seed: 1, yields: 0) != makespan(seed: 2, yields: 0))
  }

  /// An error goes to the handler that covers the place; without one the process crashes.
  @Test(arguments: [true, false])
  func anErrorIsHandledOrCrashes(isHandled: Bool) {
    var made = Made()
    let message = made.name("no more")
    let handler = Block.Handler(start: 0, end: 2, target: 2, error: Register(1))
    made.setMain(
      made.block(
        "main", handlers: isHandled ? [handler] : [],
        [.constant(Int64(message.index), to: Register(0)), .raise(Register(0))]
          + Made.call(.doing(.work), [.milliseconds(3)]) + [.finish]))
    let record = made.run().record
    #expect(record.outcome.kind == (isHandled ? .finished : .crashed))
    #expect(record.makespan == Instant(isHandled ? 3_000_000 : 0))
  }

  @Test func divisionByZeroCrashes() {
    var made = Made()
    made.setMain(
      made.block(
        "main",
        [
          .constant(1, to: Register(0)), .constant(0, to: Register(1)),
          .divide(Register(2), Register(0), Register(1)), .finish,
        ]))
    #expect(made.run().record.outcome.kind == .crashed)
  }

  @Test func aProgramWithoutMainDoesNothing() {
    var made = Made()
    let (record, log) = made.run()
    #expect(record.outcome.kind == .finished)
    #expect(record.makespan == .start)
    #expect(log.map(\.event) == [.runEnded])
  }
}
