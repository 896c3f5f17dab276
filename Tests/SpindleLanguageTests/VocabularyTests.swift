@testable import SpindleLanguage
import SpindleModel
import Testing

/// The vocabulary's rows are consistent, and there is one for everything that the simulator can do.
@Suite struct VocabularyTests {
  private static var members: [Member] {
    let vocabulary = Vocabulary.standard
    var rows = members(of: vocabulary.free)
    for type in vocabulary.types { rows += type.initializers + members(of: type.statics) }
    for table in vocabulary.instances { rows += members(of: table) }
    return rows
  }

  private static func members(of table: MemberTable) -> [Member] {
    table.names.flatMap { table.overloads($0) ?? [] }
  }

  private static var properties: [Property] {
    let vocabulary = Vocabulary.standard
    let tables =
      [vocabulary.free] + vocabulary.types.map(\.statics) + vocabulary.instances
    return tables.flatMap { table in table.names.compactMap { table.property($0) } }
  }

  @Test func everyPrimitiveHasAMember() {
    var reached: Set<Primitive> = [
      .thread(.dictionaryGet), .thread(.dictionarySet), .object(.isAlive),
    ]
    for member in Self.members {
      for case .owner(let primitive) in member.slots { reached.insert(primitive) }
      switch member.action {
      case .perform(let primitive), .store(let primitive), .load(let primitive):
        reached.insert(primitive)
      case .inPlace(let enter, let leave), .inPlaceIf(let enter, let leave):
        reached.formUnion([enter, leave])
      case .claim(let claims): reached.formUnion(claims.map(\.primitive))
      case .record: reached.insert(.doing(.record))
      case .sample: reached.insert(.doing(.sample))
      case .draw, .now: break
      }
    }
    for property in Self.properties {
      reached.formUnion([property.set, property.setClosure, property.owner].compactMap { $0 })
      if case .perform(let primitive) = property.get { reached.insert(primitive) }
    }
    // What a 'precondition' comes to, which is no row: its text is put together where it stands; and the end of main.
    reached.formUnion([.doing(.trap), .doing(.uncaught)])
    // What stands in no row: 'await io', hops, what makes actors, and what runs a closure in place between two of these.
    reached.formUnion([
      .lock(.setValue), .lock(.access), .task(.ownExecutor), .task(.checkIsolation),
      .task(.makeActor),
      .task(.useQueue), .task(.prefer), .task(.pushEscalation), .asyncStream(.makeUnfolding),
      .task(.io), .task(.ioThrowing), .task(.hop), .task(.endLet), .task(.pushHandler),
      .task(.popHandler),
      .task(.local), .task(.isSuccess), .task(.failure),
      .task(.bindLocal), .task(.unbindLocal), .task(.current), .asyncStream(.yieldDetail),
      .taskGroup(.make), .taskGroup(.finish), .taskGroup(.abandon), .taskGroup(.dropResults),
      .continuation(.make), .continuation(.resumedTwice),
      .continuation(.await), .asyncStream(.make), .asyncStream(.next), .operation(.asksEnd),
    ])
    // What orders texts, and what prints a part of a line.
    reached.formUnion([
      .doing(.textIsBefore), .doing(.printPart), .doing(.textHasPrefix), .doing(.textHasSuffix),
      .doing(.textContains), .doing(.textCount), .doing(.textUppercased), .doing(.textLowercased),
      .doing(.textNumber), .doing(.textCapitalized), .doing(.textPart), .doing(.textTraits),
      .doing(.textByte), .doing(.textScalar),
    ])
    // What is 'static' is made by these.
    reached.formUnion([.once(.makeStatic), .once(.enterStatic), .once(.see)])
    #expect(Primitive.allCases.filter { !reached.contains($0) } == [])
  }

  @Test func whatNeedsAThreadSaysSoInTheRunToo() {
    for member in Self.members {
      var done: [Primitive] = []
      for case .owner(let primitive) in member.slots { done.append(primitive) }
      switch member.action {
      case .perform(let primitive), .store(let primitive), .load(let primitive):
        done.append(primitive)
      case .inPlace(let enter, _), .inPlaceIf(let enter, _): done.append(enter)
      case .claim(let claims): done += claims.map(\.primitive)
      case .record, .sample, .draw, .now: break
      }
      // A scheduled timer is made as any other, and then given to the loop of its thread.
      let needs = done.contains { $0.threadNeed != nil } || member.name == "scheduledTimer"
      #expect(needs == member.traits.contains(.needsThread), "\(member.name)")
    }
    for property in Self.properties {
      var done: [Primitive] = property.owner.map { [$0] } ?? []
      if case .perform(let primitive) = property.get { done.append(primitive) }
      #expect(done.contains { $0.threadNeed != nil } == property.needsThread, "\(property.name)")
    }
  }

  @Test func overloadsDifferInTheirLabels() {
    let vocabulary = Vocabulary.standard
    let tables = [vocabulary.free] + vocabulary.types.map(\.statics) + vocabulary.instances
    for table in tables {
      for name in table.names {
        let labels = (table.overloads(name) ?? []).map { member in
          member.formals.map { ($0.label?.text ?? "_") + ($0.takesClosure ? " {}" : "") }
        }
        #expect(Set(labels).count == labels.count, "\(name)")
      }
    }
  }

  /// Classes that no row is about yet; whoever adds one's rows takes it out of here.
  private static let later: Set<HandleClass> = [
    // Only a stream's closure and 'makeStream' give it.
    .streamInput
  ]

  @Test func everyObjectHasAType() {
    let made = Set(Vocabulary.standard.types.compactMap(\.handle))
    // No object is made of these two: each stands for several classes.
    let all = HandleClass.allCases.filter { $0 != .executor && $0 != .runLoopItem }
    #expect(made.union(Self.later) == Set(all))
    #expect(made.isDisjoint(with: Self.later), "these have rows now")
    for handle in made {
      #expect(Vocabulary.standard.type(handle.name)?.handle == handle)
    }
    for type in Vocabulary.standard.types {
      #expect(type.initializers.allSatisfy { $0.name == type.name })
    }
  }

  @Test func aNameWithoutObjectsMakesNone() {
    for type in Vocabulary.standard.types where type.handle == nil {
      #expect(type.initializers.isEmpty, "\(type.name)")
    }
  }

  @Test func aClosureInPlaceComesLast() {
    for member in Self.members where member.action.isInPlace {
      #expect(member.formals.last?.takesClosure == true, "\(member.name)")
      #expect(member.formals.last?.slot == member.slots.count - 1, "\(member.name)")
      #expect(member.steps.count == member.slots.count - 1, "\(member.name)")
    }
  }

  @Test func theObjectComesFirst() {
    for member in Self.members {
      for slot in member.slots.dropFirst() {
        switch slot {
        case .receiver, .owner: Issue.record("\(member.name)")
        default: break
        }
      }
    }
  }

  @Test func aClosureIsSetByItsOwnPrimitive() {
    for property in Self.properties {
      #expect(property.type.isFunction == (property.setClosure != nil), "\(property.name)")
      #expect(property.set == nil || property.setClosure == nil, "\(property.name)")
    }
  }

  @Test func measuresAreNamedOnce() {
    let paths = Vocabulary.measures.map(\.path)
    #expect(Set(paths).count == paths.count)
  }
}
