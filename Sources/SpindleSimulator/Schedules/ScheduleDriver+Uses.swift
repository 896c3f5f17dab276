import SpindleModel

/// What steps do to objects besides the one after which they are named, and which of several waiters is woken.
extension ScheduleDriver {
  /// Something that a thread's step uses, too.
  struct OtherUse {
    let thread: ThreadID
    let object: Int32
    let mode: StepMode
  }

  /// A thread that was woken, and one that could have been in its place, by what they do next.
  struct WakeChoice {
    let woken: StepOfThread
    let other: StepOfThread
    let otherThread: ThreadID
  }

  func forgetUses() {
    otherUses.removeAll(keepingCapacity: true)
    ended.removeAll(keepingCapacity: true)
    endedEvent = -1
    choices.removeAll(keepingCapacity: true)
    if !unvaried.isEmpty { unvaried.removeAll() }
  }

  /// A thread, or what happens outside, uses an object: as part of the step that it has begun or just done.
  ///
  /// Where there is no such step, no schedule can hold anybody before it.
  func uses(_ object: Int32, _ mode: StepMode, by thread: ThreadID) {
    if !recordsSteps { return }
    if thread.isNone {
      if endedEvent >= 0 { use(object, mode, by: endedEvent) } else { unvaried.insert(.timers) }
      return
    }
    let index = Int(thread.index)
    if index < begun.count, let attempt = begun[index] {
      if attempt.key.object != object {
        otherUses.append(OtherUse(thread: thread, object: object, mode: mode))
      }
    } else if index < ended.count, ended[index] >= 0 {
      use(object, mode, by: ended[index])
    } else {
      unvaried.insert(.ends)
    }
  }

  private func use(_ object: Int32, _ mode: StepMode, by number: Int32) {
    let step = recorder.steps[Int(number)]
    recorder.use(object, mode, by: number, hash: names.hash(step.key, step.time))
  }

  /// The step of a thread is recorded: so is what else it uses.
  func recordUses(of thread: ThreadID) {
    for other in otherUses where other.thread == thread {
      use(other.object, other.mode, by: recorder.last)
    }
    otherUses.removeAll { $0.thread == thread }
  }

  /// A thread does something else from now on.
  func beginAnew(_ thread: ThreadID) {
    let index = Int(thread.index)
    if index >= 0 && index < ended.count { ended[index] = -1 }
  }

  /// What a thread runs is about to end, which is done as soon as it may.
  ///
  /// `release` is given the threads that need not be held any more, where it goes on.
  func decide(
    end shape: StepShape, _ key: StepKey, thread: ThreadID, at now: Int64,
    release: ([ThreadID]) -> Void
  ) -> Decision {
    if let decision = hold(shape, key, thread, -1, now) { return decision }
    let past = recordsSteps ? recorder.past(of: thread) : nil
    release(note(Attempt(key: key, shape: shape, place: -1), behind: past, thread, now))
    noteEnded(thread)
    return .goesOn
  }

  /// The step that was recorded last may still use something.
  func noteEnded(_ thread: ThreadID) {
    if !recordsSteps { return }
    if thread.isNone || StepEvent(thread) != nil {
      endedEvent = recorder.last
      return
    }
    while ended.count <= Int(thread.index) { ended.append(-1) }
    ended[Int(thread.index)] = recorder.last
  }

  /// A thread ends the process, and with it what others still do; `isAlone` is whether nobody does anything.
  func processEnds(by thread: ThreadID, isAlone: Bool) {
    if recordsSteps && !(isAlone && recorder.isBehindAll(thread)) { unvaried.insert(.exit) }
  }

  // MARK: Which of several is woken

  /// Which of the threads that wait for a signal gets it, by its place among them: the first one, unless a line says that
  /// another one of them takes the lock before it, or a strategy chooses another one.
  func choose(among waiters: [ThreadID], lock object: Int32) -> Int {
    let next = waiters.map { thread in
      let key = StepKey(
        actor: actors.actor(of: thread, called: "", &names), verb: .locks, object: object)
      return StepOfThread(key: key, time: counts[key] + 1)
    }
    var chosen = 0
    if let chooser, !isTired {
      chosen = chooser.choose(
        among: zip(waiters, next).map { thread, step in
          HeldStep(
            thread: thread, key: step.key, time: step.time, mode: .writes, place: -1, line: -1)
        })
    } else if !lines.isEmpty {
      let free = next.firstIndex { step in
        !lines.contains { line in next.contains { line.orders($0, before: step) } }
      }
      chosen = free ?? 0
    }
    if recordsSteps {
      for place in next.indices where place != chosen {
        choices.append(
          WakeChoice(woken: next[chosen], other: next[place], otherThread: waiters[place]))
      }
    }
    return chosen
  }

  /// Records which other threads could have been woken.
  func recordChoices() {
    for choice in choices {
      recorder.addChoice(of: choice.woken, over: choice.other, choice.otherThread)
    }
  }
}
