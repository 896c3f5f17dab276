extension Finding {
  /// Which part something that has a name plays in a finding; the raw value is its name in exports.
  package enum Role: String, Hashable, Sendable, CaseIterable {
    case accelerator, actor, awaited, barrier, condition, error, executor, group, holder, instance
    case item, lock, mode, once, operation, owner, policy, port, priority, property, queue, reader
    case runner, semaphore, signaller, source, stream, task, thread, timer, variable, writer

    /// What stands around a name in text.
    fileprivate var quote: String {
      switch self {
      case .priority: ""
      case .error: "\""
      case .accelerator, .actor, .awaited, .barrier, .condition, .executor, .group, .holder,
        .instance, .item, .lock, .mode, .once, .operation, .owner, .policy, .port, .property,
        .queue, .reader, .runner, .semaphore, .signaller, .source, .stream, .task, .thread, .timer,
        .variable, .writer:
        "'"
      }
    }
  }

  /// Something that has a name, and which part it plays.
  package struct Subject: Hashable, Sendable {
    /// Which part.
    package let role: Role
    /// What it is called, without quotes.
    package let name: String

    /// The name in quotes.
    var text: String { role.quote + name + role.quote }
  }

  /// What an amount in a finding measures; the raw value is its name in exports.
  package enum Measure: String, Hashable, Sendable, CaseIterable {
    case arriving, asked, asking, busy, computation, condition, constraint, cores, cycles, delay,
      duration
    case entered, items, late, limit, lost, merged, operations, others, rest, served, signals, since
    case size, steps, tasks, threads, time, used, waited, wanted, woken, workers, worked
  }

  /// A length, a moment, a size or a number, and what it measures.
  package struct Amount: Hashable, Sendable {
    /// What it is, with its unit.
    package enum Value: Hashable, Sendable {
      case count(Int), duration(Nanoseconds), moment(Instant), size(ByteCount)
      /// How often in a second.
      case rate(FixedDecimal)

      /// As text has it.
      package var text: String {
        switch self {
        case .count(let count): "\(count)"
        case .duration(let length): "\(length)"
        case .moment(let moment): "\(moment)"
        case .size(let size): "\(size)"
        case .rate(let rate): Self.text(perSecond: rate)
        }
      }

      /// A rate with two digits or more: `250/s`, `2.5/s`, `12/min`.
      private static func text(perSecond rate: FixedDecimal) -> String {
        func tenths(_ scaled: Int64) -> String {
          let (whole, rest) = ((scaled + 50_000_000) / 100_000_000).quotientAndRemainder(
            dividingBy: 10)
          return rest == 0 ? "\(whole)" : "\(whole).\(rest)"
        }
        if rate.billionths >= 9_950_000_000 {
          return "\((rate.billionths + 500_000_000) / 1_000_000_000)/s"
        }
        return rate.billionths >= 950_000_000
          ? tenths(rate.billionths) + "/s" : tenths(rate.billionths * 60) + "/min"
      }
    }

    /// What it measures.
    package let measure: Measure
    /// How much.
    package let value: Value

    /// Creates an amount.
    package init(measure: Measure, value: Value) { (self.measure, self.value) = (measure, value) }
  }

  /// What keeps a wait from ending; the raw value is its name in exports.
  package enum Obstacle: String, Hashable, Sendable, CaseIterable {
    /// The queue was never activated.
    case activation
    /// Someone is asleep in a run loop, in a mode that does not serve this.
    case asleep
    /// A barrier, or a writer, comes first.
    case barrier
    /// Another operation comes first.
    case dependency
    /// The owner has ended, or code that ended took it.
    case endedOwner
    /// What is waited for is free, and the waiter wants something else of it.
    case free
    /// Only who waits would do it, behind the wait.
    case itself
    /// The main thread, which alone would do it.
    case mainThread
    /// No code that is left does it.
    case nobody
    /// Nobody was asked to do it.
    case notStarted
    /// Someone has it.
    case owner
    /// All places are taken.
    case places
    /// It stands in a queue that something else occupies.
    case queued
    /// Readers have it.
    case readers
    /// It runs, and has not ended.
    case running
    /// A signal, or a call of another thread.
    case signal
    /// Its queue is suspended, or may start nothing.
    case suspended
    /// A task has it that is suspended.
    case suspendedTask
    /// Nothing in particular is known.
    case unknown
  }

  /// A wait that a finding is about.
  package struct Wait: Hashable, Sendable {
    /// What kind of thing is waited for.
    package let reason: WaitReason
    /// What keeps it from ending.
    package let obstacle: Obstacle
    /// Who waits, for what, and who has it, in the order of the text.
    package internal(set) var subjects: [Subject]

    init(reason: WaitReason, obstacle: Obstacle, subjects: [Subject]) {
      (self.reason, self.obstacle, self.subjects) = (reason, obstacle, subjects)
    }
  }
}
