import SpindleLanguage
import SpindleModel
import SpindleSystem

/// The arguments of one command, taken apart by its table.
struct ParsedArguments {
  /// The command that they are for.
  let command: CommandDescription
  /// What is not an option, in order.
  private(set) var operands: [String] = []
  /// Whether help was asked for; then nothing else counts.
  private(set) var asksForHelp = false
  private var given: [(name: OptionDescription.Name, value: String)] = []

  /// Takes `arguments` apart: `--name value`, `--name=value`, `--` before operands only.
  init(_ arguments: [String], for command: CommandDescription) throws(CommandFailure) {
    self.command = command
    if ParsedArguments.asksForHelp(arguments) {
      asksForHelp = true
      return
    }
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        operands += rest
        break
      }
      if argument.hasPrefix("-") && argument != "-" {
        try takeOption(argument, &rest)
      } else {
        operands.append(argument)
      }
    }
    try checkOperands()
  }

  /// The value of an option, nil when it is not given.
  subscript(name: OptionDescription.Name) -> String? {
    given.first { $0.name == name }?.value
  }

  /// All values of an option that may be given more than once, in order.
  func all(_ name: OptionDescription.Name) -> [String] {
    given.filter { $0.name == name }.map(\.value)
  }

  /// The arguments again, without some options: equal for calls that ask for the same.
  func text(without names: Set<OptionDescription.Name>) -> [String] {
    operands
      + given.filter { !names.contains($0.name) }.map {
        $0.value.isEmpty ? $0.name.rawValue : "\($0.name.rawValue)=\($0.value)"
      }
  }

  /// Whether an option is given.
  func has(_ name: OptionDescription.Name) -> Bool {
    given.contains { $0.name == name }
  }

  /// The value of an option that takes a whole number from `range`, nil when it is not given.
  func number(
    _ name: OptionDescription.Name, in range: ClosedRange<Int64>
  ) throws(CommandFailure) -> Int64? {
    guard let text = self[name] else { return nil }
    return try ParsedArguments.number(text, name, in: range)
  }

  private static func number(
    _ text: String, _ name: OptionDescription.Name, in range: ClosedRange<Int64>
  ) throws(CommandFailure) -> Int64 {
    guard let number = Int64(text.filter { $0 != "_" }), range.contains(number) else {
      let bound = range.upperBound == .max ? "of at least" : "from"
      let end = range.upperBound == .max ? "" : " to \(range.upperBound)"
      throw .usage(
        UsageText.wholeNumberNeeded(
          name.rawValue, bound: "\(bound) \(range.lowerBound)\(end)", not: text))
    }
    return number
  }

  /// The values of an option of the form `NAME=VALUE`, in order.
  func assignments(
    _ name: OptionDescription.Name
  ) throws(CommandFailure) -> [Overrides.Assignment] {
    var found: [Overrides.Assignment] = []
    for text in all(name) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        let form = command.option(name.rawValue)?.value ?? "NAME=VALUE"
        throw .usage(UsageText.formNeeded(name.rawValue, form, not: text))
      }
      let assignment = Overrides.Assignment(
        name: ListText.trimmed(parts[0]), value: ListText.trimmed(parts[1]))
      if let other = found.first(where: { $0.name == assignment.name }) {
        let takesLists = command.option(name.rawValue)?.value?.hasSuffix("=LIST") ?? false
        let list = "\(name.rawValue) \(assignment.name)=\(other.value),\(assignment.value)"
        throw .usage(
          UsageText.parameterTwice(
            name.rawValue, assignment.name,
            hint: takesLists ? "; '\(list)' gives it several values" : ""))
      }
      found.append(assignment)
    }
    return found
  }

  /// When output is coloured.
  func colorChoice() throws(CommandFailure) -> ColorChoice {
    guard let text = self[.color] else { return .auto }
    guard let choice = ColorChoice(rawValue: text) else {
      throw .usage(UsageText.colorForm(text))
    }
    return choice
  }

  /// Which of two words an option has; nil where it is not given.
  func word(_ option: OptionDescription.Name) throws(CommandFailure) -> String? {
    guard let text = self[option] else { return nil }
    let description = command.options.first { $0.name == option }
    guard case .words(let words)? = description?.completion, words.count == 2 else {
      fatalError("option \(option.rawValue) does not take one of two words")
    }
    if words.contains(text) { return text }
    throw .usage(
      UsageText.wordForm(
        option.rawValue, words[0], words[1], not: text, near: Spelling.proposal(text, in: words)))
  }

  /// What is asked of each run by options that take lists of measures.
  func measures(_ names: [OptionDescription.Name]) -> [Overrides.Assignment] {
    names.flatMap { name in
      all(name).map { Overrides.Assignment(name: name.rawValue, value: $0) }
    }
  }

  /// In which form the results are written: what `--format` says, or `--json`.
  func format<Format: RawRepresentable & CaseIterable>(
    standard: Format, json: Format
  ) throws(CommandFailure) -> Format where Format.RawValue == String {
    guard let text = self[.format] else { return has(.json) ? json : standard }
    guard let format = Format(rawValue: text) else {
      let known = Format.allCases.map(\.rawValue)
      throw .usage(
        UsageText.formatUnknown(
          text, of: known.joined(separator: ", "), near: Spelling.proposal(text, in: known)))
    }
    if has(.json) && format.rawValue != json.rawValue {
      throw .usage(UsageText.twoForms(text))
    }
    return format
  }

  /// The overrides that stand for one value each, in every command that has them; but not the
  /// platform and the costs of one that takes a list of them.
  func overrides(listsMachines: Bool = false) throws(CommandFailure) -> Overrides {
    var overrides = Overrides()
    overrides.policy = try single(.policy, listedBy: .policies)
    if !listsMachines {
      overrides.platform = try single(.platform, listedBy: .platform)
      overrides.costs = try single(.costs, listedBy: .costs)
    }
    overrides.seed = try number(.seed, in: 0...Int64.max).map { "\($0)" }
    overrides.until = try single(.until)
    overrides.schedule = try schedule()
    return overrides
  }

  /// The schedule that `--schedule` gives: a file, or its text.
  func schedule() throws(CommandFailure) -> Schedule? {
    guard let given = self[.schedule] else { return nil }
    var (text, name) = (given, "'--schedule'")
    // A schedule has a name in quotes, and no file's name begins with one.
    if !given.hasPrefix("\"") {
      let bytes = try CommandFailure.wrap { () throws(FileFailure) in
        try Files.read(given, atMost: Files.greatestTrace)
      }
      (text, name) = (String(decoding: bytes, as: UTF8.self), FileName.shown(given))
    }
    do {
      return try Schedule(parsing: text)
    } catch {
      throw .usage(UsageText.scheduleForm(name, line: error.line, error.column, error.message))
    }
  }

  /// The value of an option that takes one, nil when it is not given; a list is refused, and where it
  /// belongs is said.
  func single(
    _ name: OptionDescription.Name, listedBy list: OptionDescription.Name? = nil
  ) throws(CommandFailure) -> String? {
    guard let text = self[name] else { return nil }
    try ParsedArguments.checkSingle(text, shown: text, name, listedBy: list)
    return text
  }

  /// Refuses a list where one value is wanted.
  static func checkSingle(
    _ text: String, shown: String, _ name: OptionDescription.Name,
    listedBy list: OptionDescription.Name? = nil
  ) throws(CommandFailure) {
    guard ListText.values(text).count > 1 else { return }
    let hint = list.map { "; 'compare \($0.rawValue)' takes a list" } ?? ""
    throw .usage(UsageText.oneValue(name.rawValue, not: shown, hint: hint))
  }

  /// Refuses a number of cores that is none; a list of clusters is left to the compiler.
  static func checkCores(_ text: String) throws(CommandFailure) {
    if text.hasPrefix("[") { return }
    _ = try number(text, .cores, in: 1...Int64.max)
  }

  /// What ends a run, and how closely it is watched.
  func limits() throws(CommandFailure) -> RunLimits {
    var limits = RunLimits()
    if let steps = try number(.steps, in: 1...Int64.max) { limits.steps = steps }
    limits.checksInvariants = has(.checkInvariants)
    return limits
  }

  /// How many host threads may run simulations.
  func jobs(_ environment: HostEnvironment) throws(CommandFailure) -> Int {
    try number(.jobs, in: 1...256).map { Int($0) } ?? min(environment.processorCount, 256)
  }

  private static func asksForHelp(_ arguments: [String]) -> Bool {
    arguments.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
  }

  private mutating func takeOption(
    _ argument: String, _ rest: inout ArraySlice<String>
  ) throws(CommandFailure) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = command.option(name) else {
      let known = command.options.map(\.name.rawValue)
      throw .usage(
        UsageText.optionUnknown(
          name, of: command.name.rawValue, near: Spelling.proposal(name, in: known)))
    }
    guard let placeholder = option.value else {
      if parts.count == 2 { throw .usage(UsageText.noValue(name)) }
      return try add(option, "")
    }
    if parts.count == 2 { return try add(option, String(parts[1])) }
    // A value that looks like an option is a forgotten value; '--name=--value' is the way around.
    guard let value = rest.first, !value.hasPrefix("--") else {
      throw .usage(UsageText.valueNeeded(name, placeholder))
    }
    rest.removeFirst()
    try add(option, value)
  }

  private mutating func add(
    _ option: OptionDescription, _ value: String
  ) throws(CommandFailure) {
    if has(option.name) && !option.isRepeatable {
      throw .usage(UsageText.optionTwice(option.name.rawValue))
    }
    given.append((option.name, value))
  }

  private func checkOperands() throws(CommandFailure) {
    let name = command.name.rawValue
    if operands.count < command.operandCount.lowerBound {
      throw .usage(UsageText.operandsNeeded(name, command.operands))
    }
    if operands.count > command.operandCount.upperBound {
      let operand = command.operands.filter { $0 != "[" && $0 != "]" }
      let most =
        operand.isEmpty ? "no operand" : (operand.contains("|") ? "one of " : "one ") + operand
      let further = operands[command.operandCount.upperBound]
      let option = command.option("--\(further)").map { "; the option is '\($0.name.rawValue)'" }
      throw .usage(
        UsageText.operandsOver(name, most, further, hint: option ?? ""))
    }
    if let empty = operands.firstIndex(of: "") {
      throw .usage(UsageText.operandEmpty(empty + 1))
    }
  }
}
