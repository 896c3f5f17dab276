import SpindleModel
import SpindleSystem
import Testing

@testable import SpindleCommand

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Costs in files of their own, and what `spindle calibrate` makes of what was measured.
@Suite struct CostFileTests {
  private let folder = TemporaryFolder()
  /// A sleep of 1 ms: its timer twice and the slack come on top.
  private static let trace = """
    machine { platform: .linux; cores: 1; costs: COSTS }
    main(.tool) { sleep(1ms) }

    """

  private func trace(_ costs: String) -> String {
    let text = CostFileTests.trace.split(separator: "COSTS", maxSplits: 1)
    return folder.write("traces/sleep.trace", text.joined(separator: costs))
  }

  @Test func aTraceNamesAFileBesideIt() {
    folder.write(
      "traces/my.costs", "// mine\n.zero(\n  timer: 5us,  // twice\n  timerSlack: 10us)\n")
    // 1 ms, 10 us of slack and two ends of the timer of 5 us.
    for path in [trace("\"my.costs\"")] {
      let call = Invocation(["simulate", path])
      #expect(call.status == .held, "\(call.error)")
      #expect(call.output.contains("makespan    1.02ms"))
      #expect(call.output.contains("costs \"my.costs\""))
    }
  }

  @Test func anOptionNamesAFile() {
    let costs = folder.write("other.costs", ".zero(timerSlack: 3us)")
    let call = Invocation(["simulate", trace(".zero"), "--costs", costs])
    #expect(call.output.contains("makespan    1.003ms"))
  }

  @Test(
    arguments: [
      (".zero(tmer: 5us)", "my.costs:1:7: error: unknown argument 'tmer' of 'zero'; did you mean"),
      (".zero(timer: 5KB)", "my.costs:1:14: error"), ("", "my.costs:1:1: error: expected a value"),
      ("\"my.costs\"", "my.costs:1:1: error"), (".zero\n.zero", "my.costs:1:1: error"),
    ])
  func mistakesAreToldInTheFile(text: String, message: String) {
    folder.write("traces/my.costs", text)
    let call = Invocation(["simulate", trace("\"my.costs\"")])
    #expect(call.status == .traceErrors)
    #expect(call.error.contains(message), "\(call.error)")
  }

  @Test func aFileThatIsNotThereIsToldWhereItIsNamed() {
    let call = Invocation(["simulate", trace("\"none.costs\"")])
    #expect(call.status == .traceErrors)
    #expect(call.error.contains("sleep.trace:1:46: error: no such file"), "\(call.error)")
  }

  private static let report = """
    rounds 2
    round 1
    round 2
    noise 31
    field timerSlack 50000 48000 52500
    field lock 4 3 4

    """

  @Test func whatWasMeasuredIsAFileOfCosts() throws {
    let calibration = try #require(Calibration(CostFileTests.report))
    #expect(calibration.isQuiet && calibration.noiseText == "3.1%")
    // In the order of the profiles' fields, in which the timer comes first.
    #expect(calibration.costs.map(\.field) == ["timerSlack", "lock"])
    let file = calibration.file(named: "my.costs", cores: 2, memory: .megabytes(512))
    folder.write("traces/my.costs", file)
    let call = Invocation(["check", trace("\"my.costs\"")])
    #expect(call.status == .held, "\(call.output)\(file)")
    #expect(file.contains("timerSlack: 50us,") && file.contains("// 48us ... 52.5us"))
  }

  @Test(
    arguments: [
      "", "noise 3\n", "field lock 4 3 4\n", "noise 3\nfield luck 4 3 4\n",
      "noise 3\nfield lock 4 3\n", "noise 3\nfield lock -4 3 4\n", "noise 3\nhello\n",
    ])
  func whatIsNoMeasurementIsRefused(report: String) {
    #expect(Calibration(report) == nil)
  }

  @Test func aNoisyMachineIsSeen() throws {
    let text = CostFileTests.report.split(separator: "31").joined(separator: "101")
    #expect(try !#require(Calibration(text)).isQuiet)
  }

  /// Others that came for a while leave the mean share small and the middle half of a cost wide.
  @Test(
    arguments: [
      ("threadStart 11768 10722 100419", true), ("timerSlack 244154 11646 1089726", true),
      ("stackFault 15495 0 22350", true),
      // A machine that was left alone: up to four times, and small costs up to any. The share of others is not a cost.
      ("hostShare 244154 11646 1089726", false),
      ("hostShare 44073 25104 100558", false), ("deepIdle 3826 2554 8062", false),
      ("operationTransfer 1093 0 12000", false), ("timerSlack 50000 48000 52500", false),
      ("threadStart 11768 0 20000", false), ("hostShare 11768 20000 100000", false),
    ])
  func aCostThatWasDisturbedIsTold(field: String, isDisturbed: Bool) throws {
    let calibration = try #require(Calibration("noise 47\nfield lock 4 3 4\nfield \(field)\n"))
    let name = String(field.prefix { $0 != " " })
    #expect(calibration.disturbed.map(\.field) == (isDisturbed ? [name] : []))
    let doubt = CalibrateCommand.doubt(calibration)
    #expect((doubt != nil) == isDisturbed)
    if let doubt { #expect(doubt.contains("too wide of \(name) (")) }
  }

  /// What can't be written is said at once, and not after what takes seconds.
  @Test func theFileIsOpenedFirst() {
    let call = Invocation(["calibrate", "--output", folder["none/my.costs"]])
    #expect(call.status == .noOutput)
    #expect(call.error.contains("none/my.costs") && call.output.isEmpty)
  }

  @Test func costsAreTextInUTF8() {
    let costs = folder.write("my.costs", ".linux(idleExit: 5us)  // E\n")
    guard let file = fopen(costs, "r+") else { fatalError("no file") }
    fseek(file, 26, SEEK_SET)
    fputc(0xE4, file)
    fclose(file)
    let call = Invocation(["simulate", trace(".zero"), "--costs", costs])
    #expect(call.status == .traceErrors)
    #expect(
      call.error.contains(
        "my.costs:1:27: error: a trace is written in UTF-8, and the byte 0xE4 is not allowed here"),
      "\(call.error)")
  }

  @Test(arguments: ["my.txt", "folder/costs", "./my"])
  func anOptionSaysHowAFileOfCostsIsCalled(name: String) {
    let call = Invocation(["simulate", trace(".zero"), "--costs", name])
    #expect(call.status == .usage)
    #expect(call.error.contains("the name of a file of costs ends in .costs"), "\(call.error)")
  }

  @Test func theFilesNameSaysWhatItIs() {
    let call = Invocation(["calibrate", "--output", folder["my.txt"]])
    #expect(call.status == .usage)
    #expect(call.error.contains("ends in .costs"))
  }
}
