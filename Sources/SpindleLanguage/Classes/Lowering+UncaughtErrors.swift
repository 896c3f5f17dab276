import SpindleModel

/// What the runtime prints of an error that nothing catches.
///
/// That is `String(reflecting: error)`: module and type come first, unless the error describes itself. Source:
/// swift:stdlib/public/core/ErrorType.swift, swift_errorInMain, swift_unexpectedError; run with Swift 6.3.1 on Linux, with enums, structs,
/// texts and `CancellationError`, in a main.swift, whose module is `main`.
extension Lowering {
  /// Ends the process at the end of a tool's main with what it has thrown, at the place where that was.
  mutating func endUncaught(_ range: SourceRange) {
    guard program.mainIsTool, frame.asynchrony.isMain, frame.throwing > 0 else { return }
    let end = frame.code.count
    emit(.finish, range)
    let thrown = frame.allocate()
    let window = frame.allocate(2)
    let origin = Register(Int(window.index) + 1)
    frame.catchHere(start: 0, end: end, error: thrown, origin: origin)
    guard frame.isReachable else { return }
    reflect(thrown, behind: Messages.runTimeError, in: window, range)
    emit(.perform(.doing(.uncaught), base: window, noSite), range)
    frame.isReachable = false
  }

  /// Puts a text into a register: `start` and what was thrown, with module and type.
  mutating func reflect(
    _ thrown: Register, behind start: String, in result: Register, _ range: SourceRange
  ) {
    let done = frame.label()
    let next = frame.next
    func end(as prefix: String, _ lowering: inout Lowering, quoted suffix: String = "") {
      _ = lowering.join(
        [.literal(start + prefix), .value(thrown, .string), .literal(suffix)], result, range)
      lowering.frame.jump(done, range)
      lowering.frame.next = next
    }
    unless(thrown, isOneOf: [words.cancellation.text], range) { end(as: "Swift.", &$0) }
    for name in checker.enums.names {
      guard let index = checker.enums.index(of: name), checker.enums[index].isError else {
        continue
      }
      let other = frame.label()
      let type = checker.enums[index].type
      if let members = describedEnum(index) {
        whereThrown(members, .enum(index), type, thrown, otherwise: other, range)
        end(as: "", &self)
      } else {
        let cases = checker.enums[index].cases.map(\.text)
        unless(thrown, isOneOf: cases, range) { lowering in
          lowering.ifOther(.enum(index), thrown, range) { $0.frame.jump(other, range) }
          end(as: "\(Self.module).\(name).", &lowering)
        }
      }
      frame.mark(other)
    }
    for index in 0..<checker.classes.count where isThrown(checker.classes[index].name.word) {
      let (other, info) = (frame.label(), checker.classes[index])
      if checker.enums.index(of: info.name.text) != nil { continue }
      whereThrown(index, .class(index), info.type, thrown, otherwise: other, range)
      let type = info.cases.isEmpty ? "" : "\(info.name.text)."
      end(as: info.isDescribed ? "" : "\(Self.module).\(type)", &self)
      frame.mark(other)
    }
    end(as: "\"", &self, quoted: "\"")
    frame.mark(done)
  }

  /// The module of a program that is one file with the name main.swift.
  private static let module = "main"

  /// Does something where a text is one of several, and goes on behind it where it is none.
  private mutating func unless(
    _ text: Register, isOneOf texts: [String], _ range: SourceRange,
    _ body: (inout Lowering) -> Void
  ) {
    let (found, other) = (frame.label(), frame.label())
    let test = frame.allocate()
    for each in texts {
      emit(.constant(Int64(intern(each).index), to: test), range)
      emit(.equal(test, text, test), range)
      emit(.jumpIf(test, frame.target(found)), range)
    }
    frame.jump(other, range)
    frame.mark(found)
    body(&self)
    frame.mark(other)
  }

  /// Jumps to a label where a text was not thrown as an error of a type whose errors are kept.
  private mutating func whereThrown(
    _ members: Int, _ kind: ErrorType, _ type: ValueType, _ text: Register,
    otherwise label: Frame.Label, _ range: SourceRange
  ) {
    let (found, missing) = (frame.allocate(), frame.label())
    _ = thrownEntry(members, text, to: missing, in: found, kind, type, range)
    jump(ifMissing: found, to: label, range)
  }
}
