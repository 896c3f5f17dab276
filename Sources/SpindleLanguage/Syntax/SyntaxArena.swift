/// The memory of a tree and of the words in it: what is put into it stays where it is until all of
/// it goes at once.
///
/// A tree of values that are handed on by pointer is built and walked without counting references,
/// and goes without a walk. Only what is copied by its bytes may be in it. Whoever has a part of a
/// tree keeps its arena; one thread at a time uses it.
final class SyntaxArena: @unchecked Sendable {
  private let table: WordTable
  /// Whether another thread adds words to the table now, so that nobody who puts something in here may.
  var closesWords = false
  private var chunks: [UnsafeMutableRawBufferPointer]
  private var chunk = 0
  private var position: UnsafeMutableRawPointer
  private var end: UnsafeMutableRawPointer

  /// Creates an empty arena, for a trace whose other words are in `words`.
  init(words: WordTable = WordTable()) {
    table = words
    let first = UnsafeMutableRawPointer.allocate(byteCount: 4_096, alignment: 64)
    chunks = [UnsafeMutableRawBufferPointer(start: first, count: 4_096)]
    (position, end) = (first, first + 4_096)
  }

  deinit {
    for chunk in chunks { chunk.deallocate() }
  }

  /// The words of the trace.
  var words: WordTable {
    demand(!closesWords, "words are added by one thread at a time")
    return table
  }

  /// A place to go back to.
  struct Mark {
    fileprivate var chunk: Int
    fileprivate var position: UnsafeMutableRawPointer
  }

  /// What has been put in so far ends here.
  var mark: Mark { Mark(chunk: chunk, position: position) }

  /// Forgets what has been put in since `mark`; nothing may use it any more.
  func forget(downTo mark: Mark) {
    if chunk != mark.chunk { enter(mark.chunk) }
    position = mark.position
  }

  /// Forgets all that has been put in.
  func forgetAll() { enter(0) }

  /// Room for `count` values, without values yet.
  @inline(__always)
  func room<Value: BitwiseCopyable>(
    for count: Int, of type: Value.Type
  ) -> UnsafeMutablePointer<Value> {
    let size = (MemoryLayout<Value>.stride * count + 7) & ~7
    // What is aligned to more than eight bytes is rare.
    if MemoryLayout<Value>.alignment > 8 {
      position = position.alignedUp(toMultipleOf: MemoryLayout<Value>.alignment)
    }
    if end - position < size { enterChunk(atLeast: size) }
    let start = position
    position += size
    return start.assumingMemoryBound(to: type)
  }

  /// Puts a value in.
  @inline(__always)
  func node<Value: BitwiseCopyable>(_ value: Value) -> Node<Value> {
    let place = room(for: 1, of: Value.self)
    place.initialize(to: value)
    return Node(pointer: UnsafePointer(place))
  }

  /// Puts values in, one behind the other.
  func list<Value: BitwiseCopyable>(_ values: some Collection<Value>) -> SyntaxList<Value> {
    var builder = SyntaxListBuilder<Value>()
    for value in values { builder.append(value, in: self) }
    return builder.list
  }

  private func enterChunk(atLeast size: Int) {
    if chunk + 1 == chunks.count || chunks[chunk + 1].count < size {
      let length = max(size, chunk == 0 ? 65_536 : 1_048_576)
      chunks.insert(.allocate(byteCount: length, alignment: 64), at: chunk + 1)
    }
    enter(chunk + 1)
  }

  private func enter(_ index: Int) {
    guard let start = chunks[index].baseAddress else { preconditionFailure("a chunk is empty") }
    (chunk, position, end) = (index, start, start + chunks[index].count)
  }
}

/// A part of a tree that another part has, by its place.
@dynamicMemberLookup
struct Node<Value: BitwiseCopyable>: BitwiseCopyable, @unchecked Sendable {
  fileprivate let pointer: UnsafePointer<Value>

  /// What it is.
  var value: Value { pointer.pointee }

  /// A part of it.
  subscript<Part>(dynamicMember part: KeyPath<Value, Part>) -> Part {
    pointer.pointee[keyPath: part]
  }
}

/// Parts of a tree that stand one behind the other.
struct SyntaxList<Element: BitwiseCopyable>: BitwiseCopyable, RandomAccessCollection,
  @unchecked Sendable
{
  fileprivate var start: UnsafePointer<Element>?
  fileprivate var length: Int32

  /// Creates a list without elements.
  init() { (start, length) = (nil, 0) }

  fileprivate init(_ start: UnsafePointer<Element>?, _ length: Int) {
    (self.start, self.length) = (start, Int32(length))
  }

  var startIndex: Int { 0 }
  var endIndex: Int { Int(length) }
  var count: Int { Int(length) }
  var isEmpty: Bool { length == 0 }

  subscript(index: Int) -> Element {
    guard let start, index >= 0, index < length else {
      preconditionFailure("a list has no such element")
    }
    return start[index]
  }

  /// The list without its first element, which it must have.
  var withoutFirst: SyntaxList {
    guard let start, length > 0 else { preconditionFailure("a list without elements has no first") }
    return SyntaxList(start + 1, Int(length) - 1)
  }
}

/// Makes a list whose length is known when it is complete.
struct SyntaxListBuilder<Element: BitwiseCopyable>: BitwiseCopyable {
  private var start: UnsafeMutablePointer<Element>?
  private(set) var count = 0
  private var capacity = 0

  /// Adds an element.
  @inline(__always)
  mutating func append(_ element: Element, in arena: SyntaxArena) {
    let place = if let start, count < capacity { start } else { grow(in: arena) }
    (place + count).initialize(to: element)
    count += 1
  }

  private mutating func grow(in arena: SyntaxArena) -> UnsafeMutablePointer<Element> {
    let larger = arena.room(for: Swift.max(1, capacity * 2), of: Element.self)
    if let start { larger.update(from: start, count: count) }
    start = larger
    capacity = Swift.max(1, capacity * 2)
    return larger
  }

  /// What has been added.
  var list: SyntaxList<Element> { SyntaxList(start.map { UnsafePointer($0) }, count) }
}
