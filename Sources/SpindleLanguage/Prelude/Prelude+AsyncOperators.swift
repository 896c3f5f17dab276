extension Prelude {
  /// What asynchronous sequences give that others ask for one element after the other.
  ///
  /// Each operator asks its source when it is asked itself, and has no task and no buffer. Swift has a type for each;
  /// here all that throw nothing share one, and so do all that may throw.
  ///
  /// Source: swift:stdlib/public/Concurrency/AsyncMapSequence.swift and its neighbours; SE-0298.
  static let asyncOperators = """
    \(operated("AsyncOperator", "", "Never"))
    \(operated("AsyncThrowingOperator", "throws", "any Error"))
    \(flattening)
    extension AsyncSequence {
      \(made(mayThrow: true))
      \(flattened(mayThrow: true))
      \(found)
    }
    extension AsyncSequence where Element: Equatable {
      @inlined func contains(_ wanted: Element) async rethrows -> Bool {
        for await element in self {
          if element == wanted { return true }
        }
        return false
      }
    }
    extension AsyncSequence where Element: Comparable {
      @inlined func min() async rethrows -> Element? { await self.min(by: { $0 < $1 }) }
      @inlined func max() async rethrows -> Element? { await self.max(by: { $0 < $1 }) }
    }
    extension AsyncSequence where Failure == Never {
      \(made(mayThrow: false))
      \(flattened(mayThrow: false))
      \(counted(mayThrow: false))
    }
    extension AsyncSequence where Failure == any Error {
      \(counted(mayThrow: true))
    }
    """

  private static func operated(_ name: String, _ effect: String, _ failure: String) -> String {
    """
    struct \(name)Iterator<Element>: AsyncIteratorProtocol {
      let ask: () async \(effect) -> Element?
      mutating func next() async \(effect) -> Element? {
        \(effect.isEmpty ? "" : "try ")await self.ask()
      }
    }
    struct \(name)<Element>: AsyncSequence {
      typealias AsyncIterator = \(name)Iterator<Element>
      typealias Failure = \(failure)
      let begin: () -> (() async \(effect) -> Element?)
      func makeAsyncIterator() -> \(name)Iterator<Element> {
        \(name)Iterator<Element>(ask: self.begin())
      }
    }
    """
  }

  /// What is made by a closure that sees each element.
  private static func made(mayThrow: Bool) -> String {
    let type = mayThrow ? "AsyncThrowingOperator" : "AsyncOperator"
    let (effect, attempt) = mayThrow ? ("throws ", "try ") : ("", "")
    let ask = mayThrow ? "try await" : "await"
    func operation(_ head: String, _ result: String, _ state: String, _ body: String) -> String {
      """
      func \(head) -> \(type)<\(result)> {
        let source = self
        return \(type)<\(result)>(begin: {
          var elements = source.makeAsyncIterator()
          \(state)
          return { () async \(effect)-> \(result)? in
            while let element = \(ask) elements.next() {
              \(body)
            }
            return nil
          }
        })
      }
      """
    }
    return [
      operation(
        "map<T>(_ transform: @escaping (Element) async \(effect)-> T)", "T", "",
        "return \(attempt)await transform(element)"),
      operation(
        "compactMap<T>(_ transform: @escaping (Element) async \(effect)-> T?)", "T", "",
        "if let one = \(attempt)await transform(element) { return one }"),
      operation(
        "filter(_ isIncluded: @escaping (Element) async \(effect)-> Bool)", "Element", "",
        "if \(attempt)await isIncluded(element) { return element }"),
      operation(
        "drop(while isLeftOut: @escaping (Element) async \(effect)-> Bool)", "Element",
        "var isOpen = false",
        """
        if !isOpen {
          if \(attempt)await isLeftOut(element) { continue }
          isOpen = true
        }
        return element
        """),
      operation(
        "prefix(while isIncluded: @escaping (Element) async \(effect)-> Bool)", "Element",
        "var isOver = false",
        """
        if isOver { return nil }
        if \(attempt)await isIncluded(element) { return element }
        isOver = true
        return nil
        """),
    ].joined(separator: "\n")
  }

  /// The sequence of the elements of all sequences that a closure makes, which throws what those throw.
  private static let flattening = """
    struct AsyncFlattenedIterator<Element, Failure: Error>: AsyncIteratorProtocol {
      let ask: () async throws(Failure) -> Element?
      mutating func next() async throws(Failure) -> Element? { try await self.ask() }
    }
    struct AsyncFlattened<Element, Failure: Error>: AsyncSequence {
      typealias AsyncIterator = AsyncFlattenedIterator<Element, Failure>
      let begin: () -> (() async throws(Failure) -> Element?)
      func makeAsyncIterator() -> AsyncFlattenedIterator<Element, Failure> {
        AsyncFlattenedIterator<Element, Failure>(ask: self.begin())
      }
    }
    """

  /// `flatMap`: what throws nothing itself throws what the sequences of its closure throw.
  private static func flattened(mayThrow: Bool) -> String {
    let failure = mayThrow ? "any Error" : "S.Failure"
    let (effect, ask) = mayThrow ? ("throws ", "try await") : ("", "await")
    let thrown = mayThrow ? "throws(any Error)" : "throws(S.Failure)"
    return """
      func flatMap<S: AsyncSequence>(
        _ transform: @escaping (Element) async \(effect)-> S
      ) -> AsyncFlattened<S.Element, \(failure)> {
        let source = self
        return AsyncFlattened<S.Element, \(failure)>(begin: {
          var elements = source.makeAsyncIterator()
          var parts: [S.AsyncIterator] = []
          return { () async \(thrown) -> S.Element? in
            while true {
              if !parts.isEmpty {
                if let part = await parts[0].next() { return part }
                parts = []
              }
              guard let element = \(ask) elements.next() else { return nil }
              parts = [\(ask) transform(element).makeAsyncIterator()]
            }
          }
        })
      }
      """
  }

  /// What is made by a number of elements.
  private static func counted(mayThrow: Bool) -> String {
    let type = mayThrow ? "AsyncThrowingOperator" : "AsyncOperator"
    let (effect, ask) = mayThrow ? ("throws ", "try await") : ("", "await")
    return """
      func prefix(_ count: Int) -> \(type)<Element> {
        let source = self
        return \(type)<Element>(begin: {
          var elements = source.makeAsyncIterator()
          var left = count
          return { () async \(effect)-> Element? in
            if left == 0 { return nil }
            left -= 1
            return \(ask) elements.next()
          }
        })
      }
      func dropFirst(_ count: Int = 1) -> \(type)<Element> {
        let source = self
        return \(type)<Element>(begin: {
          var elements = source.makeAsyncIterator()
          var left = count
          return { () async \(effect)-> Element? in
            while left > 0 {
              left -= 1
              if \(ask) elements.next() == nil { return nil }
            }
            return \(ask) elements.next()
          }
        })
      }
      """
  }

  /// What goes through the elements at once.
  private static let found = """
    @inlined func reduce<R>(
      _ first: R, _ joined: (R, Element) async throws -> R
    ) async rethrows -> R {
      var sum = first
      for await element in self { sum = try await joined(sum, element) }
      return sum
    }
    @inlined func reduce<R>(
      into first: R, _ join: (inout R, Element) async throws -> Void
    ) async rethrows -> R {
      var sum = first
      for await element in self { try await join(&sum, element) }
      return sum
    }
    \(extremes(isAsync: true))
    @inlined func first(where isWanted: (Element) async throws -> Bool) async rethrows -> Element? {
      for await element in self {
        if try await isWanted(element) { return element }
      }
      return nil
    }
    @inlined func contains(where isWanted: (Element) async throws -> Bool) async rethrows -> Bool {
      for await element in self {
        if try await isWanted(element) { return true }
      }
      return false
    }
    @inlined func allSatisfy(
      _ isWanted: (Element) async throws -> Bool
    ) async rethrows -> Bool {
      for await element in self {
        if try await !isWanted(element) { return false }
      }
      return true
    }
    """
}
