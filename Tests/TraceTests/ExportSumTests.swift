import Foundation
import SpindleLanguage
import SpindleModel
import SpindleReports
import SpindleSimulator
import TestSupport
import Testing

/// What an export says is what the metrics say, and what the log says without a timeline.
@Suite struct ExportSumTests {
  /// What a longer file adds is more of the same; debug builds are slow.
  static let mostBytes = 3_000_000

  @Test("a file for Perfetto sums up to the metrics", arguments: TraceTests.paths)
  func perfettoSumsUp(path: String) throws {
    guard let run = try ExportSumTests.run(path, [.perfetto]) else { return }
    let bytes = run.files[0].bytes
    if bytes.count > ExportSumTests.mostBytes { return }
    let reading = PerfettoReading(bytes)
    #expect(PerfettoReading(bytes, reversed: true).states == reading.states)
    #expect(reading.mistakes.isEmpty, "\(reading.mistakes.prefix(5))")
    // Who goes from core to core in no time is seen on the second a nanosecond later.
    let late = 2 * run.metrics.migrations
    for (index, lengths) in run.plain.lengths.enumerated() {
      let read = reading.states[1_000 + Int64(index)] ?? [0, 0, 0]
      #expect(zip(read, lengths).allSatisfy { abs($0 - $1) <= late }, "thread \(index)")
    }
    #expect(reading.names.count == run.plain.lengths.count)
    #expect(Int64(reading.submitted.count) == run.metrics.items.submitted)
    #expect(Int64(reading.arrows) == run.metrics.items.count)
    #expect(reading.switches == run.metrics.switches)
    // An overload is found in the numbers of the run: it happens at no moment.
    let found = run.metrics.findings.map(\.kind).filter { $0 != .overload }
    #expect(reading.findings == found.map(\.rawValue))
    // Where the machine sleeps, a thread has its core meanwhile and does not use it.
    if try Repository.text(path).contains("machine.sleep") { return }
    for (core, use) in run.metrics.cores.enumerated() {
      let used = use.busy.rawValue + use.overhead.rawValue
      #expect(abs((reading.cores[Int64(core)] ?? 0) - used) <= late, "core \(core)")
    }
  }

  /// The text formats are slow in a debug build.
  static let sample = Effort.sample(TraceTests.paths, oneIn: 16)

  @Test("intervals sum up to the log", arguments: sample)
  func intervalsSumUp(path: String) throws {
    guard let run = try ExportSumTests.run(path, [.jsonl, .csv]) else { return }
    let lines = run.files[0].text.split(separator: "\n").map(String.init)
    let table = CSVReading.rows(run.files[1].text)
    let head = try #require(table.first)
    #expect(table.count == lines.count + 1)
    var sums: [String: Int64] = [:]
    for (line, row) in zip(lines, table.dropFirst()) {
      let members = try #require(
        JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      // The same row in both, a member that is missing in one being empty in the other.
      for (column, field) in zip(head, row) {
        let member = members[column].map { "\($0)" } ?? ""
        #expect(member == field, "\(line)")
      }
      guard members["sort"] as? String == "state" else { continue }
      let (from, to) = (members["from_ns"] as? Int64 ?? 0, members["to_ns"] as? Int64 ?? 0)
      sums[members["state"] as? String ?? "", default: 0] += to - from
    }
    for (state, name) in ["ready", "running", "waiting"].enumerated() {
      let plain = run.plain.lengths.reduce(0) { $0 + $1[state] }
      #expect(sums[name] ?? 0 == plain, "\(name)")
    }
  }

