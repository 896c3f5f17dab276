import SpindleModel

/// How the values of types are represented.
extension Emitter {
  /// Whether a value is the name of a case: no case of its type has values.
  func isPlainEnum(_ type: SwiftType) -> Bool {
    guard let nominal = type.nominal, nominal.kind == .enum, nominal.builtin == nil else {
      return false
    }
    return nominal.cases.allSatisfy { $0.values.isEmpty }
  }

  /// Whether a value is an instance.
  func isInstance(_ type: SwiftType) -> Bool {
    switch type {
    case .nominal(let nominal, _):
      nominal.builtin == nil && nominal.kind != .protocol && !isPlainEnum(type)
    case .tuple(let elements): !elements.isEmpty
    default: false
    }
  }

  func isCollection(_ type: SwiftType) -> Bool {
    switch type.nominal?.builtin {
    case .array, .dictionary, .set: true
    case .optional: type.wrapped.map(isCollection) ?? false
    default: false
    }
  }

  /// How a value is written.
  func format(of type: SwiftType) -> ValueFormat {
    guard let nominal = type.nominal else {
      if case .tuple = type { return .object }
      if case .existential(let protocols) = type, protocols.contains(known.errorProtocol) {
        return .string
      }
      if case .existential = type { return .object }
      return .integer
    }
    switch nominal.builtin {
    case .boolean: return .boolean
    case .double: return .decimal
    case .string: return .string
    case .duration: return .duration
    case .instant: return .instant
    case .size: return .size
    case .symbol: return .symbol
    case .optional:
      // The nil words of optionals within optionals are numbers to the log, or no instance.
      guard let wrapped = type.wrapped, wrapped.wrapped == nil else {
        return isInstance(type.unwrappedFully) ? .object : .integer
      }
      return format(of: wrapped)
    case .array, .dictionary, .set: return .array
    case .handle: return nominal.handle == .thread || nominal.handle == .runLoop ? .thread : .object
    case .integer, .fixedInteger, .never, .options: return .integer
    case nil: return isPlainEnum(type) ? .string : .object
    }
  }

  /// Whether a value is a closure, or an optional one.
  func isClosure(_ type: SwiftType) -> Bool {
    if case .function = type.unwrappedFully { return true }
    return false
  }

  /// The class of the library's objects that a value holds.
  func handle(of type: SwiftType) -> HandleClass? {
    if let wrapped = type.wrapped { return wrapped.wrapped == nil ? handle(of: wrapped) : nil }
    if type.nominal?.builtin == .array { return type.arguments.first.flatMap(handle) }
    return type.nominal?.handle
  }

  // MARK: Classes

  /// The number of the class whose instances the values of a type are.
  func classNumber(of type: SwiftType) -> Int {
    if let known = classes[type] { return known }
    let number = program.classes.count
    classes[type] = number
    program.classes.append(ProgramClass(name: "", fields: [], deinitializer: nil))
    let fields: [FieldShape]
    var (name, isValue, isActor) = ("\(type)", true, false)
    var (order, links): ([Int]?, [Int]) = (nil, [])
    switch type {
    case .tuple(let elements):
      fields = elements.enumerated().map {
        FieldShape($1.label ?? "\($0)", $1.type, lifeKind($1.type))
      }
    case .nominal(let nominal, let arguments):
      name = nominal.name
      (isValue, isActor) = (nominal.isValue, nominal.kind == .actor)
      fields = self.fields(of: nominal, nominal.substitution(arguments))
      if nominal.isReference, isCounting { (order, links) = releaseOrder(of: nominal) }
    default: fields = []
    }
    program.classes[number] = ProgramClass(
      name: name,
      fields: fields.enumerated().map { number, field in
        ProgramClass.Field(
          name: field.name, format: format(of: field.type), handle: handle(of: field.type),
          life: field.life, isNeeded: field.isNeeded, isLink: links.contains(number),
          isClosure: isClosure(field.type))
      }, releaseOrder: order, deinitializer: endBlock(of: type), isActor: isActor,
      isValue: isValue)
    return number
  }

  /// A field of the instances of a class.
  struct FieldShape {
    var name: String
    var type: SwiftType
    var life: LifeKind?
    /// Whether an instance without a value in it is one whose `init` threw.
    var isNeeded: Bool

    init(_ name: String, _ type: SwiftType, _ life: LifeKind?, isNeeded: Bool = false) {
      (self.name, self.type, self.life, self.isNeeded) = (name, type, life, isNeeded)
    }
  }

