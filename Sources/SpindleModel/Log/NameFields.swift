/// Which fields of a log entry hold the number of a name, beside `object`, which always does.
@usableFromInline package struct NameFields: OptionSet, Hashable, Sendable {
  @usableFromInline package let rawValue: UInt8

  @inlinable
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  @inlinable package static var other: NameFields { NameFields(rawValue: 1) }
  @inlinable package static var subject: NameFields { NameFields(rawValue: 2) }
  @inlinable package static var value: NameFields { NameFields(rawValue: 4) }

  /// The fields of `entry` that are names.
  @inlinable
  @inline(__always)
  package init(of entry: LogEntry) {
    switch entry.event {
    case .itemSubmitted, .valueAnnounced, .itemPlanned: self = .other
    case .threadCreated, .objectMade: self = .subject
    case .runLoopItemAdded, .runLoopItemRemoved:
      self = NameFields.isOfUnstarted(entry) ? [.subject, .value] : .subject
    case .runLoopWoken, .performAsked, .commonModeAdded, .threadCancelled:
      self = NameFields.isOfUnstarted(entry) ? .value : []
    case .dependencyChanged, .targetSet: self = .value
    case .record, .sampled, .sharedRead, .sharedWritten:
      switch ValueFormat(rawValue: entry.detail) {
      case .string, .symbol, .thread: self = .value
      // Of a recorded object the log has the number, of a shared one the name.
      case .object: self = entry.event == .record ? [] : .value
      default: self = []
      }
    default: self = []
    }
  }

  /// Whether the value of `entry` is the name of a thread that was not started.
  @inlinable
  @inline(__always)
  static func isOfUnstarted(_ entry: LogEntry) -> Bool {
    ThreadMention(rawValue: entry.detail).contains(.notStarted)
  }
}
