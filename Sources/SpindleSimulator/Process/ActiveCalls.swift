import SpindleModel

/// The calls that are going on, as explanations have them.
extension Process {
  /// The calls of a frame, innermost first, up to so many, and how many there are in all.
  ///
  /// The innermost one is at `instruction`.
  func activeCalls(
    of innermost: FrameIndex, at instruction: Int32, limit: Int
  ) -> (calls: [ActiveCall], count: Int) {
    var (calls, count): ([ActiveCall], Int) = ([], 0)
    var (frame, instruction, isReleaser) = (innermost, instruction, false)
    if frame.isNone || frames.isNative(frame), let block = block(of: instruction) {
      (calls, count) = ([activeCall(of: block, at: instruction)], 1)
    }
    while !frame.isNone {
      if !frames.isNative(frame) {
        let block = frames.block(frame)
        if count > 0 || instruction < 0 {
          instruction = frames.counter(frame)
          // Behind what released the last reference of an instance its code goes on when that is gone.
          if isReleaser && code[Int(instruction)] != .releaseOwned { instruction -= 1 }
        }
        if count < limit { calls.append(activeCall(of: block, at: instruction)) }
        count += 1
        isReleaser = isDeinit(block)
      }
      frame = frames.parent(frame)
    }
    return (calls, count)
  }

  private func activeCall(of block: Int32, at instruction: Int32) -> ActiveCall {
    let shape = blocks[Int(block)]
    let place = min(max(instruction, shape.entry), shape.end - 1)
    let name = Int(shape.name.index)
    return ActiveCall(
      function: program.names.indices.contains(name) ? program.names[name] : "",
      place: program.places[Int(place)], isDeinit: isDeinit(block))
  }

  private func isDeinit(_ block: Int32) -> Bool {
    program.classes.contains { $0.deinitializer?.index == block }
  }

  /// The block that an instruction belongs to; nil for none.
  private func block(of instruction: Int32) -> Int32? {
    blocks.firstIndex { $0.entry <= instruction && instruction < $0.end }
      .map { Int32(truncatingIfNeeded: $0) }
  }

  // MARK: Writes

  /// How many writes are kept with their calls, and how many calls of each.
  private static let mostTracedWrites = 100_000
  private static let tracedCalls = 8

  /// Keeps the calls that are going on at a write, where somebody asked for that.
  @inline(__always)
  mutating func traceWrite(_ registers: UnsafeMutablePointer<Int64>, _ counter: Int) {
    if tracedWrites != nil { keepCalls(of: frames.frame(below: registers), counter) }
  }

  @inline(never)
  private mutating func keepCalls(of frame: FrameIndex, _ counter: Int) {
    guard let count = tracedWrites?.count, count < Self.mostTracedWrites else { return }
    let instruction = Int32(truncatingIfNeeded: counter)
    let calls = activeCalls(of: frame, at: instruction, limit: Self.tracedCalls).calls
    tracedWrites?.append(
      TracedWrite(time: kernel.now, instruction: instruction, calls: calls))
  }

  /// The writes of a round of a loop come `count` times more, each time later by `period`.
  mutating func repeatTracedWrites(
    from first: Int, to end: Int, _ count: Int64, later period: Int64
  ) {
    guard let round = tracedWrites?[first..<end], !round.isEmpty else { return }
    for number in 1..<(count + 1) {
      for var write in round where (tracedWrites?.count ?? 0) < Self.mostTracedWrites {
        write.time += number * period
        tracedWrites?.append(write)
      }
    }
  }
}
