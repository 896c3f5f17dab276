import SpindleHost
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A hidden file beside the one whose place it is to take.
///
/// Its name is drawn, so that processes with one number in different containers do not meet, and
/// leaves out the other's, which may be as long as names can be. A class, since the file goes with
/// it: whatever happens, a file that was not put in its place is removed, and no other.
final class PartialFile {
  private let path: [CChar]
  private let descriptorAtStart: Int32
  private var slot: Int?
  private var exists = true

  /// Where to write to; the owner of the file closes it.
  var descriptor: Int32 { descriptorAtStart }

  /// Makes the file beside `target`; the error number says why it can't be made.
  init(
    beside target: LinkedPath, drawing draw: () -> UInt64 = { .random(in: 0...UInt64.max) }
  ) throws(Refusal) {
    while true {
      let path = target.sibling(".spindle-\(String(draw(), radix: 36)).partial")
      // Noted before it is made: no signal can come between.
      let slot = PartialFiles.add(path)
      let made = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if made >= 0 {
        (self.path, descriptorAtStart, self.slot) = (path, made, slot)
        return
      }
      let number = errno
      if let slot { PartialFiles.take(slot) }
      // Another's: it stays, and the next name is tried.
      if number != EEXIST { throw Refusal(number: number) }
    }
  }

  /// Why the system did not do it.
  struct Refusal: Error {
    let number: Int32
  }

  deinit { discard() }

  /// Gives the file the rights and the owner of another; says whether it has them.
  func takeOver(_ status: stat) -> Bool {
    var own = stat()
    guard fstat(descriptor, &own) == 0 else { return false }
    if own.st_uid != status.st_uid || own.st_gid != status.st_gid {
      guard fchown(descriptor, status.st_uid, status.st_gid) == 0 else { return false }
    }
    return fchmod(descriptor, status.st_mode & 0o7777) == 0
  }

  /// Puts the file in the place of `target`; returns the error number of what went wrong, or 0.
  func replace(_ target: LinkedPath) -> Int32 {
    guard rename(path, target.path) == 0 else { return errno }
    exists = false
    if let slot { PartialFiles.take(slot) }
    // What the folder now says survives a loss of power. A folder that may be written but not read
    // can't be opened for that.
    let folder = open(target.folder, O_RDONLY | O_CLOEXEC)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
    return 0
  }

  /// Removes the file unless it was put in its place.
  func discard() {
    guard exists else { return }
    exists = false
    // Whoever takes the name removes the file: a signal may have done so.
    if slot.map({ PartialFiles.take($0) }) ?? true { unlink(path) }
  }
}

/// The names of all partial files of the process, to be removed by a signal that ends it.
package enum PartialFiles {
  /// More at once are not seen by signals; the tool itself has one.
  private static let room = 64

  /// The address of each name as a C string, 0 where there is none.
  ///
  /// Never freed, and changed by atomic exchange only: whoever gets a name out has it alone. So it
  /// may be looked at by a signal's handler at any moment, which no lock may.
  nonisolated(unsafe) private static let names: UnsafeMutablePointer<Atomic<UInt>> = {
    let names = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: room)
    for index in 0..<room { (names + index).initialize(to: Atomic(0)) }
    return names
  }()

  /// Notes a name; returns where, nil when there is no room.
  static func add(_ path: [CChar]) -> Int? {
    guard let name = strdup(path) else { return nil }
    let address = UInt(bitPattern: name)
    for index in 0..<room {
      let (isDone, _) = names[index].compareExchange(
        expected: 0, desired: address, ordering: .sequentiallyConsistent)
      if isDone { return index }
    }
    free(name)
    return nil
  }

  /// Forgets a name; false when a signal has it.
  @discardableResult
  static func take(_ slot: Int) -> Bool {
    let address = names[slot].exchange(0, ordering: .sequentiallyConsistent)
    guard let name = UnsafeMutablePointer<CChar>(bitPattern: address) else { return false }
    free(name)
    return true
  }

  /// Removes all of the files; calls nothing that a signal's handler may not call.
  private static func removeAll() {
    for index in 0..<room {
      let address = names[index].exchange(0, ordering: .sequentiallyConsistent)
      if let name = UnsafePointer<CChar>(bitPattern: address) { unlink(name) }
    }
  }

  /// From now on, the end of the process removes the files, however it comes.
  package static func removeAtTheEnd() {
    // Tables that are there before the first signal need no lock of the run-time's.
    _ = names
    HeardChild.forget()
    EndSignals.watch {
      PartialFiles.removeAll()
      HeardChild.end()
    }
    atexit { PartialFiles.removeAll() }
  }
}
