import SpindleModel
import Testing

/// Equal texts have one number and different texts have two, whatever their hashes are.
@Suite struct NameTableTests {
  private static func find(_ text: String, in table: NameTable) -> Int32? {
    var copy = text
    return copy.withUTF8 { table.find($0)?.index }
  }

  @Test func textsWithOneHashAreTwoTexts() {
    // FNV-1a of both, mixed as the table does, ends with the 32 bits 1ee70cac.
    let table = NameTable(["name27347"])
    #expect(Self.find("name97923", in: table) == nil)
    #expect(table.intern("name97923").index == 1)
    #expect(table.intern("name27347").index == 0)
    #expect(table.intern("name97923").index == 1)
  }

  @Test func aCopyDoesNotChangeTheOriginal() {
    let original = NameTable(["a", "b"])
    let copy = NameTable(copying: original)
    #expect(copy.intern("b").index == 1)
    #expect(copy.intern("c").index == 2)
    #expect(original.count == 2 && Self.find("c", in: original) == nil)
    #expect(original.intern("d").index == 2)
    #expect(copy.text(NameID(2)) == "c")
  }

  @Test func textsAreFoundAsTheTableGrows() {
    // The table's room doubles at 33, 65, 129, 257, 513 texts.
    let table = NameTable(["", "a", "a", "é\u{0}"])
    #expect(table.count == 4)
    for number in 0..<600 {
      #expect(table.intern("text \(number)").index == Int32(4 + number))
    }
    for number in 0..<600 {
      #expect(Self.find("text \(number)", in: table) == Int32(4 + number))
    }
    #expect(Self.find("", in: table) == 0 && Self.find("a", in: table) == 1)
    #expect(Self.find("é\u{0}", in: table) == 3 && table.text(NameID(3)) == "é\u{0}")
    #expect(Self.find("text", in: table) == nil && Self.find("text 600", in: table) == nil)
    #expect(table.count == 604)
  }
}
