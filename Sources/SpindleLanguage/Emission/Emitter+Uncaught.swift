import SpindleModel

/// What the runtime prints of an error that nothing catches, and of one that `try!` stops at.
///
/// That is `String(reflecting: error)`: module and type come first, unless the error describes itself, and a text is in
/// quotation marks. Source: swift:stdlib/public/core/ErrorType.swift, swift_errorInMain, swift_unexpectedError; run with
/// Swift 6.3.1.
extension Emitter {
  /// Ends the process at the end of a tool's main with what it has thrown, at the place where that was.
  func endUncaught(_ range: SourceRange) {
    guard code.frame.throwing > 0 else { return }
    let end = code.frame.code.count
    emit(.finish, range)
    let (thrown, window, origin) = (allocate(), allocate(), allocate())
    code.frame.catchHere(start: 0, end: end, error: thrown, origin: origin)
    guard code.frame.isReachable else { return }
    reflect(thrown, behind: Messages.runTimeError, into: window, range)
    emit(.perform(.doing(.uncaught), base: window, noSite), range)
    code.frame.isReachable = false
  }

  /// Puts a text into a register: `start`, and what an error is as the runtime prints it.
  func reflect(
    _ thrown: Register, behind start: String, into result: Register, _ range: SourceRange
  ) {
    let block = reflection ?? code.reserveBlock()
    reflection = block
    let argument = allocate()
    emit(.copy(argument, from: thrown), range)
    emit(.call(block, base: argument, code.site()), range)
    text([(start, nil), (nil, (argument, .string))], into: result, range)
  }

  /// The block that gives an error as the runtime prints it.
  func emitReflection() {
    guard let reflection else { return }
    let range = SourceRange(0, 0)
    code.beginFrame(name: code.intern("reflect"))
    let thrown = allocate()
    code.frame.parameterCount = 1
    let (owner, result) = (allocate(), allocate())
    let end = code.frame.label()
    func finish(as prefix: String, _ format: ValueFormat = .string) {
      text([(prefix, nil), (nil, (thrown, format))], into: result, range)
      code.frame.jump(end, range)
    }
    func unless(_ register: Register, is value: Int64, _ body: () -> Void) {
      let (test, other) = (constant(value, range), code.frame.label())
      emit(.equal(test, test, register), range)
      emit(.jumpUnless(test, code.frame.target(other)), range)
      body()
      code.frame.mark(other)
    }
    unless(thrown, is: intern("CancellationError()")) { finish(as: "Swift.") }
    let types = hiddenTables.compactMap(\.table.errors)
    if !types.isEmpty {
      emit(.loadGlobal(owner, hiddenGlobal(.errorOwners)), range)
      emit(.entryGet(owner, of: owner, key: thrown), range)
    }
    for type in types {
      unless(owner, is: errorNumber(of: type)) { finish(as: prefix(of: type)) }
    }
    finish(as: "", .quoted)
    code.frame.mark(end)
    emit(.finishWith(result), range)
    code.frame.isReachable = false
    code.endFrame(reflection, range)
  }

  /// What comes in front of the text of an error.
  private func prefix(of type: SwiftType) -> String {
    guard let nominal = type.nominal else { return "" }
    if nominal.conforms(to: table.library("CustomStringConvertible")) { return "" }
    let module = (nominal.outer?.qualifiedName ?? "main") + "."
    return nominal.kind == .enum ? module + nominal.name + "." : module
  }
}
