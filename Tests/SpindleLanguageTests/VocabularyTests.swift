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
    var reached: Set<Primitive> = [.threadDictionaryGet, .threadDictionarySet]
    for member in Self.members {
      switch member.action {
      case .perform(let primitive): reached.insert(primitive)
      case .inPlace(let enter, let leave): reached.formUnion([enter, leave])
      case .record: reached.insert(.record)
      case .draw, .now: break
      }
    }
    for property in Self.properties {
      if let set = property.set { reached.insert(set) }
      switch property.get {
      case .perform(let primitive), .ownThread(let primitive): reached.insert(primitive)
      case .now, .dictionary: break
      }
    }
    #expect(Primitive.allCases.filter { !reached.contains($0) } == [])
  }

  @Test func overloadsDifferInTheirLabels() {
    let vocabulary = Vocabulary.standard
    let tables = [vocabulary.free] + vocabulary.types.map(\.statics) + vocabulary.instances
    for table in tables {
      for name in table.names {
        let labels = (table.overloads(name) ?? []).map { $0.formals.map { $0.label ?? "_" } }
        #expect(Set(labels).count == labels.count, "\(name)")
      }
    }
  }

  @Test func everyObjectHasAType() {
    let made = Vocabulary.standard.types.compactMap(\.handle)
    #expect(Set(made).union([.executor]) == Set(HandleClass.allCases))
    for type in Vocabulary.standard.types {
      #expect(type.handle?.name == type.name)
      #expect(type.initializers.allSatisfy { $0.name == type.name })
    }
  }

  @Test func theReceiverComesFirst() {
    for member in Self.members {
      for slot in member.slots.dropFirst() {
        if case .receiver = slot { Issue.record("\(member.name)") }
      }
    }
  }

  @Test func measuresAreNamedOnce() {
    let paths = Vocabulary.measures.map(\.path)
    #expect(Set(paths).count == paths.count)
  }
}
