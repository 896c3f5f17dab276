package import SpindleModel

/// A crash, told by the calls that were going on and what was done with the object that it is about.
package enum CrashText {
  /// How many calls are listed from either end of a deep stack.
  private static let innermost = 8

  /// The calls, a line for each, innermost first, and the thread that made them.
  package static func calls(_ crash: CrashReport, _ source: SourceText) -> [String] {
    var lines = crash.calls.prefix(innermost).enumerated().map { number, call in
      let isLast = number == crash.calls.count - 1
      let place = call.text(in: source)
      if !call.isDeinit { return place }
      return place + ", run when the last reference was released" + (isLast ? "" : " in")
    }
    let more = crash.depth - lines.count
    if more > 0 { lines.append("and \(more) more") }
    if let thread = crash.thread { lines.append("on \(thread)") }
    return lines
  }

  /// What was done with the object, a line for each step.
  package static func uses(_ crash: CrashReport, _ source: SourceText) -> [String] {
    crash.uses.map { use in
      let place = use.place.map { " (\(source.position(of: $0)))" } ?? ""
      return "\(use.time): \(use.thread) \(use.step)\(place)"
    }
  }

  /// All of it, in lines that fit the style's width where the words allow it.
  package static func lines(
    _ crash: CrashReport, _ source: SourceText, _ style: TextStyle
  ) -> [String] {
    var lines: [String] = []
    let calls = calls(crash, source)
    if !calls.isEmpty { lines.append("calls, innermost first:") }
    for call in calls { lines += style.wrapped(call, indent: "  ") }
    let uses = uses(crash, source)
    if let name = crash.objectName, !uses.isEmpty { lines.append("last uses of \(name):") }
    for use in uses { lines += style.wrapped(use, indent: "  ") }
    return lines
  }
}
