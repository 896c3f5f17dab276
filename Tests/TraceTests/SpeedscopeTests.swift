import Foundation
import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleSimulator
import TestSupport
import Testing

/// A file for speedscope is what its published form says, and its times are those of the log.
///
/// The form is that of jlfwong/speedscope:src/lib/file-format-spec.ts.
@Suite struct SpeedscopeTests {
  /// How long a stack's top was of each sort.
  private struct Sums: Equatable {
    var ready: Int64 = 0
    var running: Int64 = 0
    var waiting: Int64 = 0
  }

  private static let waits = WaitReason.allCases.map { "\($0.facts.word)" }

  /// What is in the object, which has all of `required`, and of others only `optional`.
  private static func members(
    _ value: Any?, required: Set<String>, optional: Set<String> = []
  ) throws -> [String: Any] {
    let object = try #require(value as? [String: Any])
    let names = Set(object.keys)
    #expect(required.isSubset(of: names) && names.isSubset(of: required.union(optional)))
    return object
  }

  /// Reads a file; gives its frames and profiles.
  private static func read(_ bytes: [UInt8]) throws -> (names: [String], profiles: [[String: Any]])
  {
    let file = try members(
      JSONSerialization.jsonObject(with: Data(bytes)), required: ["$schema", "shared", "profiles"],
      optional: ["name", "activeProfileIndex", "exporter"])
    #expect(
      file["$schema"] as? String == "https://www.speedscope.app/file-format-schema.json")
    let shared = try members(file["shared"], required: ["frames"])
    let frames = try #require(shared["frames"] as? [Any])
    let names = try frames.map { frame in
      let frame = try members(frame, required: ["name"], optional: ["file", "line", "col"])
      #expect(frame["line"] == nil || frame["line"] is Int)
      return try #require(frame["name"] as? String)
    }
    let profiles = try #require(file["profiles"] as? [[String: Any]])
    #expect(!profiles.isEmpty)
    let active = file["activeProfileIndex"] as? Int
    #expect(active.map { profiles.indices.contains($0) } ?? true)
    return (names, profiles)
  }

  /// The times of a profile, whose events are in order and come in pairs, one inside the other.
  private static func sums(_ profile: [String: Any], _ names: [String]) throws -> Sums {
    let profile = try members(
      profile, required: ["type", "name", "unit", "startValue", "endValue", "events"])
    #expect(profile["type"] as? String == "evented")
    #expect(profile["unit"] as? String == "nanoseconds")
    var time = try #require(profile["startValue"] as? Int64)
    let end = try #require(profile["endValue"] as? Int64)
    var (stack, sums): ([Int], Sums) = ([], Sums())
    for event in try #require(profile["events"] as? [[String: Any]]) {
      let event = try members(event, required: ["type", "at", "frame"])
      let at = try #require(event["at"] as? Int64)
      let frame = try #require(event["frame"] as? Int)
      #expect(at >= time && at <= end && names.indices.contains(frame))
      if let top = stack.last {
        let name = names[top]
        if name == "without a core" {
          sums.ready += at - time
        } else if waits.contains(where: { name.hasPrefix($0) }) {
          sums.waiting += at - time
        } else {
          sums.running += at - time
        }
      }
      time = at
      if event["type"] as? String == "O" {
        stack.append(frame)
      } else {
        #expect(event["type"] as? String == "C")
        #expect(stack.popLast() == frame)
      }
    }
    #expect(stack.isEmpty)
    return sums
  }

  private final class File {
    var bytes: [UInt8] = []
  }

  @Test("a file for speedscope sums up to the log", arguments: ExportSumTests.sample)
  func sumsUp(path: String) throws {
    let compiler = Compiler(catalogue: MachineCatalog.catalogue)
    let source = SourceText(name: path, try Repository.text(path))
    guard let program = compiler.compile(source).program else { return }
    var limits = RunLimits()
    limits.steps = TraceTests.steps
    let (store, file) = (TimelineStore(), File())
    let export = ExportFormat.speedscope.makeExport { file.bytes += $0 }
    _ = Simulation(program, limits: limits).run(consumers: [Timeline(store), Timeline(export)])
    let (names, profiles) = try SpeedscopeTests.read(file.bytes)
    var (seen, wanted) = (Sums(), Sums())
    for profile in profiles {
      let sums = try SpeedscopeTests.sums(profile, names)
      seen.ready += sums.ready
      seen.running += sums.running
      seen.waiting += sums.waiting
    }
    for slice in store.states.joined() {
      switch slice.state {
      case .ready: wanted.ready += slice.length.rawValue
      case .running: wanted.running += slice.length.rawValue
      case .waiting: wanted.waiting += slice.length.rawValue
      }
    }
    #expect(seen.ready == wanted.ready)
    #expect(seen.running == wanted.running)
    // An idle thread has an empty stack.
    #expect(seen.waiting <= wanted.waiting)
  }

  /// Two items of a kind in a queue, one of which waits for a lock that the main thread has for 30 ms.
  @Test func stacksOfASmallRun() throws {
    let source = SourceText(
      name: "small.trace",
      """
      trace "small"
      machine { cores: 2; costs: .zero }
      let lock = NSLock()
      let q = DispatchQueue(label: "q")
      main {
        lock.lock()
        for i in 0..<2 { q.async(name: "item\\(i)") { lock.withLock { work(10ms) } } }
        work(30ms)
        lock.unlock()
      }
      """)
    let program = try #require(
      Compiler(catalogue: MachineCatalog.catalogue).compile(source).program)
    let file = File()
    let export = ExportFormat.speedscope.makeExport { file.bytes += $0 }
    _ = Simulation(program).run(consumers: [Timeline(export)])
    let (names, profiles) = try SpeedscopeTests.read(file.bytes)
    #expect(Set(names) == ["code of its own", "item*", "waits for lock 'lock'"])
    let worker = try #require(profiles.first { $0["name"] as? String == "worker-1" })
    let sums = try SpeedscopeTests.sums(worker, names)
    #expect(sums == Sums(ready: 0, running: 20_000_000, waiting: 30_000_000))
    let main = try #require(profiles.first { $0["name"] as? String == "main" })
    #expect(try SpeedscopeTests.sums(main, names).running == 30_000_000)
  }
}
