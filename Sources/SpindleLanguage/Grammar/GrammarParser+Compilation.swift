import SpindleModel

/// `#if` and the branches that it leaves out.
extension GrammarParser {
  /// What is known of the `#if`s that are open at a place.
  struct ConditionalBranches {
    /// For each open one whether a branch of it has been taken.
    fileprivate var taken: [Bool] = []
    /// Where each open one begins.
    fileprivate var places: [SourceRange] = []
  }

  /// Goes past a line of conditional compilation, and past a branch that is not taken; whether there was one.
  mutating func skipsConditionalBranch(_ branches: inout ConditionalBranches) -> Bool {
    guard current.kind == .unknownCharacter, bytes[Int(current.start)] == UInt8(ascii: "#") else {
      return false
    }
    if isWord(current, "#if") {
      branches.places.append(current.range)
      advance()
      let holds = parseCompilationCondition()
      branches.taken.append(holds)
      if !holds { skipBranch(&branches) }
      return true
    }
    let isEnd = isWord(current, "#endif")
    guard isEnd || isWord(current, "#else") || isWord(current, "#elseif") else { return false }
    if branches.taken.isEmpty {
      report(SyntaxMessage.branchWithoutIf(text(current)), current.range)
      if isEnd {
        advance()
      } else {
        _ = parseCompilationCondition()
      }
    } else if isEnd {
      endBranches(&branches)
    } else {
      // The branch before was taken: all others are not.
      skipBranch(&branches)
    }
    return true
  }

  /// Goes behind an `#endif`.
  private mutating func endBranches(_ branches: inout ConditionalBranches) {
    advance()
    branches.taken.removeLast()
    branches.places.removeLast()
  }

  /// Reports an `#if` without an end.
  mutating func reportOpen(_ branches: ConditionalBranches) {
    if let place = branches.places.last, current.kind == .endOfFile {
      report(SyntaxMessage.openBranch, place)
    }
  }

  /// Whether the machine runs a system: one that names no platform counts as one of Apple's.
  private func isPlatform(_ system: String) -> Bool {
    let platform = GrammarParser.platform(of: bytes)
    return switch platform {
    case "linux": system == "Linux"
    case "macOS", "iOS": system == platform
    default: system == "macOS" || system == "iOS"
    }
  }

  /// Skips to the branch that is taken, or behind the `#endif`.
  private mutating func skipBranch(_ branches: inout ConditionalBranches) {
    var open = 0
    while current.kind != .endOfFile {
      if isWord(current, "#if") {
        open += 1
      } else if isWord(current, "#endif") {
        if open == 0 {
          return endBranches(&branches)
        }
        open -= 1
      } else if open == 0, branches.taken.last == false {
        let isElse = isWord(current, "#else")
        if isElse || isWord(current, "#elseif") {
          advance()
          if isElse || parseCompilationCondition() {
            branches.taken[branches.taken.count - 1] = true
            return
          }
          continue
        }
      }
      advance()
    }
  }

  /// Whether the condition of an `#if` holds: the tokens up to the end of its line.
  ///
  /// A trace is compiled as a debug build by a Swift 6 compiler that has all modules of the toolchain.
  private mutating func parseCompilationCondition() -> Bool {
    var words: [String] = []
    repeat {
      words.append(text(current))
      advance()
    } while !current.isFirstOnLine && current.kind != .endOfFile
    var position = 0
    func term() -> Bool {
      guard position < words.count else { return false }
      let word = words[position]
      position += 1
      if word == "!" { return !term() }
      if word == "(" {
        let value = disjunction()
        position += 1
        return value
      }
      guard position < words.count, words[position] == "(" else {
        return word == "DEBUG" || word == "true"
      }
      var argument = ""
      position += 1
      while position < words.count, words[position] != ")" {
        argument += words[position]
        position += 1
      }
      position += 1
      switch word {
      case "canImport": return !["UIKit", "AppKit", "SwiftUI", "Combine"].contains(argument)
      case "swift", "compiler": return argument.hasPrefix(">=")
      case "os": return isPlatform(argument)
      default: return false
      }
    }
    func conjunction() -> Bool {
      var value = term()
      while position < words.count, words[position] == "&&" {
        position += 1
        let next = term()
        value = value && next
      }
      return value
    }
    func disjunction() -> Bool {
      var value = conjunction()
      while position < words.count, words[position] == "||" {
        position += 1
        let next = conjunction()
        value = value || next
      }
      return value
    }
    return disjunction()
  }
}
