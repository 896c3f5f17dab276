import SpindleModel

/// `drawn(from: "times.txt")`: a duration from a file of measured ones.
extension Lowering {
  /// How many numbers a file may have.
  private static let mostTimes = 100_000

  /// One of the durations in a file, each as likely; bare numbers count `unit`s.
  mutating func drawn(
    fromFile name: Word, at range: SourceRange, unit: Expression?, _ call: CallSite
  ) -> Operand {
    var scale: Int64?
    if let unit {
      guard case .duration(let length) = unit.kind else {
        return refuse(Messages.timesUnit, unit.range)
      }
      scale = length.rawValue
    }
    guard let files else { return refuse(Messages.noFiles, range) }
    switch files.read(name.text, source.name) {
    case .failure(let mistake): return refuse(mistake.message, range)
    case .success(let text):
      switch MeasuredTimes.read(text, unit: scale, most: Lowering.mostTimes) {
      case .failure(let mistake): return refuse(mistake.message, range)
      case .success(let times): return drawn(among: times, call)
      }
    }
  }

  /// One of some values: the one with a number that is drawn, found by halving.
  private mutating func drawn(among times: [Int64], _ call: CallSite) -> Operand {
    let result = frame.allocate()
    let (number, bound, end) = (frame.allocate(), frame.allocate(), frame.label())
    emitDraw(from: 0, through: Int64(times.count - 1), to: number, call)
    frame.next = Int(bound.index) + 1
    pick(times[...], number, bound, into: result, end, call.place)
    frame.mark(end)
    frame.next = Int(result.index) + 1
    return .register(result, .duration)
  }

  private mutating func pick(
    _ times: ArraySlice<Int64>, _ number: Register, _ bound: Register, into result: Register,
    _ end: Frame.Label, _ place: SourceRange
  ) {
    guard times.count > 1 else {
      emit(.constant(times[times.startIndex], to: result), place)
      return frame.jump(end, place)
    }
    let (middle, right) = ((times.startIndex + times.endIndex) / 2, frame.label())
    emit(.constant(Int64(middle), to: bound), place)
    emit(.jumpUnlessLess(number, bound, frame.target(right)), place)
    pick(times[..<middle], number, bound, into: result, end, place)
    frame.mark(right)
    pick(times[middle...], number, bound, into: result, end, place)
  }
}
