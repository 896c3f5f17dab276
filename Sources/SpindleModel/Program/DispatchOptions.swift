/// What a dispatch queue is made with.
@usableFromInline
package struct DispatchQueueAttributes: OptionSet, Hashable, Sendable, BitwiseCopyable {
  @usableFromInline package let rawValue: Int64

  @inlinable
  package init(rawValue: Int64) { self.rawValue = rawValue }

  /// Its items run side by side.
  @inlinable package static var concurrent: Self { Self(rawValue: 1) }
  /// It waits to be activated.
  @inlinable package static var initiallyInactive: Self { Self(rawValue: 2) }

  /// What a trace calls them, in the order of their bits.
  package static let names = ["concurrent", "initiallyInactive"]
}

/// When the autorelease pool is drained that the items of a dispatch queue have; neither bit is `inherit`.
@usableFromInline
package struct DispatchAutoreleaseFrequency: OptionSet, Hashable, Sendable, BitwiseCopyable {
  @usableFromInline package let rawValue: Int64

  @inlinable
  package init(rawValue: Int64) { self.rawValue = rawValue }

  /// Behind each item that was handed over.
  @inlinable package static var workItem: Self { Self(rawValue: 1) }
  /// When the thread drains its own.
  @inlinable package static var never: Self { Self(rawValue: 2) }

  /// What a trace calls them, in the order of their bits; the last says neither.
  package static let names = ["workItem", "never", "inherit"]
}

/// How an item of a dispatch queue is run.
@usableFromInline
package struct DispatchWorkItemFlags: OptionSet, Hashable, Sendable, BitwiseCopyable {
  @usableFromInline package let rawValue: Int64

  @inlinable
  package init(rawValue: Int64) { self.rawValue = rawValue }

  /// It runs alone in a concurrent queue.
  @inlinable package static var barrier: Self { Self(rawValue: 1) }
  /// It has nothing of who hands it over.
  @inlinable package static var detached: Self { Self(rawValue: 2) }
  /// It has the class of service of who makes it.
  @inlinable package static var assignCurrentContext: Self { Self(rawValue: 4) }
  /// It has no class of service of its own.
  @inlinable package static var noQoS: Self { Self(rawValue: 8) }
  /// The class of its queue counts.
  @inlinable package static var inheritQoS: Self { Self(rawValue: 16) }
  /// Its own class counts, where it is more urgent than its queue's.
  @inlinable package static var enforceQoS: Self { Self(rawValue: 32) }

  /// What a trace calls them, in the order of their bits.
  package static let names = [
    "barrier", "detached", "assignCurrentContext", "noQoS", "inheritQoS", "enforceQoS",
  ]
}
