import SpindleModel

/// The words in front of a member.
extension Parser {
  /// The words in front of a member that say something.
  struct Modifiers {
    var isStatic = false
    var isolation = Isolation.unspecified
    var isConvenience = false
    var isTaskLocal = false
    var isMutating = false
    var isLazy = false
    var isPrivate = false
    var isOverride = false
    var hold = TypeDeclaration.Field.Hold.strong
  }

  /// Reads the words in front of a member.
  ///
  /// They are given by address: an optimized build lost what was noted in a value that is returned.
  @inline(never)
  mutating func parseModifiers(_ modifiers: inout Modifiers) {
    while true {
      if current.kind == .unknownCharacter, bytes[Int(current.start)] == UInt8(ascii: "@") {
        let start = current.start
        skipAttributes()
        if current.start == start { return }
        if current.kind != .func { modifiers.isolation = takeIsolation() }
        if takeTaskLocal() { modifiers.isTaskLocal = true }
        continue
      }
      guard current.kind == .identifier, !isName(current, "init"), !isName(current, "deinit") else {
        return
      }
      if isName(current, "static") || isName(current, "class") && peek().kind != .identifier {
        modifiers.isStatic = true
      } else if isName(current, "nonisolated") {
        modifiers.isolation = parseNonisolated()
        continue
      } else if isName(current, "isolated") {
        modifiers.isolation = .own
      } else if isName(current, "weak") {
        modifiers.hold = .weak
      } else if isName(current, "unowned") {
        modifiers.hold = .unowned
      } else if isName(current, "mutating") {
        modifiers.isMutating = true
      } else if isName(current, "convenience") {
        modifiers.isConvenience = true
      } else if isName(current, "lazy") {
        modifiers.isLazy = true
      } else if isName(current, "override") {
        modifiers.isOverride = true
      } else if isName(current, "private") || isName(current, "fileprivate") {
        modifiers.isPrivate = peek().kind != .leftParenthesis
      } else if ForeignWord.all[text(current)]?.kind != .noise {
        return
      }
      advance()
      if current.kind == .leftParenthesis, !current.hasSpaceBefore {
        advance()
        skipToClosing(.rightParenthesis)
        _ = consume(.rightParenthesis)
      }
    }
  }

  /// Notes what the words in front of a declaration say of who sees what it declares.
  func note(
    _ modifiers: Modifiers, methodsFrom method: Int, fieldsFrom field: Int,
    _ type: inout TypeDeclaration
  ) {
    for index in method..<type.methods.count {
      type.methods[index].isPrivate = modifiers.isPrivate
      type.methods[index].isOverride = modifiers.isOverride
    }
    for index in field..<type.fields.count {
      type.fields[index].isPrivate = modifiers.isPrivate
      type.fields[index].isOverride = modifiers.isOverride
    }
  }
}
