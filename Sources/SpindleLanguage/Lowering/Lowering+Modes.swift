import SpindleModel

/// What modes of run loops are called outside of a trace.
extension Lowering {
  /// The names of the modes that every trace knows, each with the text that it stands for.
  ///
  /// Source: CFRunLoop.h; UIKit, UIApplication.h; AppKit, NSApplication.h.
  private static let modeNames: [(own: String, raw: String)] = [
    ("default", "kCFRunLoopDefaultMode"), ("common", "kCFRunLoopCommonModes"),
    ("tracking", "UITrackingRunLoopMode"), ("eventTracking", "NSEventTrackingRunLoopMode"),
    ("modalPanel", "NSModalPanelRunLoopMode"),
  ]

  /// The text that a mode stands for: a name of one's own is its own text.
  mutating func modeText(_ mode: Operand, _ range: SourceRange) -> Operand {
    let names = Lowering.modeNames.map { (intern($0.own), intern($0.raw)) }
    if let constant = mode.constant {
      let known = names.first { Int64($0.0.index) == constant }
      return .constant(known.map { Int64($0.1.index) } ?? constant, .string)
    }
    let from = register(of: mode, range)
    let result = frame.allocate()
    let (test, end) = (frame.allocate(), frame.label())
    for (own, raw) in names {
      emit(.constant(Int64(raw.index), to: result), range)
      emit(.constant(Int64(own.index), to: test), range)
      emit(.equal(test, test, from), range)
      emit(.jumpIf(test, frame.target(end)), range)
    }
    emit(.copy(result, from: from), range)
    frame.mark(end)
    frame.next = Int(result.index) + 1
    return .register(result, .string)
  }

  /// The mode that a text known before the run stands for.
  mutating func mode(named text: Operand) -> Operand {
    guard let constant = text.constant else { return text }
    let name = self.text(of: constant)
    guard let known = Lowering.modeNames.first(where: { $0.raw == name }) else { return text }
    return .constant(Int64(intern(known.own).index), text.type)
  }
}