  func fields(of nominal: Nominal, _ substitution: Substitution) -> [FieldShape] {
    if nominal.kind == .enum {
      var made = [FieldShape("case", known.string, nil)]
      for one in nominal.cases {
        for (index, value) in one.values.enumerated() {
          let type = value.type.substituting(substitution)
          let isOnly = one.values.count { $0.label == nil } == 1
          let place = isOnly ? one.name : "\(one.name).\(index)"
          made.append(FieldShape(value.label ?? place, type, lifeKind(type)))
        }
      }
      return made
    }
    var made: [FieldShape] = []
    // An actor has its executor in front.
    if nominal.kind == .actor { made.append(FieldShape("executor", known.integer, nil)) }
    if case .nominal(let parent, let given)? = nominal.superclass {
      if parent.handle != nil {
        made = [FieldShape("super", parent.selfType, lifeKind(parent.selfType))]
      } else {
        let inherited = given.map { $0.substituting(substitution) }
        made = fields(of: parent, parent.substitution(inherited))
      }
    }
    for variable in nominal.stored {
      let type = bodies.type(of: variable).substituting(substitution)
      let isNeeded =
        nominal.isReference && variable.value == nil && !variable.isLazy && type.wrapped == nil
      made.append(
        FieldShape(
          variable.name, variable.isLazy ? known.optional(type) : type,
          lifeKind(of: variable, type), isNeeded: isNeeded))
    }
    return made
  }

  /// The number of a stored property among the fields of its instances.
  func fieldNumber(_ variable: VariableSymbol, _ owner: Nominal) -> Int32 {
    var before = owner.kind == .actor ? 1 : 0
    var parent = owner.superclass?.nominal
    while let one = parent {
      before += one.handle == nil ? one.stored.count : 1
      parent = one.superclass?.nominal
    }
    return Int32(before + variable.index)
  }

  /// The number of the first field with a value of a case.
  func firstField(of one: CaseSymbol) -> Int32 {
    let before = one.owner?.cases.prefix(one.index).map(\.values.count).reduce(0, +) ?? 0
    return Int32(1 + before)
  }

  /// The class of boxes for a local variable.
  func boxClass(_ local: Typed.Local) -> Int {
    let type = concrete(local.type)
    // The key is a tuple, so that a box of a type has another class than an instance of it.
    let label = local.strength == .strong ? "box" : "weak box"
    let key = SwiftType.tuple([SwiftType.TupleElement(label: label, type: type)])
    if let known = classes[key] { return known }
    let number = program.classes.count
    classes[key] = number
    program.classes.append(
      ProgramClass(
        name: "",
        fields: [
          ProgramClass.Field(
            name: "", format: format(of: type), handle: handle(of: type),
            life: lifeKind(of: local), isClosure: isClosure(type))
        ], deinitializer: nil))
    return number
  }

  // MARK: Optionals

  /// How many optionals a type is within each other.
  func depth(_ type: SwiftType) -> Int64 {
    type.wrapped.map { 1 + depth($0) } ?? 0
  }

  /// A value as what an optional holds.
  ///
  /// The nil words of the optional within are one more in the optional around it.
  func wrap(_ value: Register, _ wrapped: SwiftType, _ range: SourceRange) -> Register {
    if wrapped.isVoid { return constant(0, range) }
    return moveNil(value, from: 0, below: depth(wrapped), by: 1, range)
  }

  /// What an optional holds that is not nil.
  func unwrap(_ value: Register, _ wrapped: SwiftType, _ range: SourceRange) -> Register {
    moveNil(value, from: 1, below: depth(wrapped) + 1, by: -1, range)
  }

  /// A value to which `distance` is added if it is one of the nil words from `first` up to `end`.
  ///
  /// Instructions for arithmetic trap at the number that represents nil, so each nil word is compared and replaced.
  private func moveNil(
    _ value: Register, from first: Int64, below end: Int64, by distance: Int64,
    _ range: SourceRange
  ) -> Register {
    guard first < end else { return value }
    let (result, test, done) = (allocate(), allocate(), code.frame.label())
    emit(.copy(result, from: value), range)
    for word in first..<end {
      let next = code.frame.label()
      emit(.constant(noValue + word, to: test), range)
      emit(.equal(test, test, value), range)
      emit(.jumpUnless(test, code.frame.target(next)), range)
      emit(.constant(noValue + word + distance, to: result), range)
      code.frame.jump(done, expansion ?? range)
      code.frame.mark(next)
    }
    code.frame.mark(done)
    return result
  }

  /// Jumps where an optional is nil, or where it is not.
  func jump(ifNil isNil: Bool, _ value: Register, to label: Frame.Label, _ range: SourceRange) {
    let test = allocate()
    emit(.constant(noValue, to: test), range)
    emit(.equal(test, test, value), range)
    let target = code.frame.target(label)
    emit(isNil ? .jumpIf(test, target) : .jumpUnless(test, target), range)
    code.frame.next = Int(test.index)
  }
}
