import SpindleModel

/// Values at the top that are read before their own lines: by a function that an earlier line calls.
///
/// Swift reads zeros there, or crashes on what is no number: the globals of a main file get their values in the
/// order of the text, and nothing checks it (seen with Swift 6.3,
/// which takes `func f() -> Int { x }; let y = f(); let x = 4` and prints 0).
extension Lowering {
  /// Notes that a function reads a value at the top that is known before the run.
  mutating func noteConstant(_ index: Int32) {
    guard earlyReads.isPossible, scope[index].frame < 0, case .function(let ordinal) = frame.context
    else { return }
    earlyReads.constants[functions[ordinal].block.index, default: []].append(index)
  }

  /// Reports each value at the top that is read before its line.
  mutating func judgeEarlyReads() {
    guard earlyReads.isPossible, let top = program.initializer else { return }
    var flow = EarlyReadFlow(stored: statics.lazyGlobals)
    let faults = flow.follow(code, top, program.classes) { block in
      earlyReads.constants[block.index, default: []].compactMap { globals.global(of: $0)?.index }
    }
    for fault in faults {
      let global = program.globals[Int(fault.global)]
      let name = names[Int(fault.reader.index)]
      let reader = fault.reader == code.closureName ? "a closure" : "'\(name)'"
      let line = checker.line(global.place)
      error(
        line == checker.line(fault.place)
          ? Messages.readWithinItsLine(global.name, by: reader)
          : Messages.readBeforeItsLine(global.name, by: reader, line: line), fault.place)
    }
  }
}

/// What functions read of values at the top.
struct EarlyReads {
  /// Whether the initialisers call a function at all.
  var isPossible = false
  /// The symbols of the known values that a block reads, by the block's number.
  var constants: [Int32: [Int32]] = [:]
}
