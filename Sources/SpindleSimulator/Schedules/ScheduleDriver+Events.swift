import SpindleModel

/// Steps that no call makes: items that begin or are due, and what arrives from outside.
extension ScheduleDriver {
  /// What an item does steps as.
  func actor(ofItem item: Int32) -> Int32 { actors.actor(ofItem: item) }

  /// An operation that a queue runs is about to begin, and to look whether it was cancelled.
  ///
  /// `release` is given the threads that need not be held any more, where it goes on.
  func decide(
    operation: Int32, item: Int32, thread: ThreadID, at now: Int64, release: ([ThreadID]) -> Void
  ) -> Decision {
    guard let object = actors.object(.operation, operation) else { return .goesOn }
    let shape = StepShape(verb: .begins, mode: .reads)
    let key = StepKey(actor: actors.actor(ofItem: item), verb: .begins, object: object)
    if let decision = hold(shape, key, thread, -1, now) { return decision }
    actors.begins(operationOfItem: item)
    let past = recorder.takePast(ofItem: item)
    release(note(Attempt(key: key, shape: shape, place: -1), behind: past, thread, now))
    noteEnded(thread)
    return .goesOn
  }

  /// A thread plans an item for a moment: that of a deadline, or of the end of input or output.
  func plan(_ item: Int32, name: Int32, kind: Int32, isWorld: Bool, by thread: ThreadID) {
    events.plan(item, isWorld: isWorld)
    actors.plan(item, name: name, kind: kind, by: thread, &names)
  }

  /// Whether the moment of a planned item is that of input or output.
  func isWorld(planned item: Int32) -> Bool { events.isWorld(item) }

  /// The moment of a planned item has come, which is to be enqueued.
  func decide(
    planned item: Int32, _ mode: StepMode, queue: Int32, at now: Int64,
    release: ([ThreadID]) -> Void
  ) -> Decision {
    let event = StepEvent.item(item)
    if waits(event, now) { return .isHeld(until: nil) }
    let shape = StepShape(verb: .fires, mode: mode)
    let key = StepKey(actor: actors.actor(ofPlanned: item), verb: .fires, object: queue)
    if let decision = hold(shape, key, event.thread, -1, now) { return decision }
    actors.enqueueNext(planned: item)
    let past =
      recordsSteps ? recorder.past(ofPlanned: item, isTimer: !events.isWorld(item)) : nil
    let released = note(
      Attempt(key: key, shape: shape, place: -1), behind: past, event.thread, now)
    noteEnded(event.thread)
    release(released + events.happens(event))
    return .goesOn
  }

  /// What happened outside is over.
  func endEvent() { endedEvent = -1 }

  /// Something arrives from outside, of which only what it is called is known before it has happened.
  func decide(arrival index: Int32, at now: Int64, release: ([ThreadID]) -> Void) -> Decision {
    let event = StepEvent.arrival(index)
    if waits(event, now) { return .isHeld(until: nil) }
    let actor = names.number(Schedule.Subject("arrival", ordinal: Int(index) + 1))
    let wanted = lines.lazy.compactMap { $0.heldStep(of: actor) }.first { [self] key in
      lines.contains { $0.concerns(key) && $0.isHeldStep(key, counts[key] + 1) }
    }
    if chooser != nil || allowed == event.thread || wanted != nil {
      let key = wanted ?? StepKey(actor: actor, verb: .begins, object: actor)
      let shape = StepShape(verb: key.verb, mode: .writes)
      if let decision = hold(shape, key, event.thread, -1, now) { return decision }
    }
    arrival = (actor, event.thread)
    release(events.happens(event))
    return .goesOn
  }

  /// An event is due; whether it waits for an earlier one.
  private func waits(_ event: StepEvent, _ now: Int64) -> Bool {
    delayIsOver(event.thread, at: now)
    guard let lane = events.lane(of: event) else { return false }
    let isHeld = holds.contains { held in
      StepEvent(held.thread).map { events.lane(of: $0) == lane } ?? false
    }
    return events.waits(event, isHeld: isHeld)
  }

  /// It has happened.
  func endArrival() {
    arrival = nil
    endEvent()
    if recordsSteps { recorder.endArrival() }
  }

  /// The planned items that are held.
  var heldItems: [Int32] {
    (holds.map(\.thread) + events.all).compactMap { thread in
      guard case .item(let item) = StepEvent(thread) else { return nil }
      return item
    }
  }

  /// Whether something arrives just now.
  var isInArrival: Bool { arrival != nil }

  /// What arrives does a step; gives the threads that need not be held any more.
  func noteArrival(
    _ shape: StepShape, verbOn object: Int32, place: Int32, at now: Int64
  ) -> [ThreadID] {
    guard let arrival else { return [] }
    let past = recordsSteps ? recorder.pastOfArrival : nil
    defer { noteEnded(.none) }
    return note(
      Attempt(
        key: StepKey(actor: arrival.actor, verb: shape.verb, object: object), shape: shape,
        place: place), behind: past, arrival.event, now)
  }
}
