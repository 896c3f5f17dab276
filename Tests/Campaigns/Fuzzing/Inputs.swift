// What libFuzzer calls with each input: `Tests/Campaigns/Fuzzing/run` builds and starts it. SPINDLE_FUZZ says who reads.

import Foundation
import SpindleLanguage
import SpindleModel
import SpindleRecordings
import SpindleReports
import SpindleSimulator

/// Who reads the inputs.
enum Reader: String {
  /// Lexer, parser, checker, lowering, formatter and the text of diagnostics.
  case traces
  /// The reader of logs, and what is made of a log that was read.
  case logs
  /// The importers of recordings; what they make is compiled.
  case recordings
}

private let reader = Reader(
  rawValue: ProcessInfo.processInfo.environment["SPINDLE_FUZZ"] ?? "traces")

/// Reads one input; a fault ends the process, which is what libFuzzer looks for.
@_cdecl("LLVMFuzzerTestOneInput")
public func readInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  switch reader {
  case .traces: readTrace(input)
  case .logs: readLog(input)
  case .recordings: readRecording(input)
  case nil: fatalError("SPINDLE_FUZZ is 'traces', 'logs' or 'recordings'")
  }
  return 0
}

/// Compiles and formats a text, and holds both against what must hold of every text.
private func readTrace(_ input: [UInt8]) {
  let compiler = Compiler(catalogue: MachineCatalog.catalogue)
  let source = SourceText(name: "input", utf8: input)
  let (program, diagnostics) = compiler.compile(source)
  let isRefused = diagnostics.contains { $0.severity == .error }
  if isRefused != (program == nil) { fatalError("a program with errors, or none without") }
  _ = renderedReport(Array(diagnostics.prefix(100)))
  let (text, mistakes) = formatted(source)
  guard !mistakes.contains(where: { $0.severity == .error }) else {
    if !isRefused { fatalError("what has no form is compiled") }
    return
  }
  let again = SourceText(name: "input", text)
  if formatted(again).text != text { fatalError("formatted text is formatted anew") }
  if (compiler.compile(again).program == nil) != isRefused {
    fatalError("formatted, it is judged otherwise")
  }
}

/// Reads a log, and makes of it what the commands make.
private func readLog(_ input: [UInt8]) {
  guard let log = try? LogReader(input) else { return }
  let (metrics, digest) = (Metrics(), LogDigest())
  let text = LogText { _ in }
  log.replay(to: [metrics, digest, text])
}

/// Makes a trace of a recording: it has no error, or the recording is refused with a reason.
private func readRecording(_ input: [UInt8]) {
  do {
    let made = try trace(of: RecordingInMemory(input))
    let compiler = Compiler(catalogue: MachineCatalog.catalogue)
    let (program, diagnostics) = compiler.compile(SourceText(name: "made", made))
    if program == nil { fatalError("a trace with errors: \(diagnostics.first?.message ?? "")") }
  } catch let mistake as RecordingMistake {
    if mistake.reason.isEmpty { fatalError("no reason") }
  } catch {
    fatalError("\(error)")
  }
}

private func trace(of recording: RecordingInMemory) throws -> String {
  if let trace = try ExportedTrace.text(recording, recording: "input") { return trace }
  var choice = RecordingChoice()
  choice.takesOthers = true
  let program = try RecordedProgram(RecordingSurvey(recording), of: recording, choice)
  return TraceText.text(program, recording: "input")
}
