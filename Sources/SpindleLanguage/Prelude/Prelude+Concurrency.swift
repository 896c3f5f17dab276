extension Prelude {
  /// Tasks, actors and clocks.
  ///
  /// `@row` says the type of what a row of the vocabulary does.
  static let concurrency = """
    @handle(queue) struct UnownedSerialExecutor {}
    protocol SerialExecutor {}
    protocol Actor: AnyObject, Sendable {}
    extension Actor {
      @builtin(assumeIsolated) nonisolated func assumeIsolated<T>(
        _ operation: (isolated Self) throws -> T
      ) rethrows -> T
      @builtin(checkIsolated) nonisolated func preconditionIsolated(
        _ message: String = "", file: StaticString = "", line: UInt = 0)
      @builtin(checkIsolated) nonisolated func assertIsolated(
        _ message: String = "", file: StaticString = "", line: UInt = 0)
    }
    protocol GlobalActor {}
    extension GlobalActor {
      @builtin(checkGlobal) nonisolated static func preconditionIsolated(
        _ message: String = "", file: StaticString = "", line: UInt = 0)
      @builtin(checkGlobal) nonisolated static func assertIsolated(
        _ message: String = "", file: StaticString = "", line: UInt = 0)
    }
    extension TaskPriority: Comparable {
      @builtin(priorityNumber) var rawValue: UInt8 { get }
      @inlined static func < (a: TaskPriority, b: TaskPriority) -> Bool { a.rawValue < b.rawValue }
      @inlined static func > (a: TaskPriority, b: TaskPriority) -> Bool { a.rawValue > b.rawValue }
    }
    struct MainActor {
      static let shared = MainActor()
      @builtin(checkOnMain) func preconditionIsolated(
        _ message: String = "", file: StaticString = "", line: UInt = 0)
      @builtin(checkOnMain) func assertIsolated(
        _ message: String = "", file: StaticString = "", line: UInt = 0)
      @inlined static var sharedUnownedExecutor: UnownedSerialExecutor {
        DispatchQueue.main.asUnownedSerialExecutor()
      }
      @builtin(runOnMain) static func run<T>(
        resultType: T.Type = T.self, body: @MainActor () throws -> T
      ) async rethrows -> T
      @builtin(assumeOnMain) static func assumeIsolated<T>(
        _ operation: @MainActor () throws -> T
      ) rethrows -> T
      @builtin(checkOnMain) static func preconditionIsolated(
        _ message: String = "", file: StaticString = "", line: UInt = 0)
      @builtin(checkOnMain) static func assertIsolated(
        _ message: String = "", file: StaticString = "", line: UInt = 0)
    }
    @handle(task) struct Task<Success, Failure: Error>: Hashable, Sendable {
      \(taskMakers("init", "@Sendable", preference: "DispatchQueue?"))
      \(taskMakers("init", "@_inheritsContext"))
      \(taskMakers("static func detached", "@Sendable"))
      \(taskMakers("static func immediate", "@_inheritActorContext"))
      @row func cancel()
      @row var value: Success { get async throws }
      @row var result: Result<Success, Failure> { get async }
      @row var isCancelled: Bool { get }
      @builtin(equal) static func == (a: Task<Success, Failure>, b: Task<Success, Failure>) -> Bool
      @row static func sleep(nanoseconds count: UInt64) async throws
    }
    @handle(task) struct UnsafeCurrentTask: Hashable, Sendable {
      @row func cancel()
      @row var isCancelled: Bool { get }
      @inlined var priority: TaskPriority { Task.currentPriority }
      @inlined var basePriority: TaskPriority { Task.basePriority ?? Task.currentPriority }
      @builtin(equal) static func == (a: UnsafeCurrentTask, b: UnsafeCurrentTask) -> Bool
    }
    @builtin(currentTask) func currentTask() -> UnsafeCurrentTask?
    @inlined @discardableResult func withUnsafeCurrentTask<T>(
      body: (UnsafeCurrentTask?) throws -> T
    ) rethrows -> T { try body(currentTask()) }
    @inlined @discardableResult func withUnsafeCurrentTask<T>(
      body: (UnsafeCurrentTask?) async throws -> T
    ) async rethrows -> T { try await body(currentTask()) }
    \(clock("ContinuousClock"))
    \(clock("SuspendingClock"))
    struct TaskLocal<Value> {
      @builtin(bindLocal) func withValue<R>(
        _ value: Value, operation: () throws -> R
      ) rethrows -> R
      @builtin(bindLocal) func withValue<R>(
        _ value: Value, operation: () async throws -> R
      ) async rethrows -> R
    }
    extension DispatchQueue {
      @builtin(identity) func asUnownedSerialExecutor() -> UnownedSerialExecutor
    }
    @handle(unfair) struct Mutex<Value>: Sendable {
      @builtin(lockedState) init(_ value: Value)
      \(locked("Value"))
    }
    @handle(unfair) struct OSAllocatedUnfairLock<State>: Sendable {
      @row init(
        name: String? = nil, resourceProtocol: ResourceProtocol? = nil,
        priorityCeiling: Double? = nil) where State == Void
      @builtin(lockedState) init(initialState: State)
      \(locked("State"))
    }
    @builtin(at) func at(_ moment: Duration, execute: @escaping () -> Void)
    @builtin(at) func at(_ moment: DispatchTime, execute: @escaping () -> Void)
    @builtin(every) func every(
      _ interval: Duration, count: Int? = nil, execute: @escaping (Int) -> Void)
    @builtin(every) func arrivals(
      every interval: Duration, count: Int? = nil, execute: @escaping (Int) -> Void)
    @builtin(cancellationHandler) @discardableResult func withTaskCancellationHandler<T>(
      operation: () async throws -> T, onCancel handler: @escaping @Sendable () -> Void
    ) async rethrows -> T
    @builtin(escalationHandler) @discardableResult func withTaskPriorityEscalationHandler<T>(
      operation: () async throws -> T,
      onPriorityEscalated handler: @escaping @Sendable (TaskPriority, TaskPriority) -> Void
    ) async rethrows -> T
    @builtin(executorPreference) @discardableResult func withTaskExecutorPreference<T>(
      _ preference: DispatchQueue?, operation: () async throws -> T
    ) async rethrows -> T
    """

  /// The functions that make a task: of a closure that throws, and of one that does not.
  ///
  /// With a preference, which may be nil, a closure does not inherit an actor (Swift 6.3's _Concurrency.swiftinterface).
  private static func taskMakers(
    _ name: String, _ attribute: String, preference: String = "DispatchQueue? = nil"
  ) -> String {
    [("Never", ""), ("any Error", "throws ")].map { failure, effect in
      """
      @row @discardableResult \(name)(
        name: String? = nil, executorPreference: \(preference), priority: TaskPriority? = nil,
        operation: @escaping \(attribute) () async \(effect)-> Success
      )\(name == "init" ? "" : " -> Task<Success, \(failure)>") where Failure == \(failure)
      """
    }.joined(separator: "\n")
  }

  private static func locked(_ state: String) -> String {
    """
    @builtin(withLock) @discardableResult func withLockUnchecked<R>(
      _ body: (inout \(state)) throws -> R
    ) rethrows -> R
    @builtin(withLock) @discardableResult func withLock<R>(
      _ body: (inout \(state)) throws -> R
    ) rethrows -> R
    @builtin(withLockIfAvailable) @discardableResult func withLockIfAvailable<R>(
      _ body: (inout \(state)) throws -> R
    ) rethrows -> R?
    """
  }

  /// The type of a clock: both are the virtual time.
  private static func clock(_ name: String) -> String {
    """
    struct \(name): Sendable {
      init() {}
      typealias Duration = Swift.Duration
      @builtin(now) var now: DispatchTime { get }
      @builtin(now) static var now: DispatchTime { get }
      typealias Instant = DispatchTime
      @inlined var minimumResolution: Duration { 1ns }
      func sleep(for length: Duration, tolerance: Duration? = nil) async throws {
        try await Task.sleep(for: length)
      }
      func sleep(until end: DispatchTime, tolerance: Duration? = nil) async throws {
        try await Task.sleep(until: end)
      }
      @inlined func measure(_ work: () throws -> Void) rethrows -> Duration {
        let start = DispatchTime.now
        try work()
        return DispatchTime.now - start
      }
      @inlined func measure(_ work: () async throws -> Void) async rethrows -> Duration {
        let start = DispatchTime.now
        try await work()
        return DispatchTime.now - start
      }
    }
    """
  }
}
