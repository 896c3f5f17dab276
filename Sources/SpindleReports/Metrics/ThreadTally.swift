/// The counts of the thread that has a slot now; 32 bytes, so that two fit into a line of a cache.
struct ThreadTally {
  /// Its own work in nanoseconds.
  var processor: Int64 = 0
  /// The size of its stack; negative when it is not alive.
  var reserved: Int64 = -1
  /// When its innermost item began, or one of the two below.
  var itemStart = Self.noneYet
  /// Its innermost item that another one interrupts, a number of `WorkTally`; -1 for none.
  var interrupted: Int32 = -1
  /// The kind of its innermost item, with a bit for a task; -1 for none.
  var kind: Int32 = -1

  /// It runs no item now.
  static var noItem: Int64 { -1 }
  /// It has not run any item.
  static var noneYet: Int64 { -2 }

  /// The bit of the kind of a task.
  static var task: Int32 { 0x4000_0000 }

  /// The kind of the item that it runs; -1 for none, and for one of the library's own.
  @inline(__always)
  var runningKind: Int32 {
    // Of tasks it has no beginning.
    itemStart >= 0 || kind & Self.task != 0 ? kind & ~Self.task : -1
  }

  /// Whether it is alive.
  var isAlive: Bool { reserved >= 0 }
}
