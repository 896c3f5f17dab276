import SpindleModel

/// What a register holds for a thread: its number, and how often that had been used before.
///
/// A thread that has ended leaves its number to another one, which is not what the register means.
struct ThreadHandle: Hashable {
  /// The thread, by its number.
  let thread: ThreadID
  /// How often the number had been used for other threads.
  let generation: Int32

  /// A handle of this thread.
  @inline(__always)
  init(thread: ThreadID, generation: Int32) {
    assert(!thread.isNone && generation >= 0, "thread \(thread.index), generation \(generation)")
    (self.thread, self.generation) = (thread, generation)
  }

  /// What a register says.
  @inline(__always)
  init(_ value: Int64) {
    thread = ThreadID(Int32(truncatingIfNeeded: value))
    generation = Int32(truncatingIfNeeded: value >> 32)
  }

  /// What a register holds.
  @inline(__always) var value: Int64 { Int64(generation) << 32 | Int64(thread.index) }
}

/// What a register holds for whoever takes items of work: what it is, and its number among these.
struct ExecutorHandle: Hashable {
  /// What can take items where a trace asks for an executor.
  enum Class: UInt8, CaseIterable {
    /// One of the simulator's own: a pool, or a thread for each item.
    case executor
    /// A dispatch queue.
    case dispatchQueue
    /// An operation queue.
    case operationQueue
    /// A group of tasks with a limit, or an actor.
    case tasks
  }

  /// What it is.
  let `class`: Class
  /// Its number among those of its class.
  let index: Int32

  /// A handle of the object of a class.
  @inline(__always)
  init(_ class: Class, _ index: Int32) {
    assert(index >= 0, "\(`class`) \(index)")
    (self.class, self.index) = (`class`, index)
  }

  /// What a register says.
  ///
  /// Stops when it is no handle of an executor.
  @inline(__always)
  init(_ value: Int64) {
    index = Int32(truncatingIfNeeded: value)
    let raw = value >> 48
    demand(raw >= 0 && raw < Class.allCases.count, "\(value) stands for no executor")
    self.class = Class(rawValue: UInt8(truncatingIfNeeded: raw)) ?? .executor
  }

  /// What a register holds.
  @inline(__always) var value: Int64 { Int64(`class`.rawValue) << 48 | Int64(index) }

  /// Whether a register holds one of the simulator's own executors; for every item, so without more.
  @inline(__always)
  static func isOwn(_ value: Int64) -> Bool { value >> 48 == 0 }
}
