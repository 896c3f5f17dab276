import SpindleModel

/// Draws by chance. Each has its key from its place in the text.
extension Emitter {
  func emitChance(_ name: String, _ call: Typed.Call, _ value: Typed.Expression) -> Register? {
    switch name {
    case "drawnThrough": return emitDraw(call, isClosed: true)
    case "drawnUpTo": return emitDraw(call, isClosed: false)
    case "choice": return emitChoice(call, value.range)
    case "drawnTime": return emitMeasuredTime(call, value.range)
    case "priorityNumber": return translated(call, KnownNumbers.taskPriorities)
    case "qualityNumber": return translated(call, KnownNumbers.qualities)
    case "queuePriorityNumber": return translated(call, KnownNumbers.queuePriorities)
    case "modeText":
      return translated(call, KnownNumbers.modes.map { ($0.own, intern($0.raw)) })
    case "modeNamed":
      return translated(call, KnownNumbers.modes.map { ($0.raw, intern($0.own)) })
    default: return nil
    }
  }

  /// A value from the first argument to the second, each as likely.
  private func emitDraw(_ call: Typed.Call, isClosed: Bool) -> Register {
    let place = call.place
    let (least, most) = (allocate(), allocate())
    emit(.copy(least, from: operand(0, call)), place)
    code.frame.next = Int(most.index) + 1
    emit(.copy(most, from: operand(1, call)), place)
    code.frame.next = Int(most.index) + 1
    let (test, fits) = (allocate(), code.frame.label())
    emit(isClosed ? .lessOrEqual(test, least, most) : .less(test, least, most), place)
    emit(.jumpIf(test, code.frame.target(fits)), place)
    crash(Messages.runTimeRandom, place)
    code.frame.mark(fits)
    // A draw is never negative: it is made from 0, and moved.
    let (base, span) = (allocate(), allocate())
    emit(.subtract(span, most, least), place)
    if !isClosed {
      emit(.constant(1, to: test), place)
      emit(.subtract(span, span, test), place)
    }
    emit(.constant(0, to: base), place)
    emit(.draw(base: base, code.site(), count: 2, .uniform), place)
    emit(.add(least, least, base), place)
    code.frame.next = Int(least.index) + 1
    return least
  }

  /// One of several values, each as likely.
  private func emitChoice(_ call: Typed.Call, _ range: SourceRange) -> Register {
    guard case .variadic(let values)? = call.arguments.first, !values.isEmpty else {
      table.report(Messages.choiceForm, range)
      return allocate()
    }
    guard let count = UInt16(exactly: values.count) else {
      table.report(Messages.tooManyArguments("choice"), range)
      return allocate()
    }
    let made = values.map { emitOwned($0) }
    let base = window(made, range)
    emit(.draw(base: base, code.site(), count: count, .choice), call.place)
    code.frame.next = Int(base.index) + 1
    return base
  }

  // MARK: Closed lists

  /// Translates a name with a list of pairs; returns a name that is not in the list unchanged.
  func translated(_ call: Typed.Call, _ pairs: [(String, Int64)]) -> Register {
    translated(operand(0, call), pairs, call.place)
  }

  func translated(
    _ given: Register, _ pairs: [(String, Int64)], _ range: SourceRange
  ) -> Register {
    let (result, end) = (code.frame.pinned(), code.frame.label())
    for (name, value) in pairs {
      let test = constant(intern(name), range)
      emit(.constant(value, to: result), range)
      emit(.equal(test, test, given), range)
      emit(.jumpIf(test, code.frame.target(end)), range)
    }
    emit(.copy(result, from: given), range)
    code.frame.mark(end)
    return result
  }

  // MARK: Measured times

  /// How many numbers a file may have.
  private static let mostTimes = 100_000

  /// `drawn(from: "times.txt")`: one of the durations in a file, each as likely; bare numbers count `unit`s.
  private func emitMeasuredTime(_ call: Typed.Call, _ range: SourceRange) -> Register {
    guard let name = argument(0, call), case .text(let file) = name.kind else {
      table.report(Messages.drawnForm, range)
      return allocate()
    }
    var unit: Int64?
    if let given = argument(1, call) {
      var plain = given
      if case .wrapped(let inner) = given.kind { plain = inner }
      switch plain.kind {
      case .constant(let length): unit = length
      case .nil: break
      default:
        table.report(Messages.timesUnit, given.range)
        return allocate()
      }
    }
    guard let files else {
      table.report(Messages.noFiles, name.range)
      return allocate()
    }
    let read = files.read(file, source.name)
    switch read {
    case .failure(let mistake): table.report(mistake.message, name.range)
    case .success(let text):
      switch MeasuredTimes.read(text, unit: unit, most: Emitter.mostTimes) {
      case .failure(let mistake): table.report(mistake.message, name.range)
      case .success(let times): return drawn(among: times, call.place)
      }
    }
    return allocate()
  }

  /// One of some values: the one with a number that is drawn, found by halving.
  private func drawn(among times: [Int64], _ place: SourceRange) -> Register {
    let (result, number, bound) = (allocate(), allocate(), allocate())
    let base = window([constant(0, place), constant(Int64(times.count - 1), place)], place)
    emit(.draw(base: base, code.site(), count: 2, .uniform), place)
    emit(.copy(number, from: base), place)
    code.frame.next = Int(bound.index) + 1
    let end = code.frame.label()
    pick(times[...], number, bound, into: result, end, place)
    code.frame.mark(end)
    code.frame.next = Int(result.index) + 1
    return result
  }

  private func pick(
    _ times: ArraySlice<Int64>, _ number: Register, _ bound: Register, into result: Register,
    _ end: Frame.Label, _ place: SourceRange
  ) {
    guard times.count > 1 else {
      emit(.constant(times[times.startIndex], to: result), place)
      return code.frame.jump(end, expansion ?? place)
    }
    let (middle, right) = ((times.startIndex + times.endIndex) / 2, code.frame.label())
    emit(.constant(Int64(middle), to: bound), place)
    emit(.jumpUnlessLess(number, bound, code.frame.target(right)), place)
    pick(times[..<middle], number, bound, into: result, end, place)
    code.frame.mark(right)
    pick(times[middle...], number, bound, into: result, end, place)
  }
}
