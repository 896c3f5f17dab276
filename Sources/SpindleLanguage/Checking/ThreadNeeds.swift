import SpindleModel

/// Which functions need a thread, and which calls have none to give them: known when all functions are.
struct ThreadNeeds {
  /// The name of the method that an own `isReady` is, which no trace can write.
  static let readiness = "isReady of its own"

  /// Of each function, by ordinal: the first member that needs a thread, nil when there is none.
  private var needs: [Need?] = []
  /// The same, without what the top of a trace can do too.
  private var needsAtTop: [Need?] = []
  /// The same, without what can be done where an operation is asked whether it is ready.
  private var needsWhenAsked: [Need?] = []
  /// Of each function: those that call it.
  private var callers: [[Int]] = []
  private var calls: [Call] = []

  /// A member that needs a thread, and where it is used.
  private struct Need {
    var name: String
    var place: SourceRange
    var source: SourceText
  }

  /// A call of a function by code that runs on no thread.
  private struct Call {
    var function: Int
    var caller: Frame.Context
    var place: SourceRange
    var source: SourceText
  }

  /// Takes the next function in.
  mutating func addFunction() {
    needs.append(nil)
    needsAtTop.append(nil)
    needsWhenAsked.append(nil)
    callers.append([])
  }

  /// Notes that a function itself does something that needs a thread, but where it has this freedom.
  mutating func need(
    _ name: String, in function: Int, unless freedom: Member.Freedom, at place: SourceRange,
    _ source: SourceText
  ) {
    let need = Need(name: name, place: place, source: source)
    if needs[function] == nil { needs[function] = need }
    if needsAtTop[function] == nil, freedom != .locks { needsAtTop[function] = need }
    if needsWhenAsked[function] == nil, freedom == .none { needsWhenAsked[function] = need }
  }

  /// Notes that a function is called.
  mutating func noteCall(
    of function: Int, from context: Frame.Context, _ place: SourceRange, _ source: SourceText
  ) {
    switch context {
    case .world, .asked, .top:
      calls.append(Call(function: function, caller: context, place: place, source: source))
    case .function(let caller): callers[function].append(caller)
    case .thread, .anywhere: break
    }
  }

  /// Reports calls, by code without a thread, of functions that need one.
  mutating func judge(_ checker: inout Checker) {
    demand(needs.count == checker.functions.count, "every function was taken in")
    guard !calls.isEmpty else { return }
    ThreadNeeds.spread(&needs, callers)
    ThreadNeeds.spread(&needsAtTop, callers)
    ThreadNeeds.spread(&needsWhenAsked, callers)
    var told: Set<Int32> = []
    for call in calls {
      guard let need = need(of: call) else { continue }
      let name = checker.functions[call.function].name
      if name.hasSuffix(ThreadNeeds.readiness) {
        // No text calls it; the classes below have it, too.
        guard told.insert(need.place.lowerBound).inserted else { continue }
        checker.diagnosis.error(
          Messages.functionNeedsThread(name, need.name), need.place, in: need.source)
        continue
      }
      var message = Messages.functionNeedsThread(name, need.name)
      if case .top = call.caller { message = Messages.functionNeedsThreadAtTop(name, need.name) }
      checker.diagnosis.error(message, call.place, in: call.source)
    }
  }

  /// What a called function needs a thread for, where it is called.
  private func need(of call: Call) -> Need? {
    switch call.caller {
    case .top: needsAtTop[call.function]
    case .asked: needsWhenAsked[call.function]
    case .world, .thread, .anywhere, .function: needs[call.function]
    }
  }

  /// A function needs a thread when one that it calls does.
  private static func spread(_ needs: inout [Need?], _ callers: [[Int]]) {
    var open = needs.indices.filter { needs[$0] != nil }
    while let function = open.popLast() {
      for caller in callers[function] where needs[caller] == nil {
        needs[caller] = needs[function]
        open.append(caller)
      }
    }
  }
}
