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
  /// The number of its last item among those of kinds that come from outside, with a bit for a task; -1 where that came
  /// from elsewhere.
  var outside: Int32 = -1

  /// It runs no item now.
  static var noItem: Int64 { -1 }
  /// It has not run any item.
  static var noneYet: Int64 { -2 }

  /// The greatest number of an item from outside, and the bit of one that is a task.
  static var mostFromOutside: Int32 { 0x3FFF_FFFF }
  static var taskFromOutside: Int32 { 0x4000_0000 }

  /// Whether it runs an item of a kind that comes from outside: of tasks it has no beginning.
  @inline(__always)
  var runsFromOutside: Bool {
    outside >= 0 && (itemStart >= 0 || outside & Self.taskFromOutside != 0)
  }

  /// Whether it is alive.
  var isAlive: Bool { reserved >= 0 }
}
