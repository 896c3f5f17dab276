import SpindleModel

/// What goes wrong in the simulated program, and who catches it.
extension Interpreter {
  /// The limit of steps is reached.
  @inline(never)
  mutating func stepsAreOver(_ counter: Int) -> Pause {
    outcome = Outcome(.stepLimit, place: program.places[counter])
    lastPlace = Int32(truncatingIfNeeded: counter)
    return .stopped
  }

  /// Arithmetic of the program overflowed.
  @inline(never)
  mutating func overflowed(_ thread: Int32, _ counter: Int) -> Pause {
    stop("Arithmetic operation resulted in an overflow", thread, counter)
  }

  /// The program does what traps in Swift: it crashes with that message.
  @inline(never)
  mutating func stop(_ message: String, _ thread: Int32, _ counter: Int) -> Pause {
    crash("Fatal error: \(message)", thread, at: Int32(truncatingIfNeeded: counter))
    return .stopped
  }

  /// The program holds more than a run may, after this instruction; -1 where the world outside did it.
  ///
  /// How the run has ended already stays.
  @inline(never)
  @discardableResult
  mutating func holdsTooMuch(_ thread: Int32, at instruction: Int32) -> Pause {
    if outcome == nil {
      crash("Fatal error: \(kernel.storage.complaint)", thread, at: instruction)
    }
    return .stopped
  }

  /// Finds the handler of a thrown error, and gives back the frames on the way to it.
  ///
  /// Returns the frame that goes on; nil when nobody catches it: a crash.
  @inline(never)
  mutating func unwind(
    _ thrower: Int32, _ counter: Int, _ message: Int64, _ thread: Int32
  ) -> Int32? {
    var (frame, place) = (thrower, Int32(truncatingIfNeeded: counter))
    while true {
      if frames.isNative(frame) { break }
      for handler in blocks[Int(frames.block(frame))].handlers
      where handler.start <= place && place < handler.end {
        frames.registers(frame)[handler.error] = message
        frames.setCounter(frame, handler.target)
        return frame
      }
      let parent = frames.parent(frame)
      if parent < 0 { break }
      frames.release(frame)
      if thread >= 0 { kernel.threads[thread].depth -= 1 }
      frame = parent
      place = frames.counter(frame)
    }
    let text = kernel.names.text(NameID(Int(message)))
    crash("uncaught error: \(text)", thread, at: Int32(truncatingIfNeeded: counter))
    return nil
  }
}
