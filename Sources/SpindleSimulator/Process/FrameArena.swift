import SpindleModel
import SpindleHost

/// Frames and closures: where activities keep their registers.
///
/// A frame is three words, its place in the program, its caller and size, and its key, and then its
/// registers. A closure is a frame that has not been entered: its captured values are in place, so an
/// item that waits costs no more than its frame, and running it copies nothing. Frames are found by
/// number, four words a number; freed ones are used again by size, the last one first. What the
/// simulator itself does on a thread, like a pass of a run loop, has a frame too, without a block.
struct FrameArena: ~Copyable {
  private(set) var words: UnsafeMutablePointer<Int64>
  private var used = 4
  private var capacity: Int
  /// By size: the first frame that may be used again.
  private var free: UnsafeMutablePointer<Int32>
  /// How many sizes `free` has.
  private var classes = 64
  private let storage: Storage
  /// What the registers of a new frame hold; nil for anything.
  ///
  /// See `StructureSizes.frameFiller`.
  private let filler: Int64?

  /// The words before the registers.
  static let header = 3
  /// More words than a call of the vocabulary reads from its first argument on: so many are there behind
  /// the last frame too, so that who reads the arguments of a call that has fewer reads no more than
  /// what any register may hold.
  static let window = 16
  /// The largest size of a frame, in units of four words: 65,536 registers and more fit.
  private static let greatestSize = 1 << 16

  /// Creates an empty arena with room for so many words, 8 or more; its growth counts in `storage`.
  init(_ storage: Storage, room: Int, filler: Int64? = nil) {
    (self.storage, self.filler) = (storage, filler)
    capacity = room
    words = WatchedBuffer.allocate(Int64.self, capacity: capacity + Self.window)
    free = .allocate(capacity: classes)
    free.initialize(repeating: -1, count: classes)
  }

  deinit {
    WatchedBuffer.deallocate(words, capacity: capacity + Self.window)
    free.deallocate()
  }

  /// A frame for `block`, from the instruction `entry` on, with room for `registers`, which hold
  /// anything.
  @inline(__always)
  mutating func allocate(
    block: Int32, entry: Int32, registers: Int32, parent: FrameIndex, key: UInt64
  ) -> FrameIndex {
    let size = (Int(registers) &+ Self.header &+ 3) >> 2
    if size >= classes { addClasses(upTo: size) }
    let frame: FrameIndex
    if free[size] >= 0 {
      frame = FrameIndex(free[size])
      free[size] = unchecked.counter(frame)
    } else {
      if used &+ size << 2 > capacity { grow(by: size << 2) }
      frame = FrameIndex(Int32(truncatingIfNeeded: used >> 2))
      used &+= size << 2
    }
    unchecked.begin(
      frame, counter: entry, block: block, parent: parent,
      size: Int32(truncatingIfNeeded: size), key: key)
    if filler != nil { fill(frame, size &* 4 &- Self.header) }
    return frame
  }

  @inline(never)
  private func fill(_ frame: FrameIndex, _ count: Int) {
    guard let filler else { return }
    unchecked.registers(frame).update(repeating: filler, count: count)
  }

  /// A frame of the simulator's own, which runs no code of the program; see `Activity`.
  ///
  /// Its registers are 0; its counter, the state that it is in, is 0 too.
  mutating func allocate(_ activity: Activity, registers: Int32, parent: FrameIndex) -> FrameIndex {
    let frame = allocate(
      block: -1 - Int32(activity.rawValue), entry: 0, registers: registers, parent: parent, key: 0)
    self.registers(frame).update(repeating: 0, count: Int(registers))
    return frame
  }

  /// The same frames, whose numbers are checked in debug builds only: for what is done for every
  /// event, with a number that the simulator has kept itself; valid until the next allocation.
  @inline(__always)
  var unchecked: UncheckedFrames { UncheckedFrames(words: words) }

  /// The frames, once it is sure that this is one of them.
  @inline(__always)
  private func checked(_ frame: FrameIndex) -> UncheckedFrames {
    checkIndex(Int(frame.raw) << 2, of: used)
    return unchecked
  }

