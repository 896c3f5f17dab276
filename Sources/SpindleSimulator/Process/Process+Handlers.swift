import SpindleModel

/// Closures that calls hand over.
extension Process {
  /// The closure of a call as something that can be run any number of times; nil when none is given.
  mutating func handler(_ index: Int, _ call: Call) -> Handler? {
    if argument(index, call) == noValue { return nil }
    let frame = activity(index, call)
    return Handler(closure: frame, key: frames.key(frame))
  }

  /// Gives the closure of a handler back.
  mutating func discard(_ handler: Handler) {
    if !handler.closure.isNone { drop(handler.closure) }
  }

  /// A closure as a new activity's outermost frame, with its own key.
  ///
  /// The call takes over what was made for it: the compiler makes a closure for each call that asks for
  /// one, also where the trace gives one by name.
  @inline(__always)
  mutating func activity(_ index: Int, _ call: Call) -> FrameIndex {
    let frame = closure(argument(index, call))
    checkIndex(Int(call.site.index), of: sites.count)
    frames.setParent(frame, .none)
    frames.setKey(
      frame, key(at: call.site, frames.key(call.frame), frames.registers(call.frame)))
    return frame
  }
}
