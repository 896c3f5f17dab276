// The numbers of the fields that are written, by message.
//
// Source: google/perfetto:protos/perfetto/trace, of version 52.

/// Fields of a `TracePacket`.
enum PacketField {
  static let trace: UInt32 = 1
  static let ftraceEvents: UInt32 = 1
  static let processTree: UInt32 = 2
  static let clockSnapshot: UInt32 = 6
  static let timestamp: UInt32 = 8
  static let sequence: UInt32 = 10
  static let trackEvent: UInt32 = 11
  static let internedData: UInt32 = 12
  static let sequenceFlags: UInt32 = 13
  static let defaults: UInt32 = 59
  static let trackDescriptor: UInt32 = 60

  /// Values of `sequenceFlags`: earlier state is invalid; texts are referenced by number.
  static let clearsState: UInt64 = 1
  static let needsState: UInt64 = 2
}

/// Fields of a `TrackEvent` and of its parts.
enum EventField {
  static let categoryNumbers: UInt32 = 3
  static let annotations: UInt32 = 4
  static let type: UInt32 = 9
  static let nameNumber: UInt32 = 10
  static let track: UInt32 = 11
  static let name: UInt32 = 23
  static let counterValue: UInt32 = 30
  static let flows: UInt32 = 47
  static let endingFlows: UInt32 = 48

  static let begin: UInt64 = 1
  static let end: UInt64 = 2
  static let counter: UInt64 = 4

  static let annotationName: UInt32 = 1
  static let annotationInteger: UInt32 = 4
  static let annotationText: UInt32 = 6
  static let annotationTextNumber: UInt32 = 17
}

/// Fields of `InternedData`.
enum InternedField {
  static let categories: UInt32 = 1
  static let eventNames: UInt32 = 2
  static let annotationNames: UInt32 = 3
  static let annotationTexts: UInt32 = 29

  static let number: UInt32 = 1
  static let text: UInt32 = 2
}

/// Fields of a `TrackDescriptor` and of its parts.
enum TrackField {
  static let identifier: UInt32 = 1
  static let name: UInt32 = 2
  static let process: UInt32 = 3
  static let thread: UInt32 = 4
  static let parent: UInt32 = 5
  static let counter: UInt32 = 8
  static let childOrdering: UInt32 = 11
  static let rank: UInt32 = 12

  static let processNumber: UInt32 = 1
  static let processName: UInt32 = 6
  static let threadNumber: UInt32 = 2
  static let threadName: UInt32 = 5
  static let counterUnit: UInt32 = 3

  static let byRank: UInt64 = 3
  static let unitCount: UInt64 = 2
  static let unitBytes: UInt64 = 3
}

/// Fields of the kernel's events.
enum FtraceField {
  static let core: UInt32 = 1
  static let event: UInt32 = 2

  static let timestamp: UInt32 = 1
  static let thread: UInt32 = 2
  static let schedSwitch: UInt32 = 4
  static let schedWaking: UInt32 = 20

  static let previousName: UInt32 = 1
  static let previousThread: UInt32 = 2
  static let previousPriority: UInt32 = 3
  static let previousState: UInt32 = 4
  static let nextName: UInt32 = 5
  static let nextThread: UInt32 = 6
  static let nextPriority: UInt32 = 7

  static let wokenName: UInt32 = 1
  static let wokenThread: UInt32 = 2
  static let wokenPriority: UInt32 = 3
  static let success: UInt32 = 4
  static let targetCore: UInt32 = 5
}

/// The numbers of tracks: by what they are of, and which one of those it is.
enum PerfettoTrack {
  static let process: UInt64 = 1
  static let run: UInt64 = 2
  static let findings: UInt64 = 3
  static let outside: UInt64 = 4
  static let memory: UInt64 = 5
  static let liveThreads: UInt64 = 6
  static let readyThreads: UInt64 = 7
  static let lanes: UInt64 = 8

  static func thread(_ thread: ThreadIndex) -> UInt64 {
    1 << 56 | UInt64(UInt32(max(0, thread.raw)))
  }
  static func lane(_ lane: LaneIndex) -> UInt64 { 2 << 56 | UInt64(UInt32(max(0, lane.raw))) }
  static func length(_ lane: LaneIndex) -> UInt64 { 3 << 56 | UInt64(UInt32(max(0, lane.raw))) }
  /// One of the rows of a lane, of which there may be 2^24.
  static func row(_ lane: LaneIndex, _ row: Int) -> UInt64 {
    4 << 56 | UInt64(UInt32(max(0, lane.raw))) << 24 | UInt64(row)
  }
}
