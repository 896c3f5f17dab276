/// A thread of a run: its place among all that the run made, from 0 in order of creation.
///
/// Unlike the number of a thread in a log entry it is never used again.
public struct ThreadIndex: Hashable, Sendable, BitwiseCopyable, Comparable {
  /// The place; -1 for none.
  @usableFromInline package let raw: Int32

  /// The thread at this place.
  @inlinable
  package init(_ raw: Int32) { self.raw = raw }

  /// No thread: the outside world, or none.
  package static let none = ThreadIndex(-1)

  /// Whether it names no thread.
  @inlinable public var isNone: Bool { raw < 0 }

  public static func < (left: ThreadIndex, right: ThreadIndex) -> Bool { left.raw < right.raw }
}

/// Something with a lane of its own beside the threads: a queue, a pool, a lock; its place among all
/// that a timeline has met, from 0.
public struct LaneIndex: Hashable, Sendable, BitwiseCopyable, Comparable {
  /// The place; -1 for none.
  @usableFromInline package let raw: Int32

  /// The lane at this place.
  @inlinable
  package init(_ raw: Int32) { self.raw = raw }

  /// No lane.
  package static let none = LaneIndex(-1)

  /// Whether it names no lane.
  @inlinable public var isNone: Bool { raw < 0 }

  public static func < (left: LaneIndex, right: LaneIndex) -> Bool { left.raw < right.raw }
}

/// An item of work: its number among all of the run, from 1 in the order of submission.
public struct ItemIndex: Hashable, Sendable, BitwiseCopyable, Comparable {
  /// The number; 0 for none.
  @usableFromInline package let raw: Int32

  /// The item with this number.
  @inlinable
  package init(_ raw: Int32) { self.raw = raw }

  /// No item.
  package static let none = ItemIndex(0)

  /// Whether it names no item.
  @inlinable public var isNone: Bool { raw <= 0 }

  public static func < (left: ItemIndex, right: ItemIndex) -> Bool { left.raw < right.raw }
}
