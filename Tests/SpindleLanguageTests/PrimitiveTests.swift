import SpindleModel
import Testing

/// What a primitive and an instruction are made of.
@Suite struct PrimitiveTests {
  @Test func instructionsStaySmall() {
    #expect(MemoryLayout<Primitive>.size == 2)
    #expect(MemoryLayout<Instruction>.size == 14)
    #expect(MemoryLayout<Instruction>.stride == 16)
  }

  @Test func allPrimitivesAreOfDifferentNames() {
    let names = Primitive.allCases.map(\.description)
    #expect(Set(names).count == names.count)
    #expect(names.first == "doing.work")
    #expect(names.last == "asyncStream.next")
    #expect(names.contains("runLoopSource.signal"))
  }
}
