/// How a call is written, as far as it decides what it means: the member's name, the arguments'
/// labels, and where closures stand.
struct CallForm: BitwiseCopyable {
  fileprivate var table: UnsafeMutableRawPointer
  fileprivate var name: Int32
  fileprivate var closures: Int32
  /// Of each argument its label and whether it is a closure, in one number; 0 behind the last.
  fileprivate var arguments: SIMD8<Int32>

  /// How many arguments a form can have.
  fileprivate static let most = 8
}

/// What a call means: its member, and which of its arguments stand for which formals.
struct CallMeaning: BitwiseCopyable {
  /// The member, which lives as long as the vocabulary.
  let member: Unmanaged<Member>
  /// nil as long as nothing asked for it.
  var actuals: Actuals?
  /// The form that is to be noted as meaning this; nil when it is, or is not worth it.
  var form: Node<CallForm>?

  /// Creates the meaning of calls of a member.
  init(_ member: Member, _ actuals: Actuals? = nil, form: Node<CallForm>? = nil) {
    (self.member, self.actuals, self.form) = (.passUnretained(member), actuals, form)
  }
}

/// What the forms mean that a trace has used so far: most of its calls are written in a few.
///
/// Whoever finds a form here neither looks its name up nor compares a label.
struct CallForms {
  private struct Entry: BitwiseCopyable {
    var form: CallForm
    var meaning: CallMeaning
  }

  /// By a hash of the form, in its slot or the one beside it: two forms of the same hash that take turns
  /// must not drive each other out.
  private var entries: [Entry?] = Array(repeating: nil, count: 256)
  /// Whether anything is noted; without, each call is looked up by its name and labels.
  let isUsed: Bool

  /// Creates a table without forms.
  init(isUsed: Bool) { self.isUsed = isUsed }

  /// What `form` means; nil when that is not known.
  @inline(__always)
  func find(_ form: CallForm) -> CallMeaning? {
    let slot = CallForms.slot(form)
    return meaning(of: form, at: slot) ?? meaning(of: form, at: slot ^ 1)
  }

  @inline(__always)
  private func meaning(of form: CallForm, at slot: Int) -> CallMeaning? {
    guard let entry = entries[slot], entry.form.table == form.table,
      entry.form.name == form.name, entry.form.closures == form.closures,
      CallForms.areEqual(entry.form.arguments, form.arguments)
    else { return nil }
    return entry.meaning
  }

  /// As `==`, which compares one lane after the other.
  @inline(__always)
  private static func areEqual(_ one: SIMD8<Int32>, _ other: SIMD8<Int32>) -> Bool {
    let difference = unsafeBitCast(one ^ other, to: SIMD4<UInt64>.self)
    return difference[0] | difference[1] | difference[2] | difference[3] == 0
  }

  /// Notes what `form` means; what stood in its slot goes to the one beside it.
  mutating func note(_ form: CallForm, _ member: Member, _ actuals: Actuals) {
    guard isUsed, member.formals.count <= CallForm.most else { return }
    let slot = CallForms.slot(form)
    if let earlier = entries[slot] { entries[slot ^ 1] = earlier }
    entries[slot] = Entry(form: form, meaning: CallMeaning(member, actuals))
  }

  private static func slot(_ form: CallForm) -> Int {
    // Where the table is differs from process to process, so it has a part in the comparison only.
    let sum = form.arguments.wrappedSum() &+ form.name &* 31 &+ form.closures
    return Int((UInt32(bitPattern: sum) &* 0x9E37_79B9) >> 24)
  }
}

extension CallForms {
  /// The member of `table` that a call of `name` means; nil when it has none of this name.
  ///
  /// It changes nothing; what is handed on to change is not copied.
  mutating func meaning(
    of name: Word, in table: Unmanaged<MemberTable>, _ call: CallSite, _ checker: inout Checker
  ) -> CallMeaning? {
    let form = form(name, table, call, &checker)
    if let form, let known = find(form) { return known }
    guard let overloads = table.takeUnretainedValue().overloads(name) else { return nil }
    return CallMeaning(
      checker.overload(overloads, for: call), form: form.map { checker.arena.node($0) })
  }

  /// The form of a call; nil when it has too many parts.
  @inline(__always)
  private mutating func form(
    _ name: Word, _ table: Unmanaged<MemberTable>, _ call: CallSite, _ checker: inout Checker
  ) -> CallForm? {
    guard isUsed else { return nil }
    let (arguments, closures) = (call.arguments, call.closures)
    guard arguments.count <= CallForm.most, closures.count <= 1 else { return nil }
    if closures.count == 1 && closures[0].label != nil { return nil }
    var parts = SIMD8<Int32>(repeating: 0)
    for ordinal in 0..<arguments.count {
      let argument = arguments[ordinal]
      let label = argument.label.map { Int32($0.index + 2) } ?? 1
      let closure: Int32 =
        switch checker.isClosure(argument.value) {
        case false?: 0
        case true?: 1
        case nil: 2
        }
      parts[ordinal] = label << 2 | closure
    }
    return CallForm(
      table: table.toOpaque(), name: Int32(name.index), closures: Int32(closures.count),
      arguments: parts)
  }
}
