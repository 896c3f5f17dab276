import SpindleModel

/// What a step of one form is, where its entry can be made without knowing what came before.
struct LogForm {
  /// The position of an entry's value.
  enum Amount {
    /// It has none.
    case none
    /// In the step itself.
    case step
    /// In the attribute of this form.
    case attribute(String)
  }

  var event: LogEvent
  var detail: UInt8 = 0
  /// The family of the name; nil for a text, or for nothing.
  var family: ObjectFamily?
  var amount = Amount.none
  /// The attribute that gives the detail another value.
  var flag: (form: String, detail: UInt8)?

  private init(
    _ event: LogEvent, _ family: ObjectFamily? = nil, _ amount: Amount = .none, detail: UInt8 = 0,
    flag: (form: String, detail: UInt8)? = nil
  ) {
    (self.event, self.family, self.amount) = (event, family, amount)
    (self.detail, self.flag) = (detail, flag)
  }

  /// By the step's form, with `_` for a name and `N` for a quantity.
  static func form(_ step: String) -> LogForm? {
    locks[step] ?? queues[step] ?? handlers[step] ?? world[step] ?? limits[step]
  }

  private static let locks: [String: LogForm] = [
    "locks _": LogForm(.lockAcquired, .lock, flag: ("for reading", LockSharing.shared.rawValue)),
    "does not get _": LogForm(.lockRefused, .lock),
    "unlocks _": LogForm(.lockReleased, .lock),
    "signals condition _": LogForm(.conditionSignalled, .lock, .attribute("wakes N")),
    "broadcasts _": LogForm(.conditionBroadcast, .lock, .attribute("wakes N")),
    "passes _": LogForm(.semaphorePassed, .semaphore, .attribute("count N")),
    "signals semaphore _": LogForm(.semaphoreSignalled, .semaphore, .attribute("count N")),
    "enters _": LogForm(.groupEntered, .group, .attribute("count N")),
    "leaves _": LogForm(.groupLeft, .group, .attribute("count N")),
    "begins on _": LogForm(.acceleratorBegan, .accelerator, .attribute("for N")),
    "ends on _": LogForm(.acceleratorEnded, .accelerator, .attribute("after N")),
  ]

  private static let source = DispatchObject.source.rawValue

  private static let queues: [String: LogForm] = [
    "begins sync on _": LogForm(
      .queueSyncBegan, .queue, flag: ("barrier", SyncKind.barrier.rawValue)),
    "ends sync on _": LogForm(
      .queueSyncEnded, .queue, flag: ("barrier", SyncKind.barrier.rawValue)),
    "suspends queue _": LogForm(.queueSuspended, .queue, .attribute("suspended N")),
    "resumes queue _": LogForm(.queueResumed, .queue, .attribute("suspended N")),
    "activates queue _": LogForm(.queueActivated, .queue),
    "suspends source _": LogForm(
      .queueSuspended, .dispatchSource, .attribute("suspended N"), detail: source),
    "resumes source _": LogForm(
      .queueResumed, .dispatchSource, .attribute("suspended N"), detail: source),
    "activates source _": LogForm(.queueActivated, .dispatchSource, detail: source),
    "begins concurrentPerform": LogForm(.applyBegan, nil, .attribute("iterations N")),
    "ends concurrentPerform": LogForm(.applyEnded, nil, .attribute("iterations N")),
    "begins iteration N": LogForm(.iterationBegan, nil, .step),
    "ends iteration N": LogForm(.iterationEnded, nil, .step),
    "cancels source _": LogForm(.sourceCancelled, .dispatchSource),
    "cancels work item _": LogForm(.itemCancelled),
  ]

  private static let handlers: [String: LogForm] = [
    "handles _": LogForm(.sourceFired, .dispatchSource, .attribute("data N")),
    "handles the end of _": LogForm(
      .sourceFired, .dispatchSource, detail: SourceHandler.cancel.rawValue),
    "fires": LogForm(
      .timerFired, nil, .attribute("late by N"), flag: ("by hand", TimerCause.byHand.rawValue)),
    "fires _": LogForm(
      .timerFired, nil, .attribute("late by N"), flag: ("by hand", TimerCause.byHand.rawValue)),
    "performs after its delay": LogForm(
      .timerFired, nil, .attribute("late by N"), flag: ("by hand", TimerCause.byHand.rawValue)),
    "performs _": LogForm(.sourcePerformed),
    "performs a block": LogForm(.blockPerformed),
    "performs what it was asked to": LogForm(.performBegun),
    "observes _": LogForm(.observerCalled),
    "receives at _": LogForm(.messageReceived),
    "takes the answer": LogForm(.answerReceived),
    "returns": LogForm(.handlerEnded),
    "signals source _": LogForm(.sourceSignalled),
    "sends to _": LogForm(.messageSent),
    "an answer comes": LogForm(.answerCame),
  ]

  private static let world: [String: LogForm] = [
    "mark _": LogForm(.mark),
    "print _": LogForm(.print),
    "raises _": LogForm(.signalRaised),
    "allocates N": LogForm(.memoryAllocated, nil, .step),
    "frees N": LogForm(.memoryFreed, nil, .step),
    "autoreleases N": LogForm(.memoryAutoreleased, nil, .step),
    "drains a pool of N": LogForm(.poolDrained, nil, .step),
    "memory N": LogForm(.memoryChanged, nil, .step),
    "repeats": LogForm(.roundsRepeated, nil, .attribute("times N")),
    "arrives": LogForm(.arrival, nil, .attribute("number N")),
    "misses its deadline": LogForm(.deadlineMissed, nil, .attribute("late by N")),
    "drops its job at the deadline": LogForm(.deadlineMissed),
    "the machine sleeps for N": LogForm(.machineSlept, nil, .step),
    "the machine wakes": LogForm(.machineWoke),
    "a finger is down for N": LogForm(.trackingBegan, nil, .step),
    "the finger is lifted": LogForm(.trackingEnded),
    "the app enters the background": turn(.enteredBackground),
    "the app enters the foreground": turn(.enteredForeground),
    "the app is suspended": turn(.suspended),
    "the app is resumed": turn(.resumed),
    "a background task begins": turn(.taskBegan),
    "a background task ends": turn(.taskEnded),
    "the time for background tasks is over": turn(.timeExpired),
  ]

  private static func turn(_ turn: AppTurn) -> LogForm {
    LogForm(.appTurned, detail: turn.rawValue)
  }

  /// Waits that time out, by their wording in the log.
  private static let limits: [String: LogForm] = {
    var forms: [String: LogForm] = [:]
    for reason in WaitReason.allCases {
      guard let word = reason.facts.timeOut else { continue }
      let form = LogForm(.waitTimedOut, ObjectFamily(reason), detail: reason.rawValue)
      forms["\(word) _"] = form
      // A work item need not have a name.
      forms["\(word)"] = form
    }
    return forms
  }()

  /// Reasons to wait, by their wording in the log.
  static let waits: [String: WaitReason] = {
    var reasons: [String: WaitReason] = [:]
    for reason in WaitReason.allCases { reasons["\(reason.facts.word)"] = reason }
    return reasons
  }()
}
