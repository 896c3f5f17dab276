/// What is known of a crash beside its message and place.
package struct CrashReport: Hashable, Sendable {
  /// The thread that crashed, with what it ran, as findings call it; nil for code without a thread.
  package var thread: String?
  /// The calls that were going on in that code, innermost first; of a deep stack the innermost ones.
  package var calls: [ActiveCall]
  /// How many calls there were in all.
  package var depth: Int
  /// The object of the library that the crash is about; nil where it is about none.
  package var object: Object?
  /// How the trace calls that object, with its class; nil unless its uses were asked for.
  package var objectName: String?
  /// The last things that were done with that object, in order; empty unless that was asked for.
  package var uses: [Use] = []

  /// How many calls are kept at most.
  package static let keptCalls = 24
  /// How many uses are kept at most.
  package static let keptUses = 6

  /// An object of the library.
  package struct Object: Hashable, Sendable {
    /// Its class, or for a lock any class of locks.
    package var handle: HandleClass
    /// Its number among those of its class, as the log has it.
    package var number: Int32

    /// Creates a reference to an object.
    package init(handle: HandleClass, number: Int32) {
      (self.handle, self.number) = (handle, number)
    }
  }

  /// A step of the log that is about an object.
  package struct Use: Hashable, Sendable {
    /// When.
    package var time: Instant
    /// By which thread, `world` for none.
    package var thread: String
    /// What was done, as the log has it.
    package var step: String
    /// Where in the trace; nil where that is not known.
    package var place: SourceRange?

    /// Creates a use.
    package init(time: Instant, thread: String, step: String, place: SourceRange?) {
      (self.time, self.thread, self.step, self.place) = (time, thread, step, place)
    }
  }

  /// Creates a report.
  package init(thread: String?, calls: [ActiveCall], depth: Int, object: Object?) {
    (self.thread, self.calls, self.depth, self.object) = (thread, calls, depth, object)
  }
}
