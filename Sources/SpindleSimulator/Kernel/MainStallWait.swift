import SpindleModel

/// What stood before the main thread when it began to wait.
struct MainWaitLine: BitwiseCopyable, Equatable {
  /// The thread that had what it waits for; none where nobody has it, or nobody knows.
  var thread = ThreadID.none
  /// The name and the kind of the item that this one ran, or of the first in the line; -1 for none.
  var item: Int32 = -1
  var kind: Int32 = -1
  /// How many items stood in the line besides, or how many operations there were.
  var count: Int32 = 0
}

/// A wait of the main thread, kept for the explanation of a hang.
struct MainStallWait: BitwiseCopyable {
  let reason: WaitReason
  /// What it waited for, as the thread's record has it, and the number of its name.
  let object: Int32
  let name: Int32
  /// What stood before it, in the longest of the waits that are counted here, and whether that was another
  /// thing in others.
  private(set) var line: MainWaitLine
  private(set) var isLineMixed = false
  private var longest: Int64
  /// The instruction that waited longest.
  private(set) var place: Int32
  private(set) var length: Int64

  /// Creates the description of the wait that a thread is in.
  init(
    _ record: UnsafePointer<ThreadRecord>, name: Int32, line: MainWaitLine, until time: Int64
  ) {
    (self.name, self.line) = (name, line)
    longest = time - record.pointee.since
    (reason, object) = (record.pointee.reason, record.pointee.waitObject)
    (place, length) = (record.pointee.place, time - record.pointee.since)
    demand(length >= 0, "the main thread waited from \(record.pointee.since)ns until \(time)ns")
  }

  /// Adds another wait, if it is for the same; whether it is.
  mutating func merge(_ other: MainStallWait) -> Bool {
    if reason != other.reason || object != other.object { return false }
    length += other.length
    if line != other.line || other.isLineMixed { isLineMixed = true }
    if other.longest > longest {
      (line, longest, place) = (other.line, other.longest, other.place)
    }
    return true
  }
}

/// The waits of the main thread since it last could answer, those for the same as one.
struct MainWaits {
  private var all: [MainStallWait] = []
  /// How many of these count: the others were forgotten.
  private var count = 0
  /// How many are kept: of more the longest.
  private static let limit = 8

  /// Those that took longest, the longest first.
  var longestFirst: [MainStallWait] {
    all.indices.prefix(count).sorted {
      all[$0].length == all[$1].length ? $0 < $1 : all[$0].length > all[$1].length
    }.map { all[$0] }
  }

  /// Adds a wait that has ended, or goes on.
  mutating func add(_ wait: MainStallWait) {
    for index in 0..<count where all[index].merge(wait) { return }
    if count < Self.limit {
      if count < all.count { all[count] = wait } else { all.append(wait) }
      count += 1
      return
    }
    let shortest = all.indices.reduce(0) { all[$1].length < all[$0].length ? $1 : $0 }
    if all[shortest].length < wait.length { all[shortest] = wait }
  }

  /// Forgets them all.
  mutating func removeAll() { count = 0 }
}

extension Kernel {
  /// The main thread can answer, or begins something new: its waits until now do not count any more.
  mutating func forgetMainWaits() { mainWaits.removeAll() }

  /// Says what stands before the main thread where it waits from now on.
  mutating func noteLine(_ line: MainWaitLine, of thread: ThreadID) {
    demand(
      threads.at(thread).pointee.role == .main && threads.at(thread).pointee.state == .waiting,
      "thread \(thread.index) does not wait as the main thread")
    mainWaitLine = line
  }

  /// The main thread's wait ends: keeps it, together with those before for the same.
  ///
  /// The waits of `dispatchMain()` do not count, during which it can answer, nor does what a schedule does.
  mutating func noteMainWait(_ thread: ThreadID) {
    let record = threads.at(thread)
    assert(record.pointee.role == .main, "thread \(thread.index) waits as the main thread")
    if record.pointee.reason == .runLoop && record.pointee.waitObject < 0 { return }
    if record.pointee.reason == .held { return }
    mainWaits.add(MainStallWait(record, name: mainWaitName, line: mainWaitLine, until: now))
  }
}
