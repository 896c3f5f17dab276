import SpindleSystem
import Testing

@testable import SpindleCommand

/// Help and completions, which derive from the table of options.
@Suite struct HelpTests {
  static let names = CommandDescription.Name.allCases.map(\.rawValue)

  @Test func everyCommandIsInTheTableOnce() {
    #expect(OptionTable.commands.map(\.name.rawValue).sorted() == HelpTests.names.sorted())
  }

  @Test func everyOptionBelongsToACommand() {
    let used = Set(OptionTable.commands.flatMap(\.options).map(\.name))
    for name in OptionDescription.Name.allCases { #expect(used.contains(name), "\(name)") }
  }

  @Test func overviewNamesEveryCommand() {
    let overview = Invocation("--help").output
    #expect(overview == Invocation("help").output)
    #expect(overview == Invocation("-h").output)
    for name in HelpTests.names { #expect(overview.contains("\n  \(name) ")) }
  }

  /// Each group has its title, and its commands below it in their order.
  @Test func overviewHasGroups() {
    let expected = OptionTable.groups.flatMap { group in
      ["\(group.title):"] + group.commands.map(\.name.rawValue)
    }
    let lines = Invocation("help").output.split(separator: "\n").dropFirst(2)
    let rows = lines.prefix { $0 != "options:" }.filter { !$0.hasPrefix("     ") }.dropFirst()
    let words = rows.map { row in
      row.hasPrefix("  ") ? String(row.split(separator: " ")[0]) : String(row)
    }
    #expect(words == expected)
  }

  /// Policies and costs are explained once; the commands that take them name the topic.
  @Test func topicsAreExplainedOnce() {
    let policies = Invocation("help", "policies")
    #expect(policies.status == .held)
    #expect(policies.output.contains("\n  roundRobin "))
    #expect(policies.output.contains("(quantum: 10ms)"))
    for policy in OptionTable.policies { #expect(policies.output.contains("\n  \(policy) ")) }
    #expect(Invocation("help", "costs").output.contains("\n  apple "))
    for line in (policies.output + Invocation("help", "costs").output).split(separator: "\n") {
      #expect(line.count <= 80, "\(line)")
    }
    for command in OptionTable.commands {
      let help = Invocation("help", command.name.rawValue).output
      #expect(!help.contains("\n  roundRobin "), "\(command.name)")
      let takesPolicies = command.option("--policy") != nil || command.option("--policies") != nil
      #expect(help.contains("'spindle help policies'") == takesPolicies, "\(command.name)")
      let takesCosts = command.option("--costs") != nil
      #expect(help.contains("'spindle help costs'") == takesCosts, "\(command.name)")
    }
  }

  @Test("a command's help names all its options and fits in 80 columns", arguments: names)
  func helpIsComplete(name: String) throws {
    let call = Invocation("help", name)
    #expect(call.status == .held)
    #expect(call.output == Invocation(name, "--help").output)
    #expect(call.output == Invocation(name, "-h").output)
    let command = try #require(OptionTable.command(named: name))
    for option in command.options {
      #expect(call.output.contains("  \(option.name.rawValue)"))
      if let value = option.value {
        #expect(call.output.contains("\(option.name.rawValue) \(value)"))
      }
    }
    for line in (call.output + Invocation("help").output).split(separator: "\n") {
      #expect(line.count <= 80, "\(line)")
    }
  }

  /// What is pasted, a call of the tool or the form of a file's name, stays on its line.
  @Test("help fits in a narrow terminal", arguments: names)
  func helpIsFolded(name: String) {
    let narrow = HostEnvironment(variables: ["COLUMNS": "44"])
    for call in [
      Invocation("help", name, environment: narrow), Invocation("help", environment: narrow),
    ] {
      for line in call.output.split(separator: "\n")
      where line.hasPrefix("      ") || !line.hasPrefix(" ") && !line.hasPrefix("usage: ") {
        #expect(line.count <= 44, "\(line)")
      }
    }
    let options = Invocation("help", "simulate", environment: narrow).output
    #expect(options.contains("\n  --set NAME=VALUE\n      give a parameter"))
    #expect(Invocation("help", "simulate").output.contains("\n  --set NAME=VALUE   "))
  }

  @Test func completionsKnowWhatAValueIs() {
    let bash = Invocation("completions", "bash").output
    for line in [
      "'simulate --policy') COMPREPLY=($(compgen -W 'fifo ",
      "'compare --policies') _spindle_list 'fifo ",
      "'compare --platform') _spindle_list 'iOS ", "'simulate --set') _spindle_parameters ",
      "'compare --crossover') _spindle_parameters ", "'simulate --log') compopt ",
      "simulate) _spindle_traces ", "test) _spindle_traces ", "merge) compopt ", "import) compopt ",
    ] {
      #expect(bash.contains("        \(line)"), "\(line)")
    }
    #expect(Invocation("completions", "zsh").output.contains("'--policy=[schedule by this policy]"))
    #expect(Invocation("completions", "fish").output.contains("__fish_complete_suffix .trace"))
  }

  @Test func compareSaysWhatItsSeedsAndItsStatusAre() {
    let help = Invocation("help", "compare").output.split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    #expect(help.contains("with N seeds, from the trace's own or '--seed' on"))
    #expect(
      help.contains("status is 0 however the runs end, even when one crashes. With '--expect'"))
  }

  @Test func versionIsPrinted() {
    let call = Invocation("--version")
    #expect(call.output == "spindle \(ToolVersion.text)\n")
    #expect(call.status == .held)
  }

  @Test("a completion script offers every command and option", arguments: Shell.allCases)
  func completionsAreComplete(shell: Shell) {
    let call = Invocation("completions", shell.rawValue)
    #expect(call.status == .held)
    for command in OptionTable.commands {
      #expect(call.output.contains(command.name.rawValue))
      for option in command.options {
        let name = shell == .fish ? "-l \(option.name.rawValue.dropFirst(2))" : option.name.rawValue
        #expect(call.output.contains(name), "\(command.name) \(name)")
      }
    }
  }

  /// Brackets and quotes as the shells count them; a script that fails this can't be read.
  @Test("a completion script is balanced", arguments: Shell.allCases)
  func completionsAreBalanced(shell: Shell) {
    for line in Invocation("completions", shell.rawValue).output.split(separator: "\n")
    where !line.hasPrefix("#") {
      let unescaped = line.replacing("'\\''", with: "").replacing("\\'", with: "")
      #expect(unescaped.count { $0 == "'" }.isMultiple(of: 2), "\(line)")
      #expect(line.count { $0 == "\"" }.isMultiple(of: 2), "\(line)")
    }
  }
}
