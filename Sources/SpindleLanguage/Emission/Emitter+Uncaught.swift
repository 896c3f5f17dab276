import SpindleModel

/// What the runtime prints of an error that nothing catches.
///
/// That is `String(reflecting: error)`: module and type come first, unless the error describes itself. Source:
/// swift:stdlib/public/core/ErrorType.swift, swift_errorInMain.
extension Emitter {
  /// Ends the process at the end of a tool's main with what it has thrown, at the place where that was.
  func endUncaught(_ range: SourceRange) {
    guard code.frame.throwing > 0 else { return }
    let end = code.frame.code.count
    emit(.finish, range)
    let (thrown, window, origin) = (allocate(), allocate(), allocate())
    code.frame.catchHere(start: 0, end: end, error: thrown, origin: origin)
    guard code.frame.isReachable else { return }
    let block = reflection ?? code.reserveBlock()
    reflection = block
    let (argument, place) = (allocate(), window)
    emit(.copy(argument, from: thrown), range)
    emit(.call(block, base: argument, code.site()), range)
    emit(.copy(place, from: argument), range)
    emit(.perform(.doing(.uncaught), base: window, noSite), range)
    code.frame.isReachable = false
  }

  /// The block that puts module and type in front of the text of an error.
  func emitReflection() {
    guard let reflection else { return }
    let range = SourceRange(0, 0)
    code.beginFrame(.thread, name: code.intern("reflect"))
    let thrown = allocate()
    code.frame.parameterCount = 1
    let (owner, result) = (allocate(), allocate())
    let end = code.frame.label()
    func finish(as prefix: String) {
      text(
        [(Messages.runTimeError + prefix, nil), (nil, (thrown, .string))], into: result, range)
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
    let types = errorTypes
    if !types.isEmpty {
      emit(.loadGlobal(owner, errorOwners()), range)
      emit(.entryGet(owner, of: owner, key: thrown), range)
    }
    for type in types {
      unless(owner, is: errorNumber(of: type)) { finish(as: prefix(of: type)) }
    }
    finish(as: "")
    code.frame.mark(end)
    emit(.finishWith(result), range)
    code.frame.isReachable = false
    code.endFrame(reflection, range)
  }

  /// What comes in front of the text of an error.
  private func prefix(of type: SwiftType) -> String {
    guard let nominal = type.nominal else { return "" }
    if nominal.conforms(to: table.library("CustomStringConvertible")) { return "" }
    return nominal.kind == .enum ? "main.\(nominal.name)." : "main."
  }
}
