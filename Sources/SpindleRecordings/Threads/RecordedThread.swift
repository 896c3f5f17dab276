/// A thread of a recording, as known at its end.
package struct RecordedThread: Hashable, Sendable {
  /// The number that the system gave it; another thread may have had it before.
  package var number: Int32
  /// Its last name; empty where unknown.
  package var name = ""
  /// The number of its process; -1 where that is not known.
  package var process: Int32 = -1
  /// Its creator, as a place in the list of threads; -1 where it existed before.
  package var parent: Int32 = -1
  /// Its last priority: 100 to 139 are the nice values from -20 to 19, below that it is real-time.
  package var priority: Int32 = 120
  /// Whether it became another program in the recording.
  package var isProgram = false
  /// Whether it is one of libdispatch's pool.
  package var isWorker = false
  /// Whether the recording calls it the first thread of its process.
  package var isMain = false
  /// Whether its end was seen.
  package var hasEnded = false
  /// The cores that it ran on, by bits; those from 63 on share one.
  package var cores: UInt64 = 0
  /// The first and the last moment at which something is known of it.
  package var first: Int64 = .max
  package var last: Int64 = .min
  /// How long it had a core.
  package var ran: Int64 = 0
  /// How long it could have run and had none.
  package var waited: Int64 = 0
  /// How often it got a core.
  package var switches: Int64 = 0
  /// How often it was made ready.
  package var wakes: Int64 = 0
  /// How often that it got a core was not recorded.
  package var inferred: Int64 = 0

  /// Whether it belongs to the kernel, by its name.
  package var isKernel: Bool {
    let own = [
      "kworker/", "ksoftirqd/", "migration/", "rcu", "kswapd", "irq/", "cpuhp/", "watchdog",
      "kcompactd", "jbd2/", "khugepaged", "kthreadd", "mmcqd", "idle_inject",
    ]
    return own.contains { name.hasPrefix($0) }
  }

  /// Its nice value; nil of a real-time thread.
  package var nice: Int32? { priority >= 100 && priority < 140 ? priority - 120 : nil }
}

/// What a recording holds, counted as it is read.
package struct RecordingCounts: Hashable, Sendable {
  /// How many switches were recorded.
  package var switches: Int64 = 0
  /// How many wakes: where waking and waking up were both recorded, the first.
  package var wakes: Int64 = 0
  /// How many of them were made in interrupts, where the recording shows it.
  package var wakesInInterrupts: Int64 = 0
  /// Whether it shows it.
  package var tellsInterrupts = false
  /// How many wake-ups were recorded only as threads being runnable.
  package var readied: Int64 = 0
  /// How often a core had a thread without a switch to it.
  package var inferred: Int64 = 0
  /// How often a thread was dispatched without a recorded end of its wait.
  package var wakesMissing: Int64 = 0
  /// How often a switch named another thread than the one that had the core.
  package var breaks: Int64 = 0
  /// How many events precede an earlier one on their core.
  package var unordered: Int64 = 0
  /// How many calls of blocks were seen by probes in libdispatch.
  package var calls: Int64 = 0
  /// How many events were lost, according to the recording.
  package var lost: Int64 = 0
  /// What can't be read: the first of it, and how much.
  package var firstUnread: RecordingMistake?
  package var unread: Int64 = 0
  /// The number of cores of the machine, where the recording states it.
  package var statedCores = 0
  /// The slower cores, by bits; those from 63 on share one.
  package var efficiencyCores: UInt64 = 0
  /// The cores on which a thread was seen, or made ready.
  package var cores: Set<Int32> = []
  /// The first moment, and the last.
  package var first: Int64 = .max
  package var last: Int64 = .min

  /// How long the recording is.
  package var length: Int64 { last > first ? last - first : 0 }
}
