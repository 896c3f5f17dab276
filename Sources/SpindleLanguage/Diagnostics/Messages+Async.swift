/// Wordings about Swift concurrency, in alphabetical order.
extension Messages {
  static func actorFromOutside(_ name: String) -> String {
    "'\(name)' belongs to an actor, and this code can't wait for it; write 'Task { }' around it, with "
      + "'await', or make it 'nonisolated'"
  }
  static func actorStateChanged(_ name: String, _ actor: String) -> String {
    "'\(name)' can be set by '\(actor)' itself only; write a method of '\(actor)' that does"
  }
  static func asyncCallInSync(_ name: String) -> String {
    "'\(name)' may wait without its thread, and this code can't; call it in 'Task { }' or in an "
      + "'async' function, with 'await'"
  }
  static let asyncLetInSync =
    "an 'async let' is allowed in an 'async' function, a 'Task { }' or 'main(.tool) { }'"
  static let awaitAtTop = "the top of a trace can't wait; move this into a 'Task { }' in 'main'"
  static func awaitChangesNothing(_ message: String) -> String {
    "\(message); 'await' allows reading it only"
  }
  static let awaitInApp =
    "the main of an app can't wait, since it serves its run loop; write 'Task { }' around it, or "
    + "'main(.tool)'"
  static let awaitInClosure =
    "this closure can't wait without its thread; write 'Task { }' around what does"
  static func awaitInFunction(_ name: String) -> String {
    let form = name.split(separator: ".").last ?? ""
    return "'\(name)' can't wait without its thread; make it 'func \(form)() async'"
  }
  static func awaitInGetter(_ name: String) -> String {
    "'\(name)' can't wait without its thread; make it '{ get async { … } }'"
  }
  static let constantTaskLocal = "a task-local is a 'var': '@TaskLocal static var'"
  static func countedSleep(_ length: String) -> String {
    "say how long it sleeps: Task.sleep(for: \(length))"
  }
  static let executorForm =
    "'unownedExecutor' gives 'queue.asUnownedSerialExecutor()' of a serial queue, or that of 'MainActor'"
  static let forgottenContinuation =
    "nothing in this closure uses its continuation: it is never resumed, and the task waits forever"
  static func groupElement(_ found: String) -> String {
    "the tasks of this group give nothing, and this one \(found); say it in front: "
      + "'withTaskGroup(of: \(found).self)'"
  }
  static func guardedObject(_ type: String) -> String {
    "a lock around a value is never gone, and this is \(type), which may die: make the lock at the top of the trace, or "
      + "keep the value beside an NSLock"
  }
  static func guardedVariable(_ name: String, _ actor: String) -> String {
    "'\(name)' belongs to an actor, and this code runs elsewhere: set it in a '@\(actor) func'"
  }
  static let idleAwait = "nothing in this 'await' can wait"
  static func isolatedDeinit(_ name: String) -> String {
    "'\(name)' has an 'isolated deinit' and belongs to no actor: write '@MainActor' in front of it, or leave "
      + "'isolated' out"
  }
  static func isolatedParameter(_ type: String) -> String {
    "an 'isolated' parameter is an actor of the trace, and this is \(type)"
  }
  static let loopNeedsAwait = "the elements come when they are there: write 'for await'"
  static func loopOfNoStream(_ type: String) -> String {
    "'for await' goes through a stream or a task group, and this is \(type); leave 'await' out"
  }
  static func mainActorFromOutside(_ name: String) -> String {
    "'\(name)' belongs to the main actor, and this closure may run on any thread: write 'DispatchQueue.main.async { }' or "
      + "'Task { @MainActor in }' around it"
  }
  static let suspendingMutation =
    "an 'async' function can't change the case of its 'self': let it return the new value"
  static func mainStateChanged(_ name: String, _ type: String) -> String {
    "'\(name)' belongs to an actor, and this code runs elsewhere: set it in a method of '\(type)', or in "
      + "'await MainActor.run { … }'"
  }
  static func missingAwait(_ name: String, _ text: String) -> String {
    "'\(name)' may wait without its thread; write 'await' in front of it"
  }
  static func noTaskLocal(_ name: String) -> String {
    "'\(name)' refers to a task-local, and none has this name: '@TaskLocal static var "
      + "\(name.dropFirst())'"
  }
  static let optionalElement =
    "elements of a sequence can't be optional, since 'nil' is its end: use an array, 'of: [Int].self', that is empty "
    + "for 'nil'"
  /// Of a function that gives an element of an array or nil, or what its closure gives, where that may be nil itself.
  static func optionalElement(_ name: String) -> String {
    if name == "withLockIfAvailable" {
      return
        "what '\(name)' returns can't be distinguished from a lock that another thread owns: set a 'var' in its closure"
    }
    let instead =
      switch name {
      case "popFirst": "'removeFirst()'"
      case "popLast": "'removeLast()'"
      case "last": "'a[a.count - 1]', or 'a.lastIndex(where:)' for which one it is,"
      case "randomElement": "'a[Int.random(in: 0 ..< a.count)]'"
      default: "'a[0]', or 'a.firstIndex(where:)' for which one it is,"
      }
    return "what '\(name)' returns may be an element that is nil or none: write \(instead) "
      + "where 'isEmpty' is false"
  }
  static let pairValue =
    "two names need two values, as in 'let (a, b) = (1, 2)', or for "
    + "'AsyncStream.makeStream(of: Int.self)'"
  static let streamForm =
    "a stream is made with 'let (stream, input) = AsyncStream.makeStream(of: Int.self)' or "
    + "'AsyncStream(Int.self) { input in }'"
  static func taskLocalIsBound(_ name: String) -> String {
    let parts = name.split(separator: ".")
    let bound = parts.dropLast().map { "\($0)." }.joined() + "$\(parts.last ?? "")"
    return "a task-local has a value in a scope only: '\(bound).withValue(…) { }'"
  }
  static func taskLocalOfInstance(_ name: String) -> String {
    "a task-local belongs to no instance: '@TaskLocal static var \(name)'"
  }
  static func taskLocalType(_ type: String) -> String {
    "a task-local is a number, a text, a truth, a duration or a case, and this is \(type)"
  }
  static let taskAtTop = "a task begins in 'main', in a function or in what the world does"
  static let unfoldingElement =
    "what 'unfolding:' takes gives the next element, and 'nil' behind the last; this gives nothing"
  static let unfoldingHome =
    "the closure of 'unfolding:' runs in the pool; call a function of the actor in it, with 'await'"
}
