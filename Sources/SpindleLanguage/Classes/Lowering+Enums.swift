import SpindleModel

/// `enum State { case idle, loading }`: a value is the name of its case.
extension Lowering {
  /// Declares an `enum`, so that whatever stands in front of it may use it.
  mutating func declareEnum(_ declaration: TypeDeclaration) {
    var known: [String: SourceRange] = [:]
    for each in declaration.cases {
      if let earlier = known[each.name.text] {
        error(Messages.redeclared(each.name.text, line: checker.line(earlier)), each.name.range)
      }
      known[each.name.text] = each.name.range
    }
    var (type, isError): (ValueType?, Bool) = (nil, false)
    for base in declaration.bases {
      if base.word == "Error" || base.word == "LocalizedError" {
        isError = true
      } else if let raw = checker.plainType(base.text), raw == .integer || raw == .string {
        type = raw
      } else if base.text == "Comparable" {
        refuseOrder(declaration, base.range)
      } else if !Lowering.silentBases.contains(base.text) {
        let isRaw = declaration.cases.contains { $0.raw != nil } || Lowering.isRawType(base.text)
        error(
          isRaw
            ? Messages.foreignEnumBase(base.text) : Messages.foreignBase(base.text, of: "enum"),
          base.range)
      }
    }
    checker.enums.add(
      EnumInfo(
        name: declaration.name, type: .choice(ClassName(declaration.name.text)),
        cases: declaration.cases.map(\.name), isError: isError,
        raws: rawValues(declaration, type)))
  }

  /// Whether a name is that of a type that cases of Swift can stand for.
  private static func isRawType(_ name: String) -> Bool {
    name.hasPrefix("Int") || name.hasPrefix("UInt")
      || ["Double", "Float", "CGFloat", "Character", "Decimal"].contains(name)
  }

  /// What the cases stand for: numbers that go on by 1, or the names themselves, unless it is written.
  private mutating func rawValues(
    _ declaration: TypeDeclaration, _ type: ValueType?
  ) -> EnumInfo.RawValues? {
    var (numbers, texts): ([Int64], [String]) = ([], [])
    for each in declaration.cases {
      if let raw = each.raw {
        if let number = number(raw), type == .integer {
          numbers.append(number)
        } else if case .text(let text) = raw.kind, type == .string {
          texts.append(text.text)
        } else {
          error(Messages.rawValue(declaration.name.text), raw.range)
          return nil
        }
      } else {
        numbers.append(numbers.last.map { $0 &+ 1 } ?? 0)
        texts.append(each.name.text)
      }
    }
    switch type {
    case .integer: return .integers(numbers)
    case .string: return .texts(texts)
    default: return nil
    }
  }

  /// The whole number that is written; nil for anything else.
  private func number(_ expression: Expression) -> Int64? {
    switch expression.kind {
    case .integer(let number): number
    case .prefix(.minus, let inner): number(inner).map { 0 &- $0 }
    default: nil
    }
  }

  /// `State.idle`, `State.allCases`.
  mutating func enumMember(_ info: EnumInfo, _ name: String, _ range: SourceRange) -> Operand {
    if info.cases.contains(where: { $0.text == name }) {
      return .constant(Int64(intern(name).index), info.type)
    }
    let names = info.cases.map(\.text)
    guard name == "allCases" else {
      return refuse(
        Messages.unknownMember(
          name, of: info.name.text, nearest: proposal(name, names), names), range)
    }
    let result = frame.allocate()
    emit(.arrayMake(result, base: result, count: 0), range)
    let register = frame.allocate()
    for each in info.cases {
      emit(.constant(Int64(intern(each.word).index), to: register), range)
      emit(.arrayAppend(result, value: register), range)
    }
    frame.next = Int(register.index)
    var made = Operand.register(result, .array(info.type))
    made.isFresh = true
    return made
  }

  /// `idle`, `allCases`, in what is `static` in the `enum` itself; nil for another name.
  ///
  /// In a function of a case Swift wants the type in front.
  mutating func ownCase(_ name: Word, _ range: SourceRange) -> Operand? {
    guard checker.ownClass >= 0, case .choice(let type) = checker.classes[checker.ownClass].type
    else { return nil }
    let info = checker.enums[checker.enums.index(of: type)]
    guard name == "allCases" || info.cases.contains(where: { $0.text == name.text }) else {
      return nil
    }
    if checker.isStaticMember { return enumMember(info, name.text, range) }
    return refuse(
      Messages.unknownName(name.text, nearest: "\(info.name.text).\(name.text)"), range)
  }

