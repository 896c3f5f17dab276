// The numbers of the fields that are read, by message.
//
// Source: google/perfetto:protos/perfetto/trace, of version 52.

/// Fields of a packet, and of a bundle of the kernel's events.
enum RecordedPacket {
  static let bundle: UInt64 = 1
  static let processTree: UInt64 = 2
  static let sequence: UInt64 = 10
  static let compressed: UInt64 = 50

  static let core: UInt64 = 1
  static let event: UInt64 = 2
  static let lost: UInt64 = 3
  static let compactSched: UInt64 = 4
}

/// Fields of a table of processes.
enum RecordedTree {
  static let process: UInt64 = 1
  static let thread: UInt64 = 2

  static let processNumber: UInt64 = 1
  static let commandLine: UInt64 = 3
  static let threadNumber: UInt64 = 1
  static let threadName: UInt64 = 2
  static let threadProcess: UInt64 = 3
}

/// Fields of an event of the kernel, and of each kind.
enum RecordedKernelEvent {
  static let time: UInt64 = 1
  static let thread: UInt64 = 2
  static let flags: UInt64 = 5
  static let switched: UInt64 = 4
  static let wakeup: UInt64 = 17
  static let waking: UInt64 = 20
  static let wakeupNew: UInt64 = 114
  static let rename: UInt64 = 236
  static let exec: UInt64 = 237
  static let exit: UInt64 = 238
  static let fork: UInt64 = 239
}

/// Fields of the table in which switches and wake-ups are columns.
enum CompactSched {
  static let switchTime: UInt64 = 1
  static let switchState: UInt64 = 2
  static let switchThread: UInt64 = 3
  static let switchPriority: UInt64 = 4
  static let names: UInt64 = 5
  static let switchName: UInt64 = 6
  static let wakingTime: UInt64 = 7
  static let wakingThread: UInt64 = 8
  static let wakingPriority: UInt64 = 10
  static let wakingName: UInt64 = 11
  static let wakingFlags: UInt64 = 12
}
