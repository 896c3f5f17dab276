/// The shells that the tool writes completions for.
enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish
}

/// Completion scripts, made from the table of options.
enum Completions {
  /// The script for `shell`.
  static func script(for shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  // MARK: bash

  private static var bash: String {
    var values = ""
    var options = ""
    var operands = ""
    for command in OptionTable.commands {
      let name = command.name.rawValue
      for option in command.options where option.value != nil {
        values += "        '\(name) \(option.name.rawValue)') \(bashReply(option.completion)) ;;\n"
      }
      let names = command.options.map(\.name.rawValue).joined(separator: " ")
      options += "            \(name)) options='\(names)' ;;\n"
      operands += "        \(name)) \(bashReply(command.operandCompletion)) ;;\n"
    }
    let first = names.joined(separator: " ") + " --help --version"
    return """
      # Completions of spindle for bash: source <(spindle completions bash)
      _spindle_list() {
          local done=''
          case "$2" in *,*) done="${2%,*}," ;; esac
          COMPREPLY=($(compgen -P "$done" -W "$1" -- "${2##*,}"))
      }
      _spindle_parameters() {
          local file names=''
          for file in "${COMP_WORDS[@]:2}"; do
              case "$file" in *.trace)
                  names+=" $(sed -n 's/^ *param  *\\([A-Za-z_][A-Za-z_0-9]*\\).*/\\1=/p' "$file" 2>/dev/null)" ;;
              esac
          done
          compopt -o nospace
          COMPREPLY=($(compgen -W "$names" -- "$1"))
      }
      _spindle_traces() {
          compopt -o filenames
          local IFS=$'\\n'
          COMPREPLY=($(compgen -d -- "$1"; compgen -f -X '!*.trace' -- "$1"))
      }
      _spindle() {
          local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" options=''
          COMPREPLY=()
          # '--policy=fifo' is three words to bash.
          if [ "$word" = '=' ]; then word=''; elif [ "$before" = '=' ]; then before="${COMP_WORDS[COMP_CWORD-2]}"; fi
          if [ "$COMP_CWORD" -eq 1 ]; then
              COMPREPLY=($(compgen -W '\(first)' -- "$word"))
              return
          fi
          case "${COMP_WORDS[1]} $before" in
      \(values)    esac
          if [[ "$word" == -* ]]; then
              case "${COMP_WORDS[1]}" in
      \(options)        esac
              COMPREPLY=($(compgen -W "$options" -- "$word"))
              return
          fi
          case "${COMP_WORDS[1]}" in
      \(operands)    esac
      }
      complete -F _spindle spindle

      """
  }

  private static func bashReply(_ completion: Completion) -> String {
    switch completion {
    case .none: "return"
    case .file:
      "compopt -o filenames; local IFS=$'\\n'; COMPREPLY=($(compgen -f -- \"$word\")); return"
    case .trace: "_spindle_traces \"$word\"; return"
    case .list(let words):
      "_spindle_list '\(words.joined(separator: " "))' \"$word\"; return"
    case .parameter: "_spindle_parameters \"$word\"; return"
    case .words(let words):
      "COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$word\")); return"
    }
  }

  // MARK: zsh

  private static var zsh: String {
    var cases = ""
    for command in OptionTable.commands {
      cases += "        \(command.name.rawValue)) _arguments \\\n"
      for option in command.options {
        var row = option.isRepeatable ? "*" : ""
        // With '=' the value may stand behind that or in the next word.
        row += option.name.rawValue + (option.value == nil ? "" : "=")
        row += "[\(zshText(option.help))]"
        if let value = option.value {
          row += ":\(zshText(value)):" + zshAction(option.completion)
        }
        cases += "            '\(row)' \\\n"
      }
      let isMany = command.operandCount.upperBound > 1
      let place = isMany ? "*" : "1"
      cases +=
        "            '\(place):\(zshText(command.operands)):"
        + "\(zshAction(command.operandCompletion))' ;;\n"
    }
    let commands = OptionTable.commands.map {
      "        '\($0.name.rawValue):\(zshText($0.summary))'\n"
    }.joined()
    return """
      #compdef spindle
      # Completions of spindle for zsh: source <(spindle completions zsh)
      _spindle_parameters() {
          local -a names
          names=(${(f)"$(sed -n 's/^ *param  *\\([A-Za-z_][A-Za-z_0-9]*\\).*/\\1=/p' /dev/null ${(M)words:#*.trace} 2>/dev/null)"})
          compadd -S '' -a names
      }
      _spindle() {
          local -a commands
          commands=(
      \(commands)    )
          if (( CURRENT == 2 )); then
              _describe 'command' commands
              return
          fi
          local command="$words[2]"
          shift words
          (( CURRENT -= 1 ))
          case "$command" in
      \(cases)    esac
      }
      compdef _spindle spindle

      """
  }

  private static func zshAction(_ completion: Completion) -> String {
    switch completion {
    case .none: " "
    case .file: "_files"
    case .trace: "_files -g \"*.trace\""
    case .list(let words): "_sequence compadd - \(words.joined(separator: " "))"
    case .parameter: "_spindle_parameters"
    case .words(let words): "(\(words.joined(separator: " ")))"
    }
  }

  /// `text` so that neither zsh's quotes nor the brackets and colons of `_arguments` see its marks.
  private static func zshText(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "'": escaped += "'\\''"
      case "[", "]", ":", "\\": escaped += "\\\(character)"
      default: escaped.append(character)
      }
    }
    return escaped
  }

  // MARK: fish

  private static var fish: String {
    var text = """
      # Completions of spindle for fish: spindle completions fish | source
      complete -c spindle -n __fish_use_subcommand -f -l help -s h -d 'show this help'
      complete -c spindle -n __fish_use_subcommand -f -l version -d 'show the version'

      """
    for command in OptionTable.commands {
      let name = command.name.rawValue
      text += "complete -c spindle -n __fish_use_subcommand -f -a \(name)"
      text += " -d '\(fishText(command.summary))'\n"
      let isSeen = "complete -c spindle -n '__fish_seen_subcommand_from \(name)'"
      for option in command.options {
        text += "\(isSeen) -l \(option.name.rawValue.dropFirst(2))"
        if option.value != nil { text += fishValue(option.completion) }
        text += " -d '\(fishText(option.help))'\n"
      }
      if command.operandCompletion == .trace {
        text += "\(isSeen) -f -a '(__fish_complete_suffix .trace)'\n"
      }
      if case .words(let words) = command.operandCompletion {
        text += "\(isSeen) -f -a '\(words.joined(separator: " "))'\n"
      }
    }
    return text
  }

  private static func fishValue(_ completion: Completion) -> String {
    switch completion {
    case .none: " -x"
    case .file: " -r -F"
    case .trace: " -x -a '(__fish_complete_suffix .trace)'"
    case .list(let words): " -x -a '(__fish_append , \(words.joined(separator: " ")))'"
    case .parameter: " -x -a '\(fishParameters)'"
    case .words(let words): " -x -a '\(words.joined(separator: " "))'"
    }
  }

  /// The parameters of the traces on the command line, with '='.
  private static let fishParameters =
    "(cat /dev/null (commandline -opc | string match \"*.trace\") 2>/dev/null | string replace -rf "
    + "\"^ *param +(\\w+).*\" \"\\$1=\")"

  private static func fishText(_ text: String) -> String {
    var escaped = ""
    for character in text {
      if character == "'" || character == "\\" { escaped.append("\\") }
      escaped.append(character)
    }
    return escaped
  }

  private static var names: [String] { OptionTable.commands.map(\.name.rawValue) }
}
