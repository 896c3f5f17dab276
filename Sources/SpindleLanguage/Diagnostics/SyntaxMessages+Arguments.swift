/// Wordings about arguments that no call of a trace takes, in alphabetical order.
extension SyntaxMessage {
  /// About `&value` in the arguments of a call.
  static func reference(to callee: String, _ label: String?, _ value: String) -> String {
    if label == "using" {
      return "chance goes by the seed of the trace: leave 'using:' and what follows it out"
    }
    let name = callee.split(separator: ".").last.map(String.init) ?? callee
    if name == "swap" {
      return
        "a trace has no 'swap'; use a name between: let old = a; a = b; b = old, or for elements of an array "
        + "a.swapAt(0, 1)"
    }
    if let message = ForeignName.all[name] { return message }
    if name == "store", label == "in" {
      return
        "a trace has no Combine, and keeps no subscription: leave '.store(in:)' out, and call a closure that a 'var' "
        + "keeps"
    }
    if name.hasPrefix("withUnsafe") {
      return "a trace has no '\(name)' and no pointers: use the value itself"
    }
    guard name.first?.isLowercase == true else {
      return
        "a trace has no '&': values are passed by value, and what a function of C takes like this is an "
        + "object, such as NSLock() or OSAllocatedUnfairLock()"
    }
    let given = (label.map { "\($0): " } ?? "") + value
    return
      "a trace has no '&' and no 'inout': values are passed by value; let '\(name)' return the new one: "
      + "\(value) = \(callee)(\(given))"
  }

  /// About `#selector(f)`: each call that takes one has a form with a closure.
  static func selector(in callee: String, _ labels: String) -> String {
    let name = callee.split(separator: ".").last.map(String.init) ?? callee
    let instead =
      switch name {
      case "perform" where labels.contains("afterDelay"):
        "as in Timer.scheduledTimer(withTimeInterval: 1s, repeats: false) { _ in … }"
      case "perform" where labels.contains("on:"): "as in perform(on: thread) { … }"
      case "perform": "by calling the function"
      case "performSelector" where labels.contains("nBackground"):
        "as in Thread.detachNewThread { … }"
      case "performSelector": "as in DispatchQueue.main.async { … }"
      case "detachNewThreadSelector": "as in Thread.detachNewThread { … }"
      case "Thread", "NSThread": "as in Thread { … }, and start it"
      case "scheduledTimer":
        "as in Timer.scheduledTimer(withTimeInterval: 1s, repeats: true) { _ in … }"
      case "Timer": "as in Timer(timeInterval: 1s, repeats: true) { _ in … }"
      case "CADisplayLink", "displayLink":
        "which comes with each frame: Timer.scheduledTimer(withTimeInterval: 16.67ms, repeats: true) { _ in … }"
      case "addObserver":
        "as in let observer = addObserver(forName: .saved, object: nil, queue: nil) { note in … }, which "
          + "removeObserver(observer) ends"
      case "InvocationOperation", "NSInvocationOperation", "BlockOperation", "Operation":
        "as in BlockOperation { … }"
      case "addTarget": "which runs when it is tapped: at(1s) { … } at the top"
      default: "in a closure: { … }"
      }
    return "a trace has no '#selector': give the code itself, \(instead)"
  }
}