  /// `State(rawValue: 2)`: the case that stands for it, an optional; nil for another call.
  mutating func enumOfRaw(_ name: Word, _ call: CallSite) -> Operand? {
    guard let index = checker.enums.index(of: name.text), call.closures.isEmpty,
      call.arguments.count == 1, call.arguments[0].label == "rawValue"
    else { return nil }
    let info = checker.enums[index]
    let (values, type): ([Int64], ValueType)
    switch info.raws {
    case .integers(let numbers): (values, type) = (numbers, .integer)
    case .texts(let texts): (values, type) = (texts.map { Int64(intern($0).index) }, .string)
    case nil: return nil
    }
    let range = call.place
    let (result, given) = (frame.allocate(), frame.allocate())
    argument(
      call.arguments[0].value, Formal(label: "rawValue", type: type, isOptional: false, slot: 0),
      into: given)
    let (test, end) = (frame.allocate(), frame.label())
    for (each, value) in zip(info.cases, values) {
      emit(.constant(Int64(intern(each.word).index), to: result), range)
      emit(.constant(value, to: test), range)
      emit(.equal(test, test, given), range)
      emit(.jumpIf(test, frame.target(end)), range)
    }
    emit(.constant(noValue, to: result), range)
    frame.mark(end)
    frame.next = Int(result.index) + 1
    return .register(result, .optional(info.type))
  }

  /// What a case stands for; nil where its `enum` has no such values.
  mutating func rawValue(of object: Operand, _ name: ClassName, _ range: SourceRange) -> Operand? {
    let info = checker.enums[checker.enums.index(of: name)]
    var (values, type): ([Int64], ValueType)
    switch info.raws {
    case .integers(let numbers): (values, type) = (numbers, .integer)
    case .texts(let texts): (values, type) = (texts.map { Int64(intern($0).index) }, .string)
    case nil: return nil
    }
    let names = info.cases.map { Int64(intern($0.word).index) }
    let made = rawValue(of: object, among: Array(zip(names, values)), type, range)
    if case .texts(let texts)? = info.raws, case .register(let result) = made.location {
      frame.lastRaw = (result, texts, frame.code.count)
    }
    return made
  }

  /// What stands beside the one of some names that a value is.
  mutating func rawValue(
    of object: Operand, among pairs: [(name: Int64, value: Int64)], _ type: ValueType,
    _ range: SourceRange
  ) -> Operand {
    if let constant = object.constant, let pair = pairs.first(where: { $0.name == constant }) {
      return .constant(pair.value, type)
    }
    let from = register(of: object, range)
    let result = frame.allocate()
    let (test, end) = (frame.allocate(), frame.label())
    for (name, value) in pairs {
      emit(.constant(value, to: result), range)
      emit(.constant(name, to: test), range)
      emit(.equal(test, test, from), range)
      emit(.jumpIf(test, frame.target(end)), range)
    }
    frame.mark(end)
    frame.next = Int(result.index) + 1
    return .register(result, type)
  }

  /// `rawValue.capitalized`: the text of a case with a great letter in front of each word, the others small; nil for
  /// a text that is not known before the run.
  mutating func capitalized(_ text: Operand, _ range: SourceRange) -> Operand? {
    func changed(_ text: String) -> Int64 {
      var (made, isInWord) = ("", false)
      for letter in text {
        made +=
          letter.isLetter ? (isInWord ? letter.lowercased() : letter.uppercased()) : "\(letter)"
        isInWord = letter.isLetter || letter == "'"
      }
      return Int64(intern(made).index)
    }
    if let constant = text.constant { return .constant(changed(names[Int(constant)]), .string) }
    guard case .register(let from) = text.location, let raw = frame.lastRaw, raw.register == from,
      raw.end == frame.code.count
    else { return refuse(Messages.capitalized, range) }
    let result = frame.allocate()
    let (test, end) = (frame.allocate(), frame.label())
    for each in raw.texts {
      emit(.constant(changed(each), to: result), range)
      emit(.constant(Int64(intern(each).index), to: test), range)
      emit(.equal(test, test, from), range)
      emit(.jumpIf(test, frame.target(end)), range)
    }
    frame.mark(end)
    frame.next = Int(result.index) + 1
    return .register(result, .string)
  }
}
