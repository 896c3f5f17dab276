import SpindleModel
import SpindleRun
import SpindleSystem

/// Which tests have passed, each with a digest of all that it depended on.
///
/// One line for each: the digest, a space, the path. Without being asked, it lies in the user's folder of
/// caches and never beside traces, and does not exist where CI is set: what a service keeps between its
/// runs it names itself, by `--digests` and `--changed-since`.
struct PassRecord {
  private var digests: [String: String] = [:]
  /// The most tests that are kept.
  private static let limit = 50_000

  /// Creates a record of nothing.
  init() {}

  /// Reads a record; what is no line of it counts as nothing.
  init(_ bytes: [UInt8]) {
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let digest = line.prefix { $0 != " " }
      guard digest.utf8.count == ContentDigest.length, digest.utf8.count + 1 < line.utf8.count
      else {
        continue
      }
      digests[String(line.dropFirst(digest.count + 1))] = String(digest)
    }
  }

  /// Whether a test passed when all that it depends on was as it is now.
  func hasPassed(_ path: String, _ digest: String) -> Bool { digests[path] == digest }

  /// Notes how a test came out.
  mutating func note(_ path: String, _ digest: String?) {
    guard !path.contains("\n"), digest == nil || digests.count < PassRecord.limit else { return }
    digests[path] = digest
  }

  /// The record as it is written.
  var text: String {
    digests.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)\n" }.joined()
  }

  /// Where the user's own record lies: in `XDG_CACHE_HOME`, else in `.cache` (on macOS `Library/Caches`) of
  /// the home folder; nil where there is neither, or where CI is set.
  ///
  /// Source: the XDG Base Directory Specification, which also says that a relative path is to be ignored.
  static func place(_ environment: HostEnvironment) -> String? {
    if environment.isContinuousIntegration { return nil }
    if let folder = environment.variables["XDG_CACHE_HOME"], folder.hasPrefix("/") {
      return "\(folder)/spindle/passed"
    }
    guard let home = environment.variables["HOME"], home.hasPrefix("/") else { return nil }
    #if canImport(Darwin)
      return "\(home)/Library/Caches/spindle/passed"
    #else
      return "\(home)/.cache/spindle/passed"
    #endif
  }
}

/// A digest of the contents of files, for telling whether they have changed.
struct ContentDigest {
  private var low: UInt64 = 0x5350_494E_444C_4532
  private var high: UInt64 = 0x9E37_79B9_7F4A_7C15
  /// How many characters the text has.
  static let length = 32

  /// Adds a number.
  mutating func add(_ word: UInt64) {
    low = (low ^ word) &* 0xBF58_476D_1CE4_E5B9
    low ^= low >> 29
    high = (high &+ word) &* 0x94D0_49BB_1331_11EB
    high ^= high >> 32
  }

  /// Adds the bytes of a file.
  mutating func add(_ bytes: [UInt8]) {
    add(UInt64(bytes.count))
    bytes.withUnsafeBytes { buffer in
      let words = buffer.count / 8
      for index in 0..<words {
        add(UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)))
      }
      for index in (words * 8)..<buffer.count { add(UInt64(buffer[index])) }
    }
  }

  /// The digest in hexadecimal digits.
  var text: String {
    [low ^ high >> 7, high ^ low >> 11].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }.joined()
  }

  /// What a test depends on: the tool itself, what it is asked for, the trace, the files of costs that it
  /// names, its log, and the best of its ratchets.
  static func ofTest(_ test: TraceTest, tool: [UInt64]) -> String? {
    let path = test.path
    var digest = ContentDigest()
    for word in tool { digest.add(word) }
    digest.add(UInt64(bitPattern: test.limits.steps))
    digest.add(test.limits.checksInvariants ? 1 : 0)
    digest.add(test.seed.map { $0 &+ 1 } ?? 0)
    digest.add(UInt64(test.seedCount))
    digest.add(UInt64(bitPattern: Int64(test.schedules ?? -1)))
    var files = [path, TraceTest.logPath(for: path), BestState.path(for: path)]
    var index = 0
    while index < files.count {
      let isThere = Files.kind(of: files[index]) == .file
      digest.add(isThere ? 1 : 0)
      if isThere {
        do {
          let bytes = try Files.read(files[index], atMost: Files.greatestTrace)
          digest.add(bytes)
          if index == 0 { files += NamedFiles.named(in: bytes, of: path) }
        } catch {
          return nil
        }
      }
      index += 1
    }
    return digest.text
  }

  /// The digest of the tool's own file; nil where it can't be read.
  static func ofTool() -> [UInt64]? {
    do {
      var digest = ContentDigest()
      digest.add(try Files.read(Executable.path))
      return [digest.low, digest.high]
    } catch {
      return nil
    }
  }
}
