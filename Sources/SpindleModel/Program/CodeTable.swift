/// The instructions of a program, or what belongs to each of them: a collection with the value
/// semantics of an array, which takes over memory that a compiler has filled without moving it.
package struct CodeTable<Element: Sendable>: @unchecked Sendable {
  private var start: UnsafeMutablePointer<Element>
  /// How many elements there are.
  package private(set) var count: Int
  private var memory: CodeMemory

  /// Takes over `count` elements from `start` on, which lie in `memory`; they need no
  /// deinitialisation.
  package init(_ start: UnsafeMutablePointer<Element>, count: Int, in memory: CodeMemory) {
    (self.start, self.count, self.memory) = (start, count, memory)
  }

  /// Creates a table of `elements`; linear.
  package init(_ elements: some Collection<Element>) {
    let memory = CodeMemory(of: Element.self, room: elements.count)
    self.init(memory.start(), count: elements.count, in: memory)
    for (index, element) in elements.enumerated() { (start + index).initialize(to: element) }
  }

  /// Calls `body` with the elements in place.
  package func withUnsafeBufferPointer<Result>(
    _ body: (UnsafeBufferPointer<Element>) throws -> Result
  ) rethrows -> Result {
    defer { withExtendedLifetime(memory) {} }
    return try body(UnsafeBufferPointer(start: start, count: count))
  }

  /// Calls `body` with the elements in place, to change them; those of other copies stay what they are.
  package mutating func withUnsafeMutableBufferPointer<Result>(
    _ body: (UnsafeMutableBufferPointer<Element>) throws -> Result
  ) rethrows -> Result {
    if !isKnownUniquelyReferenced(&memory) { self = withUnsafeBufferPointer { CodeTable($0) } }
    defer { withExtendedLifetime(memory) {} }
    return try body(UnsafeMutableBufferPointer(start: start, count: count))
  }
}

extension CodeTable: RandomAccessCollection, MutableCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { count }

  /// The element at `index`; traps when there is none.
  package subscript(index: Int) -> Element {
    get {
      precondition(index >= 0 && index < count, "no element \(index) of \(count)")
      return withUnsafeBufferPointer { $0[index] }
    }
    set {
      precondition(index >= 0 && index < count, "no element \(index) of \(count)")
      withUnsafeMutableBufferPointer { $0[index] = newValue }
    }
  }
}

extension CodeTable: ExpressibleByArrayLiteral {
  package init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension CodeTable: Equatable where Element: Equatable {
  package static func == (left: CodeTable, right: CodeTable) -> Bool { left.elementsEqual(right) }
}

/// Memory that code lies in, given back when nobody needs it any more.
package final class CodeMemory: @unchecked Sendable {
  private let bytes: UnsafeMutableRawPointer

  /// Memory for `room` elements, which hold nothing yet.
  package init<Element>(of _: Element.Type, room: Int) {
    bytes = .allocate(
      byteCount: max(1, room) * MemoryLayout<Element>.stride,
      alignment: MemoryLayout<Element>.alignment)
  }

  deinit { bytes.deallocate() }

  /// Where its elements begin.
  package func start<Element>() -> UnsafeMutablePointer<Element> {
    bytes.assumingMemoryBound(to: Element.self)
  }
}
