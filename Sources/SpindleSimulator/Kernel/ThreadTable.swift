import SpindleModel

/// What a runtime keeps of threads, beside the kernel's own record of each.
///
/// A thread of which nothing is kept takes no memory. What was kept of a thread that has ended is not
/// found again when another thread gets its number.
struct ThreadTable<Record: BitwiseCopyable>: ~Copyable {
  /// Not private: a debug build, which compiles file by file, could not link what uses the table.
  struct Entry: BitwiseCopyable {
    var generation: Int32
    var record: Record
  }

  private var entries: Table<Entry>
  /// What is said of a thread of which nothing is kept.
  private let nothing: Record

  /// An empty table that counts as `kind`; `nothing` is said of a thread of which nothing is kept.
  init(_ kind: StorageKind, _ storage: Storage, nothing: Record) {
    entries = Table(kind, storage)
    self.nothing = nothing
  }

  /// What is kept of a thread.
  @inline(__always)
  func of(_ thread: ThreadID, _ kernel: borrowing Kernel) -> Record {
    if Int(thread.index) >= entries.count { return nothing }
    let entry = entries.at(thread.index)
    let isPresent = entry.pointee.generation == kernel.threads.at(thread).pointee.generation
    return isPresent ? entry.pointee.record : nothing
  }

  /// Changes what is kept of a thread.
  @inline(__always)
  mutating func change(
    _ thread: ThreadID, _ kernel: borrowing Kernel, _ change: (inout Record) -> Void
  ) {
    let generation = kernel.threads.at(thread).pointee.generation
    if Int(thread.index) >= entries.count { grow(to: thread) }
    let entry = entries.at(thread.index)
    if entry.pointee.generation != generation {
      entry.pointee = Entry(generation: generation, record: nothing)
    }
    change(&entry.pointee.record)
  }

  @inline(never)
  private mutating func grow(to thread: ThreadID) {
    while Int(thread.index) >= entries.count {
      entries.append(Entry(generation: -1, record: nothing))
    }
  }
}
