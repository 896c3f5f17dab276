import SpindleModel
import SpindleSimulator

/// The help texts, made from the table of options.
enum Usage {
  /// How the tool is called.
  static let line = "usage: spindle COMMAND ARGUMENTS...; 'spindle help' lists the commands"

  /// How a command is called.
  static func line(for command: CommandDescription) -> String {
    let options = command.options.contains { $0.name != .help } ? " [OPTIONS]" : ""
    let operands = command.operands.isEmpty ? "" : " \(command.operands)"
    return "usage: spindle \(command.name.rawValue)\(operands)\(options)"
  }

  /// What the tool is, and its commands.
  static func overview(width: Int) -> String {
    let commands = OptionTable.groups.map { group in
      group.commands.map { ("\($0.name.rawValue) \($0.operands)", $0.summary) }
    }
    let longest = commands.joined().map(\.0.count).max()
    let groups = zip(OptionTable.groups, commands).map { group, rows in
      "\(group.title):\n\(columns(rows, width, termWidth: longest))"
    }
    let what =
      "Spindle simulates threads, queues and Swift concurrency in virtual time. Equal runs give equal bytes."
    let pointers =
      "'spindle help COMMAND' explains a command, 'spindle help policies' the policies, and "
      + "'spindle help costs' the cost profiles."
    return """
      \(wrapped(what[...], width: min(width, 80)))

      usage: spindle COMMAND ARGUMENTS...

      \(groups.joined(separator: "\n"))
      options:
      \(columns([("-h, --help", "show this help"), ("--version", "show the version")], width))
      exit status:
      \(columns(statuses, width))
      \(wrapped(pointers[...], width: min(width, 80)))

      """
  }

  /// All about one command.
  static func help(for command: CommandDescription, width: Int) -> String {
    let options = command.options.map {
      (term($0), $0.help + ($0.isRepeatable ? "; repeatable" : ""))
    }
    let summary = capitalized(command.summary) + "."
    var text = """
      \(wrapped(summary[...], width: min(width, 80)))

      \(line(for: command))

      options:
      \(columns(options, width))
      """
    if !command.topics.isEmpty {
      let pointers = command.topics.map { "'spindle help \($0.rawValue)'" }
      let sentence = "See also \(pointers.joined(separator: " and "))."
      text += "\n" + wrapped(sentence[...], width: min(width, 80)) + "\n"
    }
    if !command.discussion.isEmpty {
      text += "\n"
      for line in command.discussion.split(separator: "\n", omittingEmptySubsequences: false) {
        text += (line.hasPrefix("  ") ? String(line) : wrapped(line, width: min(width, 80))) + "\n"
      }
    }
    return text
  }

  /// All about one topic.
  static func help(for topic: HelpTopic, width: Int) -> String {
    let catalogue = MachineCatalog.catalogue
    switch topic {
    case .policies:
      let intro = """
        A policy decides which thread a core runs and for how long. Arguments are given in parentheses, as in \
        'roundRobin(quantum: 5ms)'; the defaults are in parentheses below.
        """
      return wrapped(intro[...], width: min(width, 80)) + "\n\n"
        + columns(catalogue.policies.map { ($0.name, self.summary(of: $0)) }, width)
    case .costs:
      let intro = """
        A cost profile is what switches, wake-ups and calls cost. Instead of a profile, '--costs' also takes a \
        file that 'spindle calibrate' wrote.
        """
      return wrapped(intro[...], width: min(width, 80)) + "\n\n"
        + columns(catalogue.costs.map { ($0.name, $0.summary) }, width)
    }
  }

  private static let statuses = [
    ("0", "success"),
    ("1", "an expectation, a recorded log or a format check failed"),
    ("2", "a trace has errors"),
    ("3", "runs of one trace differ that must be equal"),
    ("64", "the command line is wrong"),
    ("66", "a file is missing or can't be read"),
    ("71", "the host is out of memory"),
    ("73", "a file can't be written"),
    ("130", "^C ended a run"),
  ]

  /// What a policy is, and its arguments as the command line takes them, with the standard ones.
  private static func summary(of signature: MachineCatalogue.Signature) -> String {
    if signature.parameters.isEmpty { return signature.summary }
    let arguments = signature.parameters.map { parameter in
      let value =
        switch parameter.format {
        case .duration: Nanoseconds(parameter.standard).description
        case .size: ByteCount(parameter.standard).description
        case .decimal: FixedDecimal(billionths: parameter.standard).description
        case .boolean: parameter.standard == 0 ? "false" : "true"
        case .symbol: parameter.choices.map { ".\($0)" }.joined(separator: " or ")
        default: "\(parameter.standard)"
        }
      return "\(parameter.label): \(value)"
    }
    return "\(signature.summary) (\(arguments.joined(separator: ", ")))"
  }

  private static func term(_ option: OptionDescription) -> String {
    option.value.map { "\(option.name.rawValue) \($0)" } ?? option.name.rawValue
  }

  private static func capitalized(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }

  /// Two columns; an explanation that does not fit goes on below itself, and below its term where little room is
  /// left beside that.
  ///
  /// Of `whole` columns of the terminal 80 are used. The terms take `termWidth` columns, or as many as the
  /// longest has.
  private static func columns(
    _ rows: [(String, String)], _ whole: Int, termWidth: Int? = nil
  ) -> String {
    let width = termWidth ?? rows.map(\.0.count).max() ?? 0
    let room = min(whole, 80)
    var text = ""
    if room - width - 4 < 24 {
      for (term, explanation) in rows {
        let lines = wrapped(explanation[...], width: room - 6)
        text += "  \(term)\n      " + lines.replacing("\n", with: "\n      ") + "\n"
      }
      return text
    }
    let indent = String(repeating: " ", count: width + 4)
    for (term, explanation) in rows {
      let padding = String(repeating: " ", count: width - term.count + 2)
      let lines = wrapped(explanation[...], width: room - width - 4)
        .split(separator: "\n").joined(separator: "\n" + indent)
      text += "  \(term)\(padding)\(lines)\n"
    }
    return text
  }

  private static func wrapped(_ text: Substring, width: Int) -> String {
    var lines = [""]
    for word in text.split(separator: " ") {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines.joined(separator: "\n")
  }
}
