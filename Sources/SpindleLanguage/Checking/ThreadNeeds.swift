import SpindleModel

/// Which functions need a thread, and which calls have none to give them: known when all functions are.
struct ThreadNeeds {
  /// Of each function, by ordinal: the first member that needs a thread, nil when there is none.
  private var needs: [String?] = []
  /// The same, without what the top of a trace can do too.
  private var needsAtTop: [String?] = []
  /// Of each function: those that call it.
  private var callers: [[Int]] = []
  private var calls: [Call] = []

  /// A call of a function by code that runs on no thread.
  private struct Call {
    var function: Int
    var isTop: Bool
    var place: SourceRange
    var source: SourceText
  }

  /// Takes the next function in.
  mutating func addFunction() {
    needs.append(nil)
    needsAtTop.append(nil)
    callers.append([])
  }

  /// Notes that a function itself does something that needs a thread, but at the top where it `isFreeAtTop`.
  mutating func need(_ name: String, in function: Int, isFreeAtTop: Bool) {
    if needs[function] == nil { needs[function] = name }
    if needsAtTop[function] == nil, !isFreeAtTop { needsAtTop[function] = name }
  }

  /// Notes that a function is called.
  mutating func noteCall(
    of function: Int, from context: Frame.Context, _ place: SourceRange, _ source: SourceText
  ) {
    switch context {
    case .world:
      calls.append(Call(function: function, isTop: false, place: place, source: source))
    case .top: calls.append(Call(function: function, isTop: true, place: place, source: source))
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
    for call in calls {
      guard let need = call.isTop ? needsAtTop[call.function] : needs[call.function] else {
        continue
      }
      let name = checker.functions[call.function].name
      checker.diagnosis.error(
        call.isTop
          ? Messages.functionNeedsThreadAtTop(name, need)
          : Messages.functionNeedsThread(name, need),
        call.place, in: call.source)
    }
  }

  /// A function needs a thread when one that it calls does.
  private static func spread(_ needs: inout [String?], _ callers: [[Int]]) {
    var open = needs.indices.filter { needs[$0] != nil }
    while let function = open.popLast() {
      for caller in callers[function] where needs[caller] == nil {
        needs[caller] = needs[function]
        open.append(caller)
      }
    }
  }
}
