import SpindleModel

/// Objects that do nothing until somebody says so: dispatch sources, work items, queues that are made
/// inactive.
struct IdleObjects {
  /// In the order of the text.
  private var objects: [Object] = []
  /// Which name means which: by the place where it is bound.
  private var index: [Int32: Int] = [:]

  private struct Object {
    var name: String
    var place: SourceRange
    var start: Start
    /// Whether it is bound at the top of the trace.
    var isAtTop: Bool
    /// How often it is named.
    var uses = 0
    /// How often it is named only to prepare or to ask it.
    var idleUses = 0
  }

  /// How an object begins to do something.
  private enum Start {
    case submitted, resumed, activated

    /// Whether a member starts it.
    func isDone(by member: String) -> Bool {
      switch self {
      case .submitted: member == "perform"
      case .resumed: member == "resume" || member == "activate"
      case .activated: member == "activate"
      }
    }

    /// What is said when nothing starts it.
    func warning(_ name: String) -> String {
      switch self {
      case .submitted: Messages.neverSubmitted(name)
      case .resumed: Messages.neverResumed(name)
      case .activated: Messages.neverActivated(name)
      }
    }
  }

  /// Whether there are none.
  @inline(__always)
  var isEmpty: Bool { objects.isEmpty }

  /// Notes an object that a `let` is bound to.
  mutating func note(
    _ binding: Binding, _ handle: HandleClass, _ call: CallSite, isAtTop: Bool,
    _ checker: inout Checker
  ) {
    guard let start = start(of: handle, call), Self.makesObject(call, handle, &checker) else {
      return
    }
    index[binding.name.range.lowerBound] = objects.count
    objects.append(
      Object(
        name: binding.name.text, place: binding.name.range, start: start, isAtTop: isAtTop))
  }

  /// How an object of a class is started that `call` makes; nil when it needs nothing.
  private func start(of handle: HandleClass, _ call: CallSite) -> Start? {
    switch handle {
    case .workItem: .submitted
    case .dispatchSource: .resumed
    case .queue: call.place(of: "initiallyInactive", in: "attributes") == nil ? nil : .activated
    case .thread, .mutex, .recursive, .condition, .conditionLock, .unfair, .readWrite, .semaphore,
      .group, .threadPerTask, .threadPool, .taskExecutor, .executor, .runLoop, .timer, .source,
      .port, .observer,
      .runLoopItem, .pipe, .process, .onceToken, .operation, .operationQueue, .backgroundTask,
      .accelerator, .task, .taskGroup, .continuation, .asyncStream, .streamInput, .taskResult:
      nil
    }
  }

  /// Whether a call makes a new object of a class, and does not only hand one on.
  static func makesObject(
    _ call: CallSite, _ handle: HandleClass, _ checker: inout Checker
  ) -> Bool {
    var made = call.callee
    if case .member(let member) = made.kind { made = member.base }
    guard case .name(let name) = made.kind else { return false }
    return name.text == handle.name && checker.find(name) == nil
  }

  /// Whether what is bound at a place is said to be idle when nothing uses it.
  func watches(_ place: SourceRange) -> Bool { index[place.lowerBound] != nil }

  /// Notes that a name is written which was bound at `place`.
  mutating func noteUse(boundAt place: SourceRange) {
    if let index = index[place.lowerBound] { objects[index].uses += 1 }
  }

  /// Notes that a member of what `base` names is used.
  mutating func noteMember(_ member: Word, of base: Expression, _ checker: inout Checker) {
    guard case .name(let name) = base.kind, let symbol = checker.find(name),
      let index = index[checker.scope[symbol].place.lowerBound],
      !objects[index].start.isDone(by: member.text)
    else { return }
    objects[index].idleUses += 1
  }

  /// Warns of objects that nothing ever starts.
  func judge(_ checker: inout Checker) {
    for object in objects where object.uses == object.idleUses {
      demand(object.idleUses >= 0, "uses are only added")
      // A local name that nothing uses at all has been told already.
      guard object.isAtTop || object.uses > 0 else { continue }
      checker.warn(object.start.warning(object.name), object.place)
    }
  }
}
