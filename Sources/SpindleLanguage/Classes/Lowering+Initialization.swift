import SpindleModel

/// That an `init` gives each field a value before it is read, and before anybody else sees the instance.
extension Lowering {
  /// Follows the code of an `init`, whose present block ends here, on all its ways; reports the first field that
  /// is used on one of them without a value, and one that is left without.
  mutating func checkInitialization(
    of index: Int, _ initializer: TypeDeclaration.Initializer
  ) {
    guard let initialization, !isLenient else { return }
    let info = checker.classes[index]
    if info.isBroken { return }
    let wanted = info.fields.indices.filter {
      info.fields[$0].value == nil && info.fields[$0].name.word != words.executor
    }
    let makers = Set(info.initializers.map { functions[$0].block })
    var flow = InitializationFlow(
      wanted: Set(wanted), makers: makers, count: frame.code.count, start: initialization.start)
    guard let fault = flow.follow(frame) else { return }
    let name = info.fields[fault.field].name.text
    switch fault.kind {
    case .isRead(let place): error(Messages.readTooEarly(name), place)
    case .isShown(let place): error(Messages.ownTooEarly(name), place)
    case .isLeft: error(Messages.uninitialized(name), initializer.range)
    }
  }

  /// The values that fields have without an `init`: names in them are those of the top.
  ///
  /// Of `given` fields they stand in the place of arguments, and whoever leaves these out evaluates them.
  mutating func storeInitialValues(of index: Int, but given: [Word]) {
    if checker.classes[index].isActor { storeExecutor(of: index) }
    // A class gives what it declares itself a value before the one above it does.
    let fields = checker.classes[index].fields
    for number in fields.indices.sorted(by: { (fields[$0].height, $0) < (fields[$1].height, $1) }) {
      let field = checker.classes[index].fields[number]
      guard let value = field.value, !given.contains(field.name.word) else { continue }
      let next = frame.next
      let register = frame.allocate()
      let type = fieldType(index, number)
      let wasTop = checker.seesOnlyTop
      let isParent = field.name.word == words.parent
      checker.seesOnlyTop = !isParent
      checker.firstSeen = Int32(scope.count)
      if case .call = value.kind {
        boundName = isParent ? checker.classes[index].name.word : field.said ?? field.name.word
      }
      let (said, home) = (checker.diagnosis.count, frame.asynchrony.home)
      // A value that a class takes over from above runs where it is declared.
      if field.height > 0, field.isolation.isUnspecified { frame.asynchrony.home = .pool }
      var made = fieldValue(value, number, of: index, expecting: type, target: register)
      (boundName, frame.asynchrony.home) = (nil, home)
      made = coerce(
        storable(coerce(made, to: type, value.range), value.range), to: type, value.range)
      judgeUntyped(field.name, since: said)
      place(kept(made, isVariable: true), in: register, value.range)
      (checker.seesOnlyTop, checker.firstSeen) = (wasTop, .max)
      emit(.fieldStore(Register(0), Int32(number), from: register), value.range)
      releaseTemporaries(from: 0, value.range)
      frame.temporaries.removeAll()
      frame.next = next
    }
    giveReadiness(of: index)
  }
}

extension Lowering {
  /// Reports a property whose type its value does not say, where nothing is wrong with the value itself.
  private mutating func judgeUntyped(_ name: Name, since mark: Int) {
    guard let index = statics.untyped.firstIndex(where: { $0.range == name.range }) else { return }
    statics.untyped.remove(at: index)
    if !checker.diagnosis.hasErrors(since: mark) {
      error(Messages.untypedField(name.text), name.range)
    }
  }
}

/// Which fields have no value, at each instruction of an `init`.
private struct InitializationFlow {
  /// What is wrong with a field.
  struct Fault {
    enum Kind {
      case isRead(SourceRange)
      case isShown(SourceRange)
      case isLeft
    }

    let kind: Kind
    let field: Int
  }

  /// The blocks of the `init`s of the class: one that is called gives all fields their values.
  let makers: Set<BlockID>
  /// The fields without a value, on one way at least, in front of each instruction and at the end; nil where no
  /// way has led yet.
  private var open: [Set<Int>?]
  private var unseen: [Int]

  init(wanted: Set<Int>, makers: Set<BlockID>, count: Int, start: Int) {
    self.makers = makers
    open = Array(repeating: nil, count: count + 1)
    open[start] = wanted
    unseen = [start]
  }

  /// The first fault by place.
  mutating func follow(_ frame: Frame) -> Fault? {
    while let index = unseen.popLast() {
      if index + 1 < open.count { step(index, frame) }
    }
    for index in 0..<open.count - 1 {
      guard let open = open[index], let field = open.min() else { continue }
      let (instruction, place) = frame.code[index]
      switch instruction {
      case .fieldLoad(_, of: Self.own, let number) where open.contains(Int(number)):
        return Fault(kind: .isRead(place), field: Int(number))
      case .copy(_, from: Self.own), .retain(_, from: Self.own, _), .hold(_, from: Self.own, _):
        if !isMade(index, frame) { return Fault(kind: .isShown(place), field: field) }
      case .finish, .finishWith: return Fault(kind: .isLeft, field: field)
      default: break
      }
    }
    return open[open.count - 1]?.min().map { Fault(kind: .isLeft, field: $0) }
  }

  /// The register of the instance.
  private static let own = Register(0)

  /// Whether the instance is copied to be handed to another `init` of its class.
  private func isMade(_ index: Int, _ frame: Frame) -> Bool {
    guard case .copy(let window, from: _) = frame.code[index].instruction else { return false }
    for next in index + 1..<frame.code.count {
      if case .call(let block, base: window, _) = frame.code[next].instruction {
        return makers.contains(block)
      }
    }
    return false
  }

  /// Leads the ways on that come to an instruction.
  private mutating func step(_ index: Int, _ frame: Frame) {
    guard var left = open[index] else { return }
    // Whatever throws does so before it has an effect.
    for handler in frame.handlers where Int(handler.start) <= index && index < Int(handler.end) {
      lead(left, to: Int(handler.target))
    }
    let instruction = frame.code[index].instruction
    switch instruction {
    case .fieldStore(Self.own, let number, from: _): left.remove(Int(number))
    case .call(let block, base: _, _) where makers.contains(block): left = []
    case .jump(let label): return lead(left, to: Int(frame.labels[Int(label)]))
    case .jumpIf(_, let label), .jumpUnless(_, let label), .jumpUnlessLess(_, _, let label):
      lead(left, to: Int(frame.labels[Int(label)]))
    case .finish, .finishWith, .raise, .rethrow, .instanceEnd: return
    default: break
    }
    lead(left, to: index + 1)
  }

  /// A way with these fields open leads to an instruction.
  private mutating func lead(_ left: Set<Int>, to index: Int) {
    demand(index >= 0 && index < open.count, "the code of an init leads to \(index)")
    let known = open[index]
    let joined = known.map { $0.union(left) } ?? left
    if joined == known { return }
    open[index] = joined
    unseen.append(index)
  }
}

extension Lowering {
  /// Makes the instance that an `init` is called for, held from then on: it dies where that throws; nil where nothing
  /// is counted, or there is none.
  mutating func newInstance(
    _ receiver: CallReceiver, in base: Register, _ range: SourceRange
  ) -> OwnedRegister? {
    guard case .new(let type, let name) = receiver else { return nil }
    emit(.instanceMake(base, type, name), range)
    guard isCounting else { return nil }
    let owner = temporary(.instance)
    emit(.hold(owner.register, from: base, owner.kind), range)
    return owner
  }
}
