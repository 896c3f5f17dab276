#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Raw memory of tables that grow while a run goes on.
///
/// A page that is touched for the first time costs the host a fault, which is as much as simulating
/// ten events. So what is large is taken in pages of 2 MB where the host has them, and what a run has
/// given back is there for the next one: a comparison runs many.
package enum LargeBuffer {
  /// What is smaller is left to the allocator.
  private static let leastKept = 64 << 10
  private static let largePage = 2 << 20
  /// What is larger is given back to the system.
  private static let greatestKept = 8 << 20
  /// At most so much is kept for later runs.
  private static let greatestSpare = 64 << 20

  /// What was given back, in the order in which it was.
  private struct Spares: @unchecked Sendable {
    var buffers: [UnsafeMutableRawBufferPointer] = []
    var bytes = 0
  }

  private static let spares = Monitor(Spares())

  /// Room for `capacity` records, to be given back with `deallocate`.
  @inline(__always)
  package static func allocate<Record: ~Copyable>(
    _: Record.Type, capacity: Int
  ) -> UnsafeMutablePointer<Record> {
    let bytes = capacity * MemoryLayout<Record>.stride
    if bytes < leastKept { return .allocate(capacity: capacity) }
    return buffer(bytes).bindMemory(to: Record.self, capacity: capacity)
  }

  /// Gives room for `capacity` records back.
  @inline(__always)
  package static func deallocate<Record: ~Copyable>(
    _ base: UnsafeMutablePointer<Record>, capacity: Int
  ) {
    let bytes = capacity * MemoryLayout<Record>.stride
    if bytes < leastKept { return base.deallocate() }
    keep(UnsafeMutableRawBufferPointer(start: base, count: room(bytes)))
  }

  /// Memory that a table has reserved and not filled yet.
  package struct Range: @unchecked Sendable {
    private let bytes: UnsafeRawBufferPointer

    /// Room for `count` records.
    package init<Record>(_ records: UnsafeMutablePointer<Record>, count: Int) {
      bytes = UnsafeRawBufferPointer(UnsafeBufferPointer(start: records, count: count))
    }

    /// Gets its whole pages from the system, where that is possible; changes nothing in them.
    package func prepare() {
      #if os(Linux)
        guard let base = bytes.baseAddress else { return }
        let first = base.alignedUp(toMultipleOf: 4_096)
        let end = (base + bytes.count).alignedDown(toMultipleOf: 4_096)
        // MADV_POPULATE_WRITE, which kernels have from 5.14 on; others refuse it.
        if end > first { _ = madvise(UnsafeMutableRawPointer(mutating: first), end - first, 23) }
      #endif
    }
  }

  /// What is taken for `bytes`: whole pages.
  private static func room(_ bytes: Int) -> Int {
    let page = bytes < largePage ? leastKept : largePage
    return (bytes + page - 1) / page * page
  }

  /// A buffer that was given back, or a fresh one.
  private static func buffer(_ bytes: Int) -> UnsafeMutableRawPointer {
    let room = room(bytes)
    let spare: UnsafeMutableRawPointer? = spares.look { spares in
      guard let index = spares.buffers.lastIndex(where: { $0.count == room }) else { return nil }
      spares.bytes -= room
      return spares.buffers.remove(at: index).baseAddress
    }
    return spare ?? LargeBuffer.fresh(room)
  }

  private static func fresh(_ room: Int) -> UnsafeMutableRawPointer {
    #if os(Linux)
      if room >= largePage { return mapped(room) }
    #endif
    return .allocate(byteCount: room, alignment: 64)
  }

  private static func keep(_ buffer: UnsafeMutableRawBufferPointer) {
    let isKept = spares.look { spares in
      let isTooMuch =
        buffer.count > greatestKept || spares.bytes + buffer.count > greatestSpare
      if isTooMuch { return false }
      spares.bytes += buffer.count
      spares.buffers.append(buffer)
      return true
    }
    if !isKept { giveBack(buffer) }
  }

  private static func giveBack(_ buffer: UnsafeMutableRawBufferPointer) {
    #if os(Linux)
      if buffer.count >= largePage {
        munmap(buffer.baseAddress, buffer.count)
        return
      }
    #endif
    buffer.deallocate()
  }

  #if os(Linux)
    /// Fresh pages, which the system is asked to make large, from an address that such may have on.
    private static func mapped(_ room: Int) -> UnsafeMutableRawPointer {
      let start = mmap(
        nil, room + largePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      guard let start, start != MAP_FAILED else { MemoryShortage.end() }
      let base = start.alignedUp(toMultipleOf: largePage)
      let before = base - start
      if before > 0 { munmap(start, before) }
      munmap(base + room, largePage - before)
      // A wish: where it is not heard, pages are small.
      _ = madvise(base, room, MADV_HUGEPAGE)
      return base
    }
  #endif
}
