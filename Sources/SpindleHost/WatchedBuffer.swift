#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Raw memory of a structure that moves when it grows, while pointers into it may be held by mistake.
///
/// In debug builds on Linux nobody can touch memory that was left: a pointer that was held while its table grew stops
/// the process where it is used, to read as to write, at no cost for each access. In other builds this is a `LargeBuffer`.
package enum WatchedBuffer {
  /// Whether memory that was left is watched in this build.
  package static var isOn: Bool {
    #if DEBUG && os(Linux)
      true
    #else
      false
    #endif
  }

  /// Room for `capacity` records, to be given back with `leave` or `deallocate`.
  package static func allocate<Record: ~Copyable>(
    _ type: Record.Type, capacity: Int
  ) -> UnsafeMutablePointer<Record> {
    #if DEBUG && os(Linux)
      let memory = mmap(
        nil, room(type, capacity), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      guard let memory, memory != MAP_FAILED else { MemoryShortage.end() }
      return memory.bindMemory(to: type, capacity: capacity)
    #else
      LargeBuffer.allocate(type, capacity: capacity)
    #endif
  }

  /// Gives room back whose owner ends.
  package static func deallocate<Record: ~Copyable>(
    _ base: UnsafeMutablePointer<Record>, capacity: Int
  ) {
    #if DEBUG && os(Linux)
      munmap(base, room(Record.self, capacity))
    #else
      LargeBuffer.deallocate(base, capacity: capacity)
    #endif
  }

  /// Gives room back whose records have moved to another one.
  package static func leave<Record: ~Copyable>(
    _ base: UnsafeMutablePointer<Record>, capacity: Int
  ) {
    #if DEBUG && os(Linux)
      let bytes = room(Record.self, capacity)
      mprotect(base, bytes, PROT_NONE)
      left.look { $0.keep(UnsafeMutableRawBufferPointer(start: base, count: bytes)) }
    #else
      LargeBuffer.deallocate(base, capacity: capacity)
    #endif
  }

  #if DEBUG && os(Linux)
    private static let left = Monitor(Left())

    /// What was left last: its addresses are not used again for a while.
    private struct Left: @unchecked Sendable {
      private static let most = 4_096
      private var buffers: [UnsafeMutableRawBufferPointer] = []
      private var next = 0

      mutating func keep(_ buffer: UnsafeMutableRawBufferPointer) {
        // It has addresses, and no memory.
        madvise(buffer.baseAddress, buffer.count, MADV_DONTNEED)
        if buffers.count < Left.most { return buffers.append(buffer) }
        munmap(buffers[next].baseAddress, buffers[next].count)
        buffers[next] = buffer
        next = (next + 1) % Left.most
      }
    }

    /// Whole pages for so many records.
    private static func room<Record: ~Copyable>(_: Record.Type, _ capacity: Int) -> Int {
      max(1, capacity * MemoryLayout<Record>.stride + 4_095) & ~4_095
    }
  #endif
}
