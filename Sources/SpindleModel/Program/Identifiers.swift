/// A register of a frame: where an activity keeps one value.
@usableFromInline
package struct Register: Hashable, Sendable, BitwiseCopyable {
  /// The index within the frame.
  @usableFromInline package let index: Int32

  /// Creates the register at `index`, which is not negative.
  @inlinable
  package init(_ index: Int) { self.index = Int32(truncatingIfNeeded: index) }
}

/// A stretch of instructions of the program: a function's body, a closure's, main's.
@usableFromInline
package struct BlockID: Hashable, Sendable, BitwiseCopyable {
  /// The index in `Program.blocks`.
  @usableFromInline package let index: Int32

  /// Creates the identifier of the block at `index`.
  @inlinable
  package init(_ index: Int) { self.index = Int32(truncatingIfNeeded: index) }
}

/// A place that creates an activity, draws a number or calls a function; see `Site`.
@usableFromInline
package struct SiteID: Hashable, Sendable, BitwiseCopyable {
  /// The index in `Program.sites`.
  @usableFromInline package let index: Int32

  /// Creates the identifier of the site at `index`.
  @inlinable
  package init(_ index: Int) { self.index = Int32(truncatingIfNeeded: index) }
}

/// A value declared at the top of a trace.
@usableFromInline
package struct GlobalID: Hashable, Sendable, BitwiseCopyable {
  /// The index in `Program.globals`.
  @usableFromInline package let index: Int32

  /// Creates the identifier of the global at `index`.
  @inlinable
  package init(_ index: Int) { self.index = Int32(truncatingIfNeeded: index) }
}

/// A class that the trace declares.
@usableFromInline
package struct ClassID: Hashable, Sendable, BitwiseCopyable {
  /// The index in `Program.classes`.
  @usableFromInline package let index: Int32

  /// Creates the identifier of the class at `index`.
  @inlinable
  package init(_ index: Int) { self.index = Int32(truncatingIfNeeded: index) }
}

/// A text that the run knows by number; equal texts have equal numbers.
public struct NameID: Hashable, Sendable, BitwiseCopyable {
  /// The index in the run's name table; the program's own texts come first.
  @usableFromInline package let index: Int32

  /// Creates the identifier of the name at `index`.
  @inlinable
  package init(_ index: Int) { self.index = Int32(truncatingIfNeeded: index) }

  /// No name.
  @inlinable package static var none: NameID { NameID(-1) }
}

/// A simulated thread.
///
/// A number is used again when the thread that had it can't be named any more.
public struct ThreadID: Hashable, Sendable, BitwiseCopyable {
  /// The index in the kernel's thread table.
  public let index: Int32

  /// Creates the identifier of the thread at `index`.
  @inlinable
  package init(_ index: Int) { self.index = Int32(truncatingIfNeeded: index) }

  /// No thread: the world outside.
  @inlinable public static var none: ThreadID { ThreadID(-1) }
}

/// A core of the simulated machine.
public struct CoreID: Hashable, Sendable, BitwiseCopyable {
  /// The index in the machine's list of cores.
  public let index: Int32

  /// Creates the identifier of the core at `index`.
  @inlinable
  public init(_ index: Int) { self.index = Int32(truncatingIfNeeded: index) }

  /// No core.
  @inlinable public static var none: CoreID { CoreID(-1) }
}