  /// Whether a frame is one of the simulator's own.
  @inline(__always)
  func isNative(_ frame: FrameIndex) -> Bool { block(frame) < 0 }

  /// What a frame of the simulator's own is for; nil for one that runs code of the program.
  func activity(_ frame: FrameIndex) -> Activity? {
    let block = block(frame)
    return block < 0 ? Activity(rawValue: UInt8(truncatingIfNeeded: -1 - block)) : nil
  }

  /// Gives a frame back.
  @inline(__always)
  mutating func release(_ frame: FrameIndex) {
    let size = Int(unchecked.size(frame))
    unchecked.setCounter(frame, free[size])
    free[size] = frame.raw
  }

  /// The key of the frame that has these registers.
  static func key(below registers: UnsafeMutablePointer<Int64>) -> UInt64 {
    UInt64(bitPattern: registers[-1])
  }

  /// The frame that has these registers.
  func frame(below registers: UnsafeMutablePointer<Int64>) -> FrameIndex {
    FrameIndex(Int32(truncatingIfNeeded: (registers - words - Self.header) >> 2))
  }

  /// The registers of a frame; valid until the next allocation.
  @inline(__always)
  func registers(_ frame: FrameIndex) -> UnsafeMutablePointer<Int64> {
    checked(frame).registers(frame)
  }

  /// Copies the first registers of a frame to another one.
  @inline(__always)
  func copy(_ count: Int, from source: FrameIndex, to target: FrameIndex) {
    if count > 0 { registers(target).update(from: registers(source), count: count) }
  }

  /// The block that a frame runs.
  @inline(__always)
  func block(_ frame: FrameIndex) -> Int32 { checked(frame).block(frame) }

  /// The instruction that a frame runs next.
  @inline(__always)
  func counter(_ frame: FrameIndex) -> Int32 { checked(frame).counter(frame) }

  /// Sets the instruction that a frame runs next.
  @inline(__always)
  func setCounter(_ frame: FrameIndex, _ counter: Int32) {
    checked(frame).setCounter(frame, counter)
  }

  /// The frame that called this one; -1 for none.
  @inline(__always)
  func parent(_ frame: FrameIndex) -> FrameIndex { checked(frame).parent(frame) }

  /// The key of what a frame does; see `RandomStreams`.
  @inline(__always)
  func key(_ frame: FrameIndex) -> UInt64 { checked(frame).key(frame) }

  /// Whether a number may be that of a frame: it lies within the arena.
  func contains(_ frame: FrameIndex) -> Bool { frame.raw > 0 && Int(frame.raw) << 2 < used }

  /// Whether a frame has the size of one with so many registers, and lies within the arena.
  func isFrame(_ frame: FrameIndex, registers: Int32) -> Bool {
    let size = (Int(registers) &+ Self.header &+ 3) >> 2
    return Int(checked(frame).size(frame)) == size && (Int(frame.raw) &+ size) << 2 <= used
  }

  /// Sets the frame that this one returns to.
  func setParent(_ frame: FrameIndex, _ parent: FrameIndex) {
    checked(frame).setParent(frame, parent)
  }

  /// Sets the key of what a frame does.
  @inline(__always)
  func setKey(_ frame: FrameIndex, _ key: UInt64) { checked(frame).setKey(frame, key) }

  @inline(never)
  private mutating func addClasses(upTo size: Int) {
    demand(size < Self.greatestSize, "a frame of \(size * 4) words is too large")
    let larger = UnsafeMutablePointer<Int32>.allocate(capacity: size * 2)
    larger.moveInitialize(from: free, count: classes)
    (larger + classes).initialize(repeating: -1, count: size * 2 - classes)
    free.deallocate()
    (free, classes) = (larger, size * 2)
  }

