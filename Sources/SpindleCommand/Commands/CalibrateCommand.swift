import SpindleModel
import SpindleSystem

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `spindle calibrate`: measures on this machine what acts cost.
///
/// What measures is a program of its own beside this one, `spindle-calibrate`, since it is the only one that runs
/// real threads of the libraries.
struct CalibrateCommand {
  private let arguments: ParsedArguments
  private let console: Console

  /// Creates the command.
  init(_ arguments: ParsedArguments, _ console: Console) {
    (self.arguments, self.console) = (arguments, console)
  }

  /// Measures, prints what came out, and writes it where it is to be trusted.
  func run() throws(CommandFailure) -> ExitStatus {
    let output = arguments[.output]
    if let output, !output.hasSuffix(".costs") {
      throw .usage(UsageText.costsNeedEnding(output))
    }
    // What can't be written is said before anything is measured.
    let file = try CommandFailure.wrap { () throws(FileFailure) in try output.map(WholeFile.init) }
    let report = try CommandFailure.wrap { () throws(FileFailure) in try measure() }
    guard let calibration = Calibration(report) else {
      throw .file(
        FileFailure(
          purpose: .input, message: "'\(HostTool.calibrate.path)' printed unexpected output"))
    }
    return try CommandFailure.wrap { () throws(FileFailure) in
      try tell(calibration, output, file)
    }
  }

  private func measure() throws(FileFailure) -> String {
    var progress: Progress?
    let console = self.console
    let text = try HostTool.calibrate.output(arguments.has(.quick) ? ["--quick"] : []) { chunk in
      for line in chunk.split(separator: "\n") {
        let words = line.split(separator: " ")
        if words.count == 2, words[0] == "rounds", let total = Int(words[1]) {
          progress = Progress("measuring, round", of: total, console, isAlone: true)
        } else if words.first == "round" {
          progress?.step()
        }
      }
    }
    progress?.end()
    return text
  }

  /// Prints the costs; writes them, unless others disturbed them.
  private func tell(
    _ calibration: Calibration, _ output: String?, _ file: WholeFile?
  ) throws(FileFailure) -> ExitStatus {
    let cores = console.environment.processorCount
    let memory = Self.memory
    console.output.write(calibration.table)
    console.output.write("\nnot measured: \(calibration.unmeasured.joined(separator: ", "))\n")
    console.output.write("other processes used \(calibration.noiseText) of the processors\n\n")
    if let reason = Self.doubt(calibration), !arguments.has(.force) {
      console.complain(reason + (output.map { ": '\($0)' is not written" } ?? ""))
      return .notHeld
    }
    let name = output.map {
      String($0[($0.lastIndex(of: "/").map($0.index(after:)) ?? $0.startIndex)...])
    }
    console.output.write(
      Calibration.machine(costs: name ?? "my.costs", cores: cores, memory: memory) + "\n")
    guard let output, let name, let file else { return .held }
    file.write(
      Array(calibration.file(named: name, cores: cores, memory: memory).utf8)[...])
    try file.commit()
    console.output.write("wrote \(output)\n")
    return .held
  }

  /// Why the costs are not to be trusted; nil where they are.
  static func doubt(_ calibration: Calibration) -> String? {
    if !calibration.isQuiet {
      return
        "other processes used \(calibration.noiseText) of the processors during the measurement; the limit is "
        + "\(Calibration.mostNoise / 10)%"
    }
    let disturbed = calibration.disturbed
    if disturbed.isEmpty { return nil }
    let list = disturbed.map { "\($0.field) (\($0.low) ... \($0.high))" }
      .joined(separator: ", ")
    return
      "other processes disturbed the measurement: the interquartile range is too wide of \(list)"
  }

  /// The memory of this machine, in whole megabytes.
  private static var memory: ByteCount {
    let bytes = Int64(sysconf(Int32(_SC_PHYS_PAGES))) * Int64(sysconf(Int32(_SC_PAGESIZE)))
    return .megabytes(max(1, bytes / ByteCount.megabytes(1).rawValue))
  }
}