  @Test("Chrome's JSON sums up to the log", arguments: sample)
  func chromeSumsUp(path: String) throws {
    guard let run = try ExportSumTests.run(path, [.chrome]) else { return }
    let whole = try #require(
      JSONSerialization.jsonObject(with: Data(run.files[0].bytes)) as? [String: Any])
    let events = try #require(whole["traceEvents"] as? [[String: Any]])
    var (depths, flows, ends): ([Int: Int], Set<Int>, Int) = ([:], [], 0)
    var wakes = (begun: 0, ended: 0)
    let holds: Set = ["held", "held by readers", "suspended", "inactive", "actor"]
    var held: Set<String> = []
    var (states, cores): ([Int: [Int64]], [Int: Int64]) = ([:], [:])
    for event in events {
      let thread = try #require(event["tid"] as? Int)
      let length = Int64(((event["dur"] as? Double ?? 0) * 1_000).rounded())
      switch event["ph"] as? String {
      case "B": depths[thread, default: 0] += 1
      case "E":
        depths[thread, default: 0] -= 1
        #expect(depths[thread, default: 0] >= 0)
      case "s" where event["cat"] as? String == "wake":
        wakes.begun += 1
        #expect(event["id"] as? Int == wakes.begun - 1)
      case "f" where event["cat"] as? String == "wake":
        wakes.ended += 1
        #expect(event["id"] as? Int == wakes.begun - 1)
        // It ends in the wait, which ends behind it.
        #expect(depths[thread, default: 0] > 0)
      case "b" where holds.contains(event["cat"] as? String ?? ""):
        held.insert("\(event["cat"] ?? "") \(event["id"] ?? "")")
      case "e" where holds.contains(event["cat"] as? String ?? ""):
        let was = held.remove("\(event["cat"] ?? "") \(event["id"] ?? "")")
        #expect(was != nil, "nothing ends that was not held")
      case "s": flows.insert(event["id"] as? Int ?? -1)
      case "f": ends += flows.contains(event["id"] as? Int ?? -1) ? 1 : 0
      case "X": cores[thread - 1, default: 0] += length
      case "T":
        let state =
          ["R": 0, "Running": 1, "S": 2, "D": 2][event["name"] as? String ?? ""] ?? 0
        states[thread - 1_000, default: [0, 0, 0]][state] += length
      default: break
      }
    }
    #expect(Int64(flows.count) == run.metrics.items.submitted)
    #expect(wakes.begun == wakes.ended)
    #expect(held.isEmpty)
    #expect(depths.values.allSatisfy { $0 == 0 })
    #expect(ends <= Int(run.metrics.items.count))
    for (index, lengths) in run.plain.lengths.enumerated() {
      #expect(states[index] == lengths, "thread \(index)")
    }
    #expect(cores.values.reduce(0, +) == run.plain.lengths.reduce(0) { $0 + $1[1] })
  }

  /// Bytes that a format has written; a class, since an export writes into it piece by piece.
  final class File {
    var bytes: [UInt8] = []
    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  private static func run(
    _ path: String, _ formats: [ExportFormat]
  ) throws -> (files: [File], plain: PlainStates, metrics: RunMetrics)? {
    let compiler = Compiler(catalogue: MachineCatalog.catalogue)
    let source = SourceText(name: path, try Repository.text(path))
    guard let program = compiler.compile(source).program else { return nil }
    var limits = RunLimits()
    limits.steps = TraceTests.steps
    let (plain, metrics, files) = (PlainStates(), Metrics(), formats.map { _ in File() })
    var consumers: [any LogConsumer] = [metrics, plain]
    for (format, file) in zip(formats, files) {
      consumers.append(Timeline(format.makeExport { file.bytes.append(contentsOf: $0) }))
    }
    _ = Simulation(program, limits: limits).run(consumers: consumers)
    return (files, plain, metrics.result)
  }
}

/// Reads tables as RFC 4180 has them.
enum CSVReading {
  static func rows(_ text: String) -> [[String]] {
    var (rows, row, field): ([[String]], [String], [UInt8]) = ([], [], [])
    var (isQuoted, wasQuote) = (false, false)
    for byte in text.utf8 {
      if isQuoted {
        if byte == UInt8(ascii: "\"") {
          (isQuoted, wasQuote) = (false, true)
        } else {
          field.append(byte)
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""):
        // Two of them within quotes are one.
        if wasQuote { field.append(byte) }
        isQuoted = true
      case UInt8(ascii: ","), UInt8(ascii: "\n"):
        row.append(String(decoding: field, as: UTF8.self))
        field = []
        if byte == UInt8(ascii: "\n") {
          rows.append(row)
          row = []
        }
      default: field.append(byte)
      }
      wasQuote = false
    }
    return rows
  }
}
