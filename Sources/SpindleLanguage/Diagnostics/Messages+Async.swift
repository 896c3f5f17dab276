/// Wordings about Swift concurrency, in alphabetical order.
extension Messages {
  static let awaitAtTop = "the top of a trace can't wait; move this into a 'Task { }' in 'main'"
  static let awaitInApp =
    "the main of an app can't wait, since it serves its run loop; write 'Task { }' around it, or "
    + "'main(.tool)'"
  static let awaitInClosure = "this closure is not async: write 'Task { }' around what waits"
  static func awaitInFunction(_ name: String) -> String {
    "'\(name)' is not async, so 'await' can't be in it: make it 'async', or write 'Task { }' around what waits"
  }
  static let asyncLetInSync =
    "an 'async let' is allowed in an 'async' function, a 'Task { }' or 'main(.tool) { }'"
  static let forgottenContinuation =
    "nothing in this closure uses its continuation: it is never resumed, and the task waits forever"
  static let idleAwait = "nothing in this 'await' can wait"
  static func isolatedDeinit(_ name: String) -> String {
    "'\(name)' has an 'isolated deinit' and belongs to no actor: write '@MainActor' in front of it, or leave "
      + "'isolated' out"
  }
  static func mainActorFromOutside(_ name: String) -> String {
    "'\(name)' belongs to the main actor, and this closure may run on any thread: write 'DispatchQueue.main.async { }' or "
      + "'Task { @MainActor in }' around it"
  }
  static let selector =
    "a trace has no '#selector': give the code itself in a closure, '{ … }'"
  static func setByActor(_ name: String, _ actor: String) -> String {
    "'\(name)' can be set by '\(actor)' itself only; write a method of '\(actor)' that does"
  }
  static func setByMainActor(_ name: String) -> String {
    "'\(name)' belongs to the main actor, and this code runs elsewhere: set it in a '@MainActor func'"
  }
}
