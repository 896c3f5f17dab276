import SpindleModel

extension Evaluation {
  /// What was seen of a name or pattern; nothing when the inquiry did not ask for it.
  func observation(_ name: String) -> NameObservation {
    guard let index = observations.inquiry.index(ofText: name) else {
      return NameObservation()
    }
    return observations.names[index]
  }

  /// When the one item of this name began.
  func start(of name: String) throws(Unanswerable) -> NameObservation.Moment {
    let seen = observation(name)
    try demandUnique(name, seen)
    guard let start = seen.starts.first else {
      throw Unanswerable(
        cause: .never, explanation: "\(ValueText.quoted(name)) never started")
    }
    return start
  }

  /// When the one item of this name ended.
  func end(of name: String) throws(Unanswerable) -> NameObservation.Moment {
    let seen = observation(name)
    try demandUnique(name, seen)
    guard let end = seen.ends.first else {
      let start = seen.starts.first.map { "started at \(Instant($0.time)) and never ended" }
      throw Unanswerable(
        cause: start == nil ? .never : .neverEnded,
        explanation: "\(ValueText.quoted(name)) \(start ?? "never started")")
    }
    return end
  }

  private func demandUnique(_ name: String, _ seen: NameObservation) throws(Unanswerable) {
    guard seen.startCount > 1 else { return }
    throw Unanswerable(
      cause: .notOne,
      explanation: "\(ValueText.quoted(name)) is not one item: \(seen.startCount) started, the "
        + "first at \(Instant(seen.starts[0].time)), the second at \(Instant(seen.starts[1].time))")
  }

  /// The first two neighbours of which the first did not end before the second began, in words; nil
  /// when all are in order.
  func orderDifference(_ names: [String]) throws(Unanswerable) -> String? {
    for (first, second) in zip(names, names.dropFirst()) {
      let (end, endWord) = try moment(first, isEnd: true)
      let (start, startWord) = try moment(second, isEnd: false)
      guard end.ordinal >= start.ordinal else { continue }
      return "\(ValueText.quoted(first)) \(endWord) at \(Instant(end.time)), "
        + "\(ValueText.quoted(second)) \(startWord) at \(Instant(start.time)), which is "
        + (end.time == start.time ? "the same moment, but earlier in it" : "earlier")
    }
    return nil
  }

  /// The end or beginning of an item, or the first mark of this name.
  private func moment(
    _ name: String, isEnd: Bool
  ) throws(Unanswerable) -> (NameObservation.Moment, String) {
    let seen = observation(name)
    if seen.startCount == 0 {
      guard let mark = seen.firstMark else {
        throw Unanswerable(
          cause: .never,
          explanation: "\(ValueText.quoted(name)) never happened: no item and no mark has this name"
        )
      }
      return (mark, "was marked")
    }
    return isEnd ? (try end(of: name), "ended") : (try start(of: name), "started")
  }

  /// A thread that an expectation names.
  func thread(
    _ reference: Measure.ObjectReference
  ) throws(Unanswerable) -> (serial: Int64, processor: Int64) {
    switch reference {
    case .named(let name): return try thread(named: name)
    case .global(let global):
      let index = Int(global.index)
      let handle = index < record.globals.count ? record.globals[index] : noValue
      return try thread(of: handle, spelling: program.globals[index].name)
    case .element(let global, let position):
      let index = Int(global.index)
      let elements = index < record.globalArrays.count ? record.globalArrays[index] : []
      let spelling = "\(program.globals[index].name)[\(position)]"
      guard position >= 0 && position < Int64(elements.count) else {
        throw Unanswerable(
          cause: .noElement,
          explanation: "there is no \(spelling): the array has \(elements.count) elements")
      }
      return try thread(of: elements[Int(position)], spelling: spelling)
    }
  }

  private func thread(
    named name: String
  ) throws(Unanswerable) -> (serial: Int64, processor: Int64) {
    guard let index = observations.inquiry.index(ofThread: name),
      let first = observations.threads[index].creations.first
    else {
      throw Unanswerable(
        cause: .never, explanation: "no thread had the name \(ValueText.quoted(name))")
    }
    let seen = observations.threads[index]
    if seen.creations.count > 1 {
      throw Unanswerable(
        cause: .notOne,
        explanation: "\(ValueText.quoted(name)) is not one thread: one was made at "
          + "\(Instant(first)), another at \(Instant(seen.creations[1]))")
    }
    return (seen.serial, seen.processor)
  }

  private func thread(
    of handle: Int64, spelling: String
  ) throws(Unanswerable) -> (serial: Int64, processor: Int64) {
    guard let serial = observations.serial(of: handle) else {
      throw Unanswerable(cause: .never, explanation: "\(spelling) is a thread that never began")
    }
    return (serial, observations.processorTime(of: handle))
  }

  /// Where an operation was in its life when the run ended.
  func state(of reference: Measure.ObjectReference) throws(Unanswerable) -> OperationState {
    var handle = noValue
    switch reference {
    case .global(let global): handle = record.globals[Int(global.index)]
    case .element(let global, let position):
      let elements = record.globalArrays[Int(global.index)]
      if position >= 0 && position < Int64(elements.count) { handle = elements[Int(position)] }
    case .named: break
    }
    guard handle >= 0, handle < Int64(record.operationStates.count) else {
      throw Unanswerable(
        cause: .never,
        explanation: "\(MeasureText.text(reference, program)) was never made")
    }
    return record.operationStates[Int(handle)]
  }

  /// How many threads an executor made.
  func threadsCreated(by reference: Measure.ObjectReference) throws(Unanswerable) -> Int64 {
    let name: String?
    switch reference {
    case .named(let text): name = text
    case .global(let global): name = objectName(global, 0)
    case .element(let global, let position): name = objectName(global, Int(position))
    }
    guard var name else {
      throw Unanswerable(
        cause: .notAnswering,
        explanation: "\(MeasureText.text(reference, program)) is not an executor")
    }
    guard let number = name.withUTF8({ names.find($0) }) else { return 0 }
    return observations.labels.count(number)
  }

  /// The name of an object that a value at the top holds.
  func objectName(_ global: GlobalID, _ position: Int) -> String? {
    let index = Int(global.index)
    guard index < record.objectNames.count, position >= 0,
      position < record.objectNames[index].count
    else { return nil }
    let name = record.objectNames[index][position]
    return name.isEmpty ? nil : name
  }
}
