import SpindleHost

/// A pool of blocks in which events are kept in no order, as chains of any length.
struct EventBlocks: ~Copyable {
  /// Some events.
  struct Chain: BitwiseCopyable {
    /// The first block; -1 when there are no events.
    fileprivate var block: Int32 = -1
    /// How many events the first block holds; the others are full.
    fileprivate(set) var used = Int32(EventBlocks.blockCapacity)
    /// How many events there are, when no block has been dropped.
    fileprivate(set) var count: Int32 = 0
    /// Whether there are none.
    @inline(__always) var isEmpty: Bool { block < 0 }
  }

  private static let blockCapacity = 15

  /// Each block has room for fifteen events and the number of the block that follows; 256 bytes.
  private var blocks: UnsafeMutablePointer<ScheduledEvent>
  private var count = 0
  private var room: Int
  /// The first block that may be used again; -1 for none.
  private var free: Int32 = -1

  private let storage: Storage
  /// How many bytes it has taken of its storage.
  private(set) var bytesTaken = 0

  /// Creates a pool with room for so many blocks, 1 or more, whose growth counts in `storage`.
  init(room: Int, _ storage: Storage) {
    (self.room, self.storage) = (room, storage)
    blocks = LargeBuffer.allocate(ScheduledEvent.self, capacity: room * 16)
  }

  deinit { LargeBuffer.deallocate(blocks, capacity: room * 16) }

  /// Adds an event to a chain; returns whether it is the chain's first.
  @inline(__always)
  mutating func append(_ event: ScheduledEvent, to chain: UnsafeMutablePointer<Chain>) -> Bool {
    let isFirst = chain.pointee.block < 0
    if chain.pointee.used == 15 {
      let block = takeBlock()
      setNext(block, chain.pointee.block)
      chain.pointee.block = block
      chain.pointee.used = 0
    }
    blocks[Int(chain.pointee.block) &* 16 &+ Int(chain.pointee.used)] = event
    chain.pointee.used &+= 1
    chain.pointee.count &+= 1
    return isFirst
  }

  /// Calls `body` with each event of a chain.
  @inline(__always)
  func forEach(of chain: Chain, _ body: (ScheduledEvent) -> Void) {
    var (block, used) = (chain.block, Int(chain.used))
    while block >= 0 {
      for index in 0..<used { body(blocks[Int(block) &* 16 &+ index]) }
      block = next(block)
      used = Self.blockCapacity
    }
  }

  /// An event of a chain's first block.
  @inline(__always)
  func event(_ index: Int, of chain: Chain) -> ScheduledEvent {
    assert(chain.block >= 0 && index >= 0 && index < chain.used, "event \(index) of \(chain.used)")
    return blocks[Int(chain.block) &* 16 &+ index]
  }

  /// Gives the first block of a chain, which has one, back; its events are gone.
  @inline(__always)
  mutating func dropFirstBlock(of chain: inout Chain) {
    let block = chain.block
    demand(block >= 0 && Int(block) < count, "a chain begins with block \(block) of \(count)")
    chain.block = next(block)
    chain.used = Int32(Self.blockCapacity)
    setNext(block, free)
    free = block
  }

  @inline(__always)
  private mutating func takeBlock() -> Int32 {
    if free >= 0 {
      let block = free
      free = next(block)
      return block
    }
    if count == room { grow() }
    count &+= 1
    return Int32(truncatingIfNeeded: count &- 1)
  }

  /// The block that follows.
  @inline(__always)
  private func next(_ block: Int32) -> Int32 {
    Int32(truncatingIfNeeded: blocks[Int(block) &* 16 &+ 15].time)
  }

  @inline(__always)
  private func setNext(_ block: Int32, _ next: Int32) {
    blocks[Int(block) &* 16 &+ 15].time = Int64(next)
  }

  @inline(never)
  private mutating func grow() {
    let size = MemoryLayout<ScheduledEvent>.stride * 16
    let wanted = storage.room(after: room, bytesEach: size, beside: 0, .events)
    bytesTaken += (wanted - room) * size
    let larger = LargeBuffer.allocate(ScheduledEvent.self, capacity: wanted * 16)
    larger.moveInitialize(from: blocks, count: room * 16)
    LargeBuffer.deallocate(blocks, capacity: room * 16)
    (blocks, room) = (larger, wanted)
  }
}
