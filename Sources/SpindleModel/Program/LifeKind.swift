/// What a value holds that is counted: an instance, a closure, an object of the library, or an array of
/// these.
package struct LifeKind: Hashable, Sendable, BitwiseCopyable {
  /// 1 for an instance, 2 for a closure, 3 for an object of the library, whose class stands above the low
  /// 16 bits; 4 more for an array of what the rest says.
  package let raw: Int32

  // All is inlinable: holds are counted for each of a run's instructions that hands something on.
  @inlinable init(raw: Int32) { self.raw = raw }

  /// What a register says, with 0 for nothing that is counted.
  package init?(word: Int64) {
    guard word > 0, let raw = Int32(exactly: word) else { return nil }
    self.raw = raw
  }

  /// An instance of a class of the trace.
  @inlinable package static var instance: LifeKind { LifeKind(raw: 1) }
  /// A closure.
  @inlinable package static var closure: LifeKind { LifeKind(raw: 2) }
  /// An object of a class of the library.
  @inlinable package static func object(_ handle: HandleClass) -> LifeKind {
    LifeKind(raw: 3 + Int32(handle.rawValue) << 16)
  }

  /// Arrays of values of this kind.
  @inlinable package var array: LifeKind { LifeKind(raw: raw + 4) }
  /// What an array's elements are; nil for what is no array.
  @inlinable package var element: LifeKind? { raw & 0xFFFF > 4 ? LifeKind(raw: raw - 4) : nil }
  /// The class of an object of the library; nil for what is none.
  @inlinable package var handle: HandleClass? {
    raw & 0xFFFF == 3 ? HandleClass(rawValue: UInt8(truncatingIfNeeded: raw >> 16)) : nil
  }

  @inlinable package static func == (one: LifeKind, other: LifeKind) -> Bool {
    one.raw == other.raw
  }
}

/// A register that holds what it has: its frame lets go of that when it ends.
package struct OwnedRegister: Hashable, Sendable, BitwiseCopyable {
  /// Its place in the frame.
  package var register: Register
  /// What it holds.
  package var kind: LifeKind

  /// Creates one.
  package init(register: Register, kind: LifeKind) {
    (self.register, self.kind) = (register, kind)
  }
}
