import SpindleModel

/// When a place in the text can be come to at the earliest, as far as the text says so.
///
/// It is what a length is compared with that stands for a moment: one that can still lie ahead is taken for meant.
/// Only what is known for sure counts: a closure runs later than it was made, a statement behind a sleep after
/// that. What a `func` or a method begins with is the start of the run.
extension Lowering {
  /// The first moment at which the closures can run that a call hands over.
  ///
  /// Mutating, as all here that are asked for each call are: what only reads would be handed a copy of the whole.
  mutating func beginning(of call: CallSite) -> Instant {
    for argument in call.arguments {
      switch argument.label {
      case "deadline", "wallDeadline":
        return max(frame.earliest, moment(argument.value) ?? .start)
      case "afterDelay", "timeInterval", "withTimeInterval":
        guard let length = length(argument.value) else { return frame.earliest }
        return later(length)
      default: break
      }
    }
    return frame.earliest
  }

  /// The moment at which `at` or `every` does something first.
  mutating func firstArrival(_ name: String, _ time: Expression) -> Instant {
    guard name != "arrivals", let length = length(time) else { return .start }
    return later(length)
  }

  /// Notes that a statement has been made which may have taken its time.
  mutating func pass(_ statement: Expression) {
    switch statement.kind {
    case .await(let inner, _): pass(inner)
    case .call(let call):
      guard call.closures.isEmpty, call.arguments.count == 1, let name = pauseName(call.callee)
      else {
        return
      }
      let argument = call.arguments[0]
      guard name == "sleep" || name == "io" && argument.label == nil else { return }
      switch argument.label {
      case "until":
        if let moment = moment(argument.value) { frame.earliest = max(frame.earliest, moment) }
      case nil, "forTimeInterval", "for":
        if let length = length(argument.value) { frame.earliest = later(length) }
      default: break
      }
    default: break
    }
  }

  /// The name of what waits: `sleep`, `io`, or `sleep` of a thread or a task; nil for any other call.
  private mutating func pauseName(_ callee: Expression) -> Word? {
    switch callee.kind {
    case .name(let name) where find(name) == nil: return name
    case .member(let member):
      guard case .name(let base) = member.base.kind, find(base) == nil,
        base == "Thread" || base == "Task"
      else { return nil }
      return member.name
    default: return nil
    }
  }

  /// `length` after what is the earliest here.
  @inline(__always)
  private func later(_ length: Nanoseconds) -> Instant { frame.earliest + length }

  /// The earliest moment that `.now() + 5s` can mean here, or the moment that `Instant(5s)` or a length is;
  /// nil for what is none of these.
  private mutating func moment(_ expression: Expression) -> Instant? {
    switch expression.kind {
    case .infix(.add, let sides):
      guard isNow(sides.left), let length = length(sides.right) else { return nil }
      return later(length)
    case .call(let call):
      guard case .name(let name) = call.callee.kind, name == "Instant", find(name) == nil,
        call.arguments.count == 1, let length = length(call.arguments[0].value)
      else { return nil }
      return .start + length
    default: return length(expression).map { .start + $0 }
    }
  }

  /// Whether an expression is the present moment.
  private func isNow(_ expression: Expression) -> Bool {
    switch expression.kind {
    case .name(let name): return name == words.now && find(name) == nil
    case .implicitMember(let name): return name == words.now
    case .call(let call):
      guard call.arguments.isEmpty, call.closures.isEmpty else { return false }
      switch call.callee.kind {
      case .implicitMember(let name): return name == words.now
      case .name(let name): return name.text == "Date" && find(name) == nil
      case .member(let member): return member.name == words.now
      default: return false
      }
    default: return false
    }
  }

  /// A length that is written out, or that a constant has; nil for what is known only at run time.
  private mutating func length(_ expression: Expression) -> Nanoseconds? {
    switch expression.kind {
    case .duration(let length): return max(.zero, length)
    case .name(let name):
      guard let index = find(name), case .constant(let value) = scope[index].meaning,
        scope[index].type == .duration, value != noValue
      else { return nil }
      return max(.zero, Nanoseconds(value))
    default: return nil
    }
  }
}
