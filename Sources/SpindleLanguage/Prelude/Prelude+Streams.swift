extension Prelude {
  /// Groups of tasks, continuations and streams.
  static let streams = """
    protocol AsyncIteratorProtocol {
      associatedtype Element
      mutating func next() async throws -> Element?
    }
    protocol AsyncSequence<Element, Failure> {
      associatedtype Element
      associatedtype AsyncIterator: AsyncIteratorProtocol
      associatedtype Failure
      func makeAsyncIterator() -> AsyncIterator
    }
    \(group("TaskGroup", "<ChildTaskResult>", "", ""))
    \(group("ThrowingTaskGroup", "<ChildTaskResult, Failure: Error>", "throws", "try "))
    \(discardingGroup("DiscardingTaskGroup", "", ""))
    \(discardingGroup("ThrowingDiscardingTaskGroup", "<Failure: Error>", "throws"))
    @builtin(taskGroup) @discardableResult func withTaskGroup<ChildTaskResult, GroupResult>(
      of: ChildTaskResult.Type = ChildTaskResult.self,
      returning: GroupResult.Type = GroupResult.self,
      body: (inout TaskGroup<ChildTaskResult>) async -> GroupResult
    ) async -> GroupResult
    @builtin(taskGroup) @discardableResult func withThrowingTaskGroup<ChildTaskResult, GroupResult>(
      of: ChildTaskResult.Type = ChildTaskResult.self,
      returning: GroupResult.Type = GroupResult.self,
      body: (inout ThrowingTaskGroup<ChildTaskResult, any Error>) async throws -> GroupResult
    ) async throws -> GroupResult
    @builtin(discardingGroup) @discardableResult func withDiscardingTaskGroup<GroupResult>(
      returning: GroupResult.Type = GroupResult.self,
      body: (inout DiscardingTaskGroup) async -> GroupResult
    ) async -> GroupResult
    @builtin(discardingGroup) @discardableResult func withThrowingDiscardingTaskGroup<GroupResult>(
      returning: GroupResult.Type = GroupResult.self,
      body: (inout ThrowingDiscardingTaskGroup<any Error>) async throws -> GroupResult
    ) async throws -> GroupResult
    @handle(continuation) struct CheckedContinuation<T, E: Error>: Sendable {
      @row func resume(returning value: T)
      @row func resume(throwing error: any Error)
      @inlined func resume(with result: Result<T, E>) {
        switch result {
        case .success(let value): self.resume(returning: value)
        case .failure(let error): self.resume(throwing: error)
        }
      }
      @inlined func resume<Failure: Error>(with result: Result<T, Failure>) {
        switch result {
        case .success(let value): self.resume(returning: value)
        case .failure(let error): self.resume(throwing: error)
        }
      }
    }
    extension CheckedContinuation where T == Void {
      @inlined func resume() { self.resume(returning: ()) }
    }
    typealias UnsafeContinuation<T, E> = CheckedContinuation<T, E>
    @builtin(checkedContinuation) @discardableResult func withCheckedContinuation<T>(
      _ body: (CheckedContinuation<T, Never>) -> Void
    ) async -> T
    @builtin(checkedContinuation) @discardableResult func withCheckedThrowingContinuation<T>(
      _ body: (CheckedContinuation<T, any Error>) -> Void
    ) async throws -> T
    @builtin(unsafeContinuation) @discardableResult func withUnsafeContinuation<T>(
      _ body: (CheckedContinuation<T, Never>) -> Void
    ) async -> T
    @builtin(unsafeContinuation) @discardableResult func withUnsafeThrowingContinuation<T>(
      _ body: (CheckedContinuation<T, any Error>) -> Void
    ) async throws -> T
    enum StreamYieldResult<Element> { case enqueued(remaining: Int), dropped(Element), terminated }
    enum StreamBufferingPolicy { case unbounded, bufferingOldest(Int), bufferingNewest(Int) }
    @handle(streamInput) struct StreamContinuation<Element>: Sendable {
      typealias BufferingPolicy = StreamBufferingPolicy
      typealias YieldResult = StreamYieldResult<Element>
      @builtin(yield) @discardableResult func yield(_ value: Element) -> StreamYieldResult<Element>
      @inlined @discardableResult func yield(
        with result: Result<Element, any Error>
      ) -> StreamYieldResult<Element> {
        switch result {
        case .success(let value): return self.yield(value)
        case .failure(let error):
          self.finish(throwing: error)
          return .terminated
        }
      }
      @row func finish()
      @row func finish(throwing error: (any Error)?)
    }
    extension StreamContinuation where Element == Void {
      @inlined @discardableResult func yield() -> StreamYieldResult<Element> {
        self.yield(())
      }
    }
    @handle(asyncStream) struct StreamIterator<Element> {
      @builtin(streamNext) mutating func next() async throws -> Element?
    }
    \(stream("AsyncStream", "<Element>", mayThrow: false))
    \(stream("AsyncThrowingStream", "<Element, Failure: Error>", mayThrow: true))
    """

  private static func group(
    _ name: String, _ generics: String, _ effect: String, _ attempt: String
  ) -> String {
    let own = name + (effect.isEmpty ? "<ChildTaskResult>" : "<ChildTaskResult, Failure>")
    return """
      @handle(taskGroup) struct \(name)\(generics): AsyncSequence {
        typealias Element = ChildTaskResult
        typealias AsyncIterator = \(own)
        \(effect.isEmpty ? "typealias Failure = Never" : "")
        \(children("ChildTaskResult"))
        @row @discardableResult func next() async \(effect) -> ChildTaskResult?
        @builtin(identity) func makeAsyncIterator() -> \(own)
      }
      """
  }

  private static func discardingGroup(
    _ name: String, _ generics: String, _ effect: String
  ) -> String {
    """
    @handle(taskGroup) struct \(name)\(generics) {
      \(children("Void"))
    }
    """
  }

  /// The functions that add a task to a group.
  private static func children(_ result: String) -> String {
    [
      ("addTask", "Void", "@Sendable"), ("addTaskUnlessCancelled", "Bool", "@Sendable"),
      ("addImmediateTask", "Void", "@_inheritActorContext"),
      ("addImmediateTaskUnlessCancelled", "Bool", "@_inheritActorContext"),
    ].map { name, given, attribute in
      """
      @row @discardableResult func \(name)(
        name: String? = nil, executorPreference: DispatchQueue? = nil,
        priority: TaskPriority? = nil,
        operation: @escaping \(attribute) () async throws -> \(result)
      ) -> \(given)
      """
    }.joined(separator: "\n")
  }

  private static func stream(_ name: String, _ generics: String, mayThrow: Bool) -> String {
    let own = mayThrow ? "\(name)<Element, Failure>" : "\(name)<Element>"
    let made = mayThrow ? "throwingStream" : "stream"
    let failure = mayThrow ? "any Error" : ""
    let labels = mayThrow ? "throwing: Failure.Type = Failure.self, " : ""
    return """
      @handle(asyncStream) struct \(name)\(generics): AsyncSequence, Sendable {
        typealias Continuation = StreamContinuation<Element>
        typealias Iterator = StreamIterator<Element>
        typealias AsyncIterator = StreamIterator<Element>
        \(mayThrow ? "" : "typealias Failure = Never")
        @builtin(\(made)) init(
          _ elementType: Element.Type = Element.self,
          bufferingPolicy limit: StreamBufferingPolicy = .unbounded,
          _ build: (StreamContinuation<Element>) -> Void)\(mayThrow ? " where Failure == \(failure)" : "")
        @builtin(unfoldingStream) init(
          unfolding produce: @escaping @Sendable () async throws -> Element?\(mayThrow ? ")" : ", onCancel: (@Sendable () -> Void)? = nil)")\(mayThrow ? " where Failure == \(failure)" : "")
        @builtin(\(made)Pair) static func makeStream(
          of elementType: Element.Type = Element.self, \(labels)bufferingPolicy limit: StreamBufferingPolicy = .unbounded
        ) -> (stream: \(own), continuation: StreamContinuation<Element>)\(mayThrow ? " where Failure == \(failure)" : "")
        @builtin(identity) func makeAsyncIterator() -> StreamIterator<Element>
      }
      """
  }
}
