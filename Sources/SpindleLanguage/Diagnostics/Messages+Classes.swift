/// Wordings about classes, in alphabetical order.
extension Messages {
  static let extensionWithStored =
    "an extension holds no values: write this in the type itself, or compute it by '{ value }'"
  static func readinessNeedsThread(_ need: String) -> String {
    "'isReady' is asked by the library, on no thread of the trace, and can't call '\(need)': keep what it looks "
      + "at in a 'var'"
  }
  static func functionNeedsThread(_ name: String, _ need: String) -> String {
    if name.hasSuffix(".isReady of its own") {
      return readinessNeedsThread(need)
    }
    return
      "'\(name)' calls '\(need)', which needs a thread, and the world outside has none; hand it to one: "
      + "DispatchQueue.main.async { … }"
  }
  static let instanceEquality = "instances are compared by '===': whether they are the same one"
  static func needlessRelease(_ name: String) -> String {
    "what '\(name)' references is released at the end of this block anyway: leave '.release()' out"
  }
  static func overriddenState(_ name: String, isThread: Bool) -> String {
    if isThread {
      return "'\(name)' stays the library's: what the thread does is in 'override func main()'"
    }
    let instead =
      name == "isReady"
      ? "write 'override var isReady: Bool { super.isReady && … }', or 'ready(when: { … })' in its 'init'"
      : "write a property with a name of its own"
    return "'\(name)' stays the library's: \(instead)"
  }
  static let ownCancelOfAll =
    "'cancelAllOperations()' does not come to the 'cancel()' that a class of this trace has: call 'cancel()' of each, "
    + "or leave that 'cancel()' out and look at 'isCancelled' in 'main'"
  static let ownCancelOfOne =
    "this does not come to the 'cancel()' that a class of this trace has: call it on what is of that class, or leave "
    + "that 'cancel()' out and look at 'isCancelled' in 'main'"
  static func secondRelease(_ name: String, line: Int) -> String {
    "what '\(name)' references was released in line \(line): leave this '.release()' out"
  }
  static func uncountedWeak(_ type: String) -> String {
    "a trace does not count references to objects of \(type): this is nil after '.release()' only, and not after the last "
      + "reference is released, as in Swift"
  }
  static func uninitialized(_ field: String) -> String {
    "this 'init' ends without a value for '\(field)'"
  }
  static func valueEquality(_ name: String) -> String {
    "values of '\(name)' can be compared once it conforms to Equatable: '\(name): Equatable'"
  }
}
