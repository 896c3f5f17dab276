/// Wordings about classes, in alphabetical order.
extension Messages {
  static func aliasAsValue(_ name: String, _ type: String) -> String {
    "'\(name)' is another name of a type; a value is made with the type itself: '\(type)'"
  }
  static func anyObject(_ found: String) -> String {
    "the object of a notification is an instance of a class of the trace, or nil, and no \(found)"
  }
  static func bareCase(_ name: String, of type: String) -> String {
    "an error is of any type here: write 'case \(type).\(name)'"
  }
  static func baseWithInit(_ name: String) -> String {
    "'\(name)' has an 'init' and so has this class: write what both hold in this one"
  }
  static func cast(_ type: ValueType, to name: String) -> String {
    if type == .string {
      return
        "an error is asked for its own type only: an 'enum' or a 'struct' that conforms to 'Error', or "
        + "'CancellationError'"
    }
    return type.handle == nil && type.className == nil
      ? "a trace has no 'as' and 'is' here: this is known to be \(type)"
      : "a trace has no 'as' and 'is' for objects; keep the \(name) itself where it is made, in a 'let' or 'var' "
        + "of that type, and ask that"
  }
  static func comparable(_ type: String, _ form: String) -> String {
    "values of '\(type)' have no order of their own here: leave 'Comparable' and its '<' out, and write \(form)"
  }
  static func describedPart(_ type: String) -> String {
    "'\(type)' says what it is printed as, which is asked only where it is printed itself, and not "
      + "as a part of something else: print 'x.description', or 'list.map { $0.description }'"
  }
  static func extensionOfLibrary(_ name: String, static member: String?) -> String {
    if let member {
      return "'\(name)' is not a type of this trace: declare 'static' members at the top"
        + (member.isEmpty ? "" : ", as 'func \(member)(…)', and is called without '\(name).'")
    }
    return
      "'\(name)' is not a type of this trace: write a function with a parameter, as in 'func f(_ value: "
      + "\(wholeTypes[name] ?? name))'"
  }
  static func extensionOfNames(_ name: String, _ field: String) -> String {
    name.hasSuffix(".Name") || name == "NSNotification.Name"
      ? "'\(name)' is not a type of this trace: declare the name as a text at the top: let \(field) = \"\(field)\""
      : "'\(name)' is not a type of this trace: declare its members at the top: let \(field) = …"
  }
  static let extensionWithStored =
    "an extension holds no values: write this in the type itself, or compute it by '{ value }'"
  static func foreignBase(_ name: String, of kind: String) -> String {
    if views.contains(name) {
      return
        "a trace has no views: write what is begun by this one and by what is tapped in it in 'main', or in a class"
    }
    if name.hasPrefix("UI") || name.hasPrefix("NS"), controllers.contains(where: name.hasSuffix) {
      return
        "a trace has no views: leave '\(name)' out, write its functions without 'override' and 'super', and call "
        + "them in 'main'"
    }
    switch name {
    case "AsyncSequence", "AsyncIteratorProtocol":
      return
        "a trace has no '\(name)'; what comes one by one is a stream: AsyncStream<Int> { c in c.yield(1); "
        + "c.finish() }"
    case "Sequence", "IteratorProtocol", "Collection":
      return "a trace has no '\(name)'; what is gone through is an array or a range"
    default: break
    }
    return kind == "class"
      ? "a trace has no '\(name)': a class may be an 'Operation' or a 'Thread', and needs no protocol"
      : "a trace has no '\(name)': leave it out, \(kind == "struct" ? "a" : "an") '\(kind)' needs no protocol"
  }
  /// What an app is shown by.
  static let views: Set<String> = [
    "App", "Scene", "View", "ViewModifier", "PreviewProvider", "UIViewRepresentable",
    "UIViewControllerRepresentable", "ButtonStyle",
  ]
  /// How the names of Apple's classes of views end.
  private static let controllers = [
    "Controller", "View", "Window", "Cell", "Responder", "Delegate",
  ]
  static func foreignEnumBase(_ name: String) -> String {
    "an 'enum' of a trace has raw values of type 'Int' or 'String', not '\(name)'"
  }
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
  static let instanceEquality =
    "instances are compared by '===': whether they are the same one"
  static func structEquality(_ name: String, isSaid: Bool) -> String {
    isSaid
      ? "'\(name)' holds what can't be compared by '==': compare the members that can be"
      : "values of '\(name)' can be compared once it conforms to Equatable: 'struct \(name): Equatable'"
  }
  static func structIdentity(_ name: String) -> String {
    "'\(name)' is a struct, whose values have no identity: compare them by '==', once it says "
      + "'struct \(name): Equatable'"
  }
  static func mainOfType(_ attribute: String) -> String {
    "a trace begins with no type, and '\(attribute)' says nothing: write 'main { … }', or 'main(.tool) { … }' for a "
      + "command-line program"
  }
  static func methodAsValue(_ name: String, _ call: String) -> String {
    "'\(name)' is a function; call it with '()', or write '{ \(call) }' where a closure is wanted"
  }
  static func needlessRelease(_ name: String) -> String {
    "what '\(name)' references is released at the end of this block anyway: leave '.release()' out"
  }
  static func needsInitializer(_ name: String, _ field: String) -> String {
    "class '\(name)' needs an 'init' that gives '\(field)' a value"
  }
  static func noInheritance(_ name: String) -> String {
    "a class of a trace has no '\(name)' above it; keep one in a 'let' of it"
  }
  static func noSubtype(_ name: String, of base: String) -> String {
    "expected \(base), found \(name): a value of a trace has one class; give what takes both a closure, "
      + "or a function for each"
  }
  static let capitalized =
    "of a 'rawValue' only is it known before the run what 'capitalized' comes to: write the text"
  static let notMutating =
    "a function that changes its value says 'mutating func'"
  static let notificationName = "a name is not a text: write Notification.Name(\"…\")"
  static func nothingAbove(_ name: String) -> String {
    "nothing above this class does '\(name)' in a trace: leave 'super.\(name)(…)' out"
  }
  static func observesInherited(_ name: String) -> String {
    "'\(name)' is observed where it is declared: write 'willSet' and 'didSet' there, and have them call a method that "
      + "this class overrides"
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
  static func shadowedMember(_ name: String, _ type: String, _ other: String) -> String {
    "\(type) and the extension of \(other) both have '\(name)', which \(other) does not require: which of them Swift calls "
      + "depends on the place of the call; require it in 'protocol \(other)', or choose another name"
  }
  static func protocolAsType(_ name: String, _ types: [String]) -> String {
    if types.isEmpty {
      return "no type of this trace conforms to '\(name)': write a class that does"
    }
    return
      "'\(name)' is \(types.joined(separator: " or ")) here, and a value of a trace has one type: write one class "
      + "that does what each does, or give closures"
  }
  static func madeByCase(_ type: String, _ name: String) -> String {
    "a value of '\(type)' is made by the name of its case, such as '\(type).\(name)'"
  }
  static let outcomePattern =
    "bind what a task gave or threw, and look at it in the case: 'case .success(let value):'"
  static func payloadCount(_ name: String, _ labels: [String?]) -> String {
    if labels.isEmpty { return "'\(name)' holds nothing: write '.\(name)'" }
    let form = labels.enumerated().map { index, label in
      label.map { "\($0): let \($0)" }
        ?? (labels.count == 1 ? "let value" : "let value\(index + 1)")
    }
    return "'\(name)' holds \(labels.count == 1 ? "one value" : "\(labels.count) values"): "
      + "write '.\(name)(\(form.joined(separator: ", ")))', with '_' for what is not wanted"
  }
  static func payloadEquality(_ name: String) -> String {
    "values of '\(name)' can be compared once it conforms to Equatable, 'enum \(name): Equatable'; or look into it: "
      + "'if case .name = value'"
  }
  static func payloadLabel(_ found: String, _ label: String?) -> String {
    label.map { "this value is called '\($0)', not '\(found)'" }
      ?? "this value has no label; leave '\(found):' out"
  }
  static func noPayloads(_ type: String) -> String {
    if type.hasSuffix("YieldResult") {
      return
        "what 'yield' gave says only which it is: write 'case .enqueued', 'case .dropped' or 'case .terminated', "
        + "without a value"
    }
    if type.hasSuffix("Termination") {
      return
        "the end of a stream says only which it is: write 'case .finished' or 'case .cancelled', without a value"
    }
    return
      "a value of \(type) holds no others: only an 'enum' with values, a Result and what a task gave do"
  }
  static func recursivePayload(_ name: String) -> String {
    "a '\(name)' holds others of its kind: write a method that prints or compares it"
  }
  static func rawPayloads(_ type: String) -> String {
    "a case with values has no raw value: leave ': \(type)' out, and '=' behind the cases"
  }
  static func rawValue(_ name: String) -> String {
    "the raw value of a case is a whole number or a text, in 'enum \(name): Int' or ': String'"
  }
  static func ownTooEarly(_ field: String) -> String {
    "'self' is used before '\(field)' has a value"
  }
  static func readTooEarly(_ field: String) -> String { "'\(field)' has no value yet" }
  static let releasedInstance =
    "an instance goes when nothing holds it any more: set the 'var' that has it to 'nil', or let its block end"
  static let repeatedPlace =
    "what is changed here would be come to twice: give the index a name in front of this"
  static func secondRelease(_ name: String, line: Int) -> String {
    "what '\(name)' references was released in line \(line): leave this '.release()' out"
  }
  static func staticWithoutValue(_ name: String) -> String {
    "'static' needs a value: static let \(name) = …"
  }
  static let strayInitializer = "'init' is called by another 'init' of its class: self.init(…)"
  static func takenType(_ name: String) -> String {
    "'\(name)' is a type that every trace has; choose another name"
  }
  static func undeclaredNotification(_ name: String) -> String {
    "unknown member '\(name)' of Notification.Name; declare it: extension Notification.Name { static let \(name) = "
      + "Notification.Name(\"\(name)\") }"
  }
  static func uncountedWeak(_ type: String) -> String {
    "a trace does not count references to objects of \(type): this is nil after '.release()' only, and not after the last "
      + "reference is released, as in Swift"
  }
  static func uninitialized(_ field: String) -> String {
    "this 'init' ends without a value for '\(field)'"
  }
  static func untypedField(_ name: String) -> String {
    "the type of '\(name)' can't be seen from its value: write it, as in 'var \(name): Int'"
  }
  static func untypedGetter(_ name: String) -> String {
    "what is computed needs its type: var \(name): Int { … }"
  }
}
