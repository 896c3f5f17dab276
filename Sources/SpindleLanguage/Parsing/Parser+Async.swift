import SpindleModel

// Words of Swift concurrency.

extension Parser {
  /// Whether the current token is the word `await`.
  @inline(__always)
  var isAwait: Bool { current.end - current.start == 5 && isName(current, "await") }

  /// `await a`, which covers all of the expression behind it.
  mutating func parseAwait() -> Expression {
    let start = current.start
    isAwaiting = true
    advance()
    let inner = parseExpression()
    guard grow(to: height + 1, at: range(from: start)) else { return inner }
    return arena.expression(kind: .await(inner, isTried: isTrying), range: range(from: start))
  }

  /// `AsyncStream<Int>` in front of a call or a member, behind its name; nil where the types say nothing.
  mutating func parseSpecialized(_ name: Token) -> Expression? {
    guard ForeignWord.isGenericType(text(name)) else { return nil }
    let arguments = parseTypeArguments()
    height = 1
    if text(name) == "Result", let first = arguments.first, first.range.count > 0,
      case .name(let word) = resultType(arguments, range(from: name.start)).kind
    {
      return arena.expression(kind: .name(word), range: range(from: name.start))
    }
    if text(name) == "Task", arguments.allSatisfy(isNever), current.kind == .dot {
      // What `Task.sleep(…)` stands for.
      return arena.named(word(name), range(from: name.start))
    }
    return arena.expression(
      kind: .specialized(word(name), arguments), range: range(from: name.start))
  }

  private func isNever(_ type: TypeName) -> Bool {
    if case .name(let name) = type.kind { name == "Never" } else { false }
  }

  /// `nonisolated`, with `(unsafe)` or `(nonsending)` behind it.
  mutating func parseNonisolated() -> Isolation {
    advance()
    guard current.kind == .leftParenthesis, !current.hasSpaceBefore else { return .nonisolated }
    advance()
    let isNonsending = isName(current, "nonsending")
    skipToClosing(.rightParenthesis)
    _ = consume(.rightParenthesis)
    return isNonsending ? .nonsending : .nonisolated
  }

  /// Notes what an attribute says of where code runs; whether it says that.
  mutating func noteIsolation(_ attribute: Token) -> Bool {
    switch text(attribute) {
    case "@MainActor": isolation = .mainActor
    case "@concurrent": isolation = .nonisolated
    case "@Sendable": isSendable = true
    case "@globalActor": isGlobalActor = true
    case "@TaskLocal": isTaskLocal = true
    case "@discardableResult": isDiscardable = true
    default:
      let name = word(Int(attribute.start) + 1, Int(attribute.end))
      guard globalActors.contains(name.text) else { return false }
      isolation = .global(Name(word: name, range: attribute.range))
    }
    return true
  }

  /// Where `@main` or its like stands, which say in Swift with which type a program begins; nil for nowhere.
  static func mainAttribute(in source: SourceText) -> SourceRange? {
    source.utf8.withUnsafeBufferPointer { bytes in
      var lexer = Lexer(bytes)
      var token = lexer.next()
      while token.kind != .endOfFile {
        if token.kind == .unknownCharacter,
          ["@main", "@UIApplicationMain", "@NSApplicationMain"].contains(
            source.text(in: token.range))
        {
          return token.range
        }
        token = lexer.next()
      }
      return nil
    }
  }

  /// The names of the trace's own global actors, wherever they are declared.
  private var globalActors: Set<String> {
    mutating get {
      if let knownGlobalActors { return knownGlobalActors }
      var (found, ahead) = (Set<String>(), lexer)
      ahead.position = 0
      var token = ahead.next()
      while token.kind != .endOfFile {
        if token.kind == .unknownCharacter, text(token) == "@globalActor" {
          repeat {
            token = ahead.next()
          } while token.kind != .endOfFile
            && TypeDeclaration.Keyword(rawValue: text(token)) == nil
          token = ahead.next()
          found.insert(text(token))
        }
        token = ahead.next()
      }
      knownGlobalActors = found
      return found
    }
  }

  /// Whether the attributes in front make a type a global actor; they say it once.
  mutating func takeGlobalActor() -> Bool {
    defer { isGlobalActor = false }
    return isGlobalActor
  }

  /// Whether the attributes in front make a variable a task-local; they say it once.
  mutating func takeTaskLocal() -> Bool {
    defer { isTaskLocal = false }
    return isTaskLocal
  }

  /// Whether the attributes in front let a function's result be left unused; they say it once.
  mutating func takeDiscardable() -> Bool {
    defer { isDiscardable = false }
    return isDiscardable
  }

  /// What the attributes in front say of where code runs; they say it once.
  @inline(never)
  mutating func takeIsolation() -> Isolation {
    let taken = isolation
    isolation = .unspecified
    return taken
  }
}
