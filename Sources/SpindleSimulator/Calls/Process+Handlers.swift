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
    if handler.closure >= 0 { frames.release(handler.closure) }
  }

  /// Whether an argument is a closure that was made for this call.
  ///
  /// Its register was last written by the instruction that makes the closure.
  @inline(__always)
  private func isLiteral(_ register: Register, _ call: Call) -> Bool {
    // A closure is the last argument of most calls, made just before them.
    if call.counter > 0, case .closure(let to, _, _) = code[call.counter &- 1], to == register {
      return true
    }
    return isLiteralFurtherUp(register, call)
  }

  @inline(never)
  private func isLiteralFurtherUp(_ register: Register, _ call: Call) -> Bool {
    var place = call.counter &- 1
    while place >= 0 && place &+ 32 > call.counter {
      switch code[place] {
      case .closure(let to, _, _): if to == register { return true }
      case .copy(let to, _), .constant(_, let to), .loadGlobal(let to, _):
        if to == register { return false }
      default: break
      }
      place &-= 1
    }
    return false
  }

  /// A closure as a new activity's outermost frame, with its own key.
  ///
  /// A closure literal of the call is taken over; any other closure is copied, since the trace may
  /// use it again.
  @inline(__always)
  mutating func activity(_ index: Int, _ call: Call) -> Int32 {
    let register = Register(Int(call.base.index) &+ index)
    var frame = Int32(truncatingIfNeeded: argument(index, call))
    if !isLiteral(register, call) { frame = copy(ofClosure: frame) }
    frames.setKey(
      frame, key(at: call.site, frames.key(call.frame), frames.registers(call.frame)))
    return frame
  }

  /// A closure with the same captured values.
  @inline(never)
  private mutating func copy(ofClosure closure: Int32) -> Int32 {
    let block = frames.block(closure)
    let frame = makeFrame(block, parent: -1, key: 0)
    frames.copy(Int(blocks[Int(block)].captureCount), from: closure, to: frame)
    return frame
  }
}