  @inline(never)
  private mutating func grow(by need: Int) {
    let larger = storage.room(after: capacity, need: need, bytesEach: 8, beside: 0, .frames)
    demand(larger >> 2 < Int(Int32.max), "the frames of the simulated program do not fit")
    let moved = WatchedBuffer.allocate(Int64.self, capacity: larger + Self.window)
    moved.moveInitialize(from: words, count: used)
    WatchedBuffer.leave(words, capacity: capacity + Self.window)
    (words, capacity) = (moved, larger)
  }
}

/// The frames of an arena, reached without a check in release builds.
struct UncheckedFrames {
  fileprivate let words: UnsafeMutablePointer<Int64>

  /// Where in a frame, in bytes, the next instruction, the block, the caller, the size and the key
  /// stand.
  private enum Offset {
    static let counter = 0
    static let block = 4
    static let parent = 8
    static let size = 12
    static let key = 16
  }

  /// Where a frame's words begin.
  @inline(__always)
  private func base(_ frame: FrameIndex) -> UnsafeMutableRawPointer {
    assert(frame.raw > 0, "no frame has the number \(frame)")
    return UnsafeMutableRawPointer(words + Int(frame.raw) << 2)
  }

  /// Writes what stands before the registers.
  @inline(__always)
  fileprivate func begin(
    _ frame: FrameIndex, counter: Int32, block: Int32, parent: FrameIndex, size: Int32, key: UInt64
  ) {
    let base = base(frame)
    base.storeBytes(of: counter, toByteOffset: Offset.counter, as: Int32.self)
    base.storeBytes(of: block, toByteOffset: Offset.block, as: Int32.self)
    base.storeBytes(of: parent.raw, toByteOffset: Offset.parent, as: Int32.self)
    base.storeBytes(of: size, toByteOffset: Offset.size, as: Int32.self)
    base.storeBytes(of: key, toByteOffset: Offset.key, as: UInt64.self)
  }

  /// How many units of four words a frame has.
  @inline(__always)
  fileprivate func size(_ frame: FrameIndex) -> Int32 {
    base(frame).load(fromByteOffset: Offset.size, as: Int32.self)
  }

  /// The registers of a frame.
  @inline(__always)
  func registers(_ frame: FrameIndex) -> UnsafeMutablePointer<Int64> {
    words + (Int(frame.raw) << 2 &+ FrameArena.header)
  }

  /// The block that a frame runs.
  @inline(__always)
  func block(_ frame: FrameIndex) -> Int32 {
    base(frame).load(fromByteOffset: Offset.block, as: Int32.self)
  }

  /// Whether a frame is one of the simulator's own.
  @inline(__always)
  func isNative(_ frame: FrameIndex) -> Bool { block(frame) < 0 }

  /// The instruction that a frame runs next.
  @inline(__always)
  func counter(_ frame: FrameIndex) -> Int32 {
    base(frame).load(fromByteOffset: Offset.counter, as: Int32.self)
  }

  /// Sets the instruction that a frame runs next.
  @inline(__always)
  func setCounter(_ frame: FrameIndex, _ counter: Int32) {
    base(frame).storeBytes(of: counter, toByteOffset: Offset.counter, as: Int32.self)
  }

  /// The frame that called this one; -1 for none.
  @inline(__always)
  func parent(_ frame: FrameIndex) -> FrameIndex {
    FrameIndex(base(frame).load(fromByteOffset: Offset.parent, as: Int32.self))
  }

  /// The key of what a frame does.
  @inline(__always)
  func key(_ frame: FrameIndex) -> UInt64 {
    base(frame).load(fromByteOffset: Offset.key, as: UInt64.self)
  }

  /// Sets the frame that a frame returns to.
  @inline(__always)
  func setParent(_ frame: FrameIndex, _ parent: FrameIndex) {
    base(frame).storeBytes(of: parent.raw, toByteOffset: Offset.parent, as: Int32.self)
  }

  /// Sets the key of what a frame does.
  @inline(__always)
  func setKey(_ frame: FrameIndex, _ key: UInt64) {
    base(frame).storeBytes(of: key, toByteOffset: Offset.key, as: UInt64.self)
  }
}
