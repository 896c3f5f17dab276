import SpindleLanguage
import SpindleModel
import TestSupport
import Testing

/// Formatting gives each statement a line of its own, and changes nothing that a run does.
@Suite struct JoinedLineTests {
  static let paths = Effort.sample(TraceTests.paths, oneIn: 5, from: 3)

  @Test(arguments: paths)
  func theDigestStaysTheSame(path: String) throws {
    let joined = Self.joined(try Repository.text(path))
    guard joined.count > 0 else { return }
    Self.check(joined.text, path)
  }

  @Test func manyStatementsAreJoined() throws {
    let count = try Self.paths.reduce(0) { $0 + Self.joined(try Repository.text($1)).count }
    #expect(count > 500)
  }

  /// Work without a name whose name by its line may come into the log, or into what decides.
  static let programs: [(name: String, text: String)] = [
    (
      "a status lock",
      """
      machine { platform: .linux; cores: 4; costs: .zero }
      let gate = NSLock()
      var kept: CheckedContinuation<Void, Never>?
      main(.tool) {
          var tasks: [Task<Void, Never>] = []; tasks.append(Task.detached {
              await withTaskCancellationHandler {
                  await withCheckedContinuation { c in gate.withLock { kept = c } }
              } onCancel: { sleep(4ms); gate.withLock { } }
          })
          sleep(10ms)
          Thread.detachNewThread { gate.withLock { sleep(10ms); kept?.resume() } }
          Thread.detachNewThread { sleep(2ms); tasks[0].cancel() }
          await tasks[0].value
      }
      """
    ),
    (
      "variables with work",
      """
      machine { platform: .linux; cores: 2; costs: .zero }
      var task: Task<Void, Never>?
      var item: DispatchWorkItem?
      main(.tool) {
          let queue = DispatchQueue(label: "queue")
          queue.async { work(1ms) }; item = DispatchWorkItem { work(1ms) }; task = Task { work(1ms) }
          task = Task { work(2ms) }; task?.cancel(); item?.cancel(); item = DispatchWorkItem { work(2ms) }
          queue.async { work(2ms) }; queue.async(execute: item!); item?.wait()
      }
      """
    ),
    (
      "races",
      """
      machine { platform: .linux; cores: 4; costs: .zero }
      var count = 0
      main(.tool) {
          Thread.detachNewThread { count += 1 }; Thread.detachNewThread { count += 1; count -= 1 }
          Thread.detachNewThread { count = 2 }; count += 1; count += 1
          sleep(1ms)
      }
      """
    ),
  ]

  @Test(arguments: programs.indices)
  func workWithoutANameDoesToo(program: Int) {
    Self.check(Self.programs[program].text, Self.programs[program].name)
  }

  private static func check(_ text: String, _ name: String) {
    var limits = RunLimits()
    limits.steps = 1_000_000
    let first = TestRun(text, limits: limits, writesLog: false)
    // Not each pair of lines can be one.
    guard first.program != nil else {
      #expect(!programs.contains { $0.name == name }, "\(first.messages)")
      return
    }
    let apart = formatted(SourceText(name: "test.trace", text)).text
    #expect(apart != text, "\(name)")
    let second = TestRun(apart, limits: limits, writesLog: false)
    #expect(first.digest == second.digest, "\(name)")
  }

  /// A text with each two statements that stand below one another in one line, as far as that can be told by words and
  /// brackets, and without what it expects; and how many pairs there are.
  private static func joined(_ text: String) -> (text: String, count: Int) {
    var (lines, count): ([Substring], Int) = ([], 0)
    var isFirst = true
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("expect") { break }
      let indent = line.prefix { $0 == " " }.count
      if isFirst, let last = lines.last, indent >= 4,
        last.prefix(while: { $0 == " " }).count == indent,
        isStatement(last), isStatement(line)
      {
        lines[lines.count - 1] = "\(last); \(line.dropFirst(indent))"
        (count, isFirst) = (count + 1, false)
      } else {
        lines.append(line)
        isFirst = true
      }
    }
    return (lines.joined(separator: "\n"), count)
  }

  private static let noStatements: Set<Substring> = [
    "case", "default", "if", "else", "guard", "for", "while", "switch", "return", "func", "class",
    "struct", "enum", "actor", "init", "deinit", "repeat", "static", "private", "defer", "do",
    "catch",
    "break", "continue", "throw", "machine", "platform", "policy", "costs", "willSet", "didSet",
    "get", "set",
  ]

  private static func isStatement(_ line: Substring) -> Bool {
    let code = line.drop { $0 == " " }
    guard let first = code.first, first.isLetter || first == "_", !code.contains("//") else {
      return false
    }
    let word = code.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return !noStatements.contains(word) && code.dropFirst(word.count).first != ":"
      && ["()", "[]", "{}"].allSatisfy { pair in
        code.count { $0 == pair.first } == code.count { $0 == pair.last }
      }
  }
}
