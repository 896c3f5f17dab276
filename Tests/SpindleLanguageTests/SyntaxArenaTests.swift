import Testing

@testable import SpindleLanguage

/// The words of a trace and the memory of its tree.
@Suite struct SyntaxArenaTests {
  @Test("a text is one word, however long", arguments: 0...40)
  func oneWord(length: Int) {
    let words = WordTable()
    let text = String(repeating: "ab", count: length).prefix(length)
    let word = words.word(String(text))
    #expect(word.text == text)
    #expect(words.word(String(text)) == word)
    // The last letter, the length and what stands in front tell words apart.
    for other in [text + "c", text + "\0", "c" + text, text.dropLast() + "c"] where other != text {
      #expect(words.word(String(other)) != word, "\(other)")
      #expect(words.word(String(other)).text == other)
    }
  }

  @Test func lettersAreTheWordOfTheirText() {
    let words = WordTable()
    #expect(words.word(0x6261, count: 2) == words.word("ab"))
    #expect(words.word(0x6867_6665_6463_6261, count: 8) == words.word("abcdefgh"))
    #expect(words.word(0x6261, count: 3) == words.word("ab\0"))
    #expect(words.word(0x6261, count: 2) != words.word("ab\0"))
  }

  @Test func wordsStayWhileTheTableGrows() {
    let words = WordTable()
    let many = (0..<20_000).map { words.word("word \($0) of a long list") }
    for (index, word) in many.enumerated() {
      #expect(word.text == "word \(index) of a long list")
      #expect(word.index == index + 1, "behind the underscore")
      #expect(words.word(word.text) == word)
    }
    #expect(words.word("_").isUnderscore && !many[0].isUnderscore)
  }

  @Test("a list has what was added", arguments: [0, 1, 2, 3, 8, 100, 5_000])
  func lists(count: Int) {
    let arena = SyntaxArena()
    var builder = SyntaxListBuilder<Int>()
    var other = SyntaxListBuilder<Int8>()
    for number in 0..<count {
      builder.append(number, in: arena)
      // What grows beside it does not touch it.
      other.append(-1, in: arena)
    }
    withExtendedLifetime(arena) {
      #expect(Array(builder.list) == Array(0..<count))
      #expect(other.list.allSatisfy { $0 == -1 } && other.list.count == count)
      if count > 0 { #expect(Array(builder.list.withoutFirst) == Array(1..<count)) }
    }
  }

  @Test func whatIsForgottenMakesRoom() {
    let arena = SyntaxArena()
    let kept = arena.node(7)
    let mark = arena.mark
    let first = arena.node(8)
    let address = arena.room(for: 1, of: Int.self)
    for _ in 0..<100_000 { _ = arena.node(9) }
    arena.forget(downTo: mark)
    let again = arena.node(10)
    #expect(kept.value == 7 && again.value == 10)
    #expect(first.value == 10, "the same place")
    #expect(arena.room(for: 1, of: Int.self) == address)
    arena.forgetAll()
    _ = arena.node(11)
    #expect(kept.value == 11)
  }

  @Test func placesAreAligned() {
    let arena = SyntaxArena()
    for _ in 0..<1_000 {
      _ = arena.room(for: 1, of: Int8.self)
      let wide = arena.room(for: 1, of: SIMD8<Int32>.self)
      #expect(UInt(bitPattern: wide) % UInt(MemoryLayout<SIMD8<Int32>>.alignment) == 0)
      let plain = arena.room(for: 3, of: Int64.self)
      #expect(UInt(bitPattern: plain) % 8 == 0)
    }
    // More than any chunk has.
    let large = arena.room(for: 1 << 20, of: Int64.self)
    large.initialize(repeating: 1, count: 1 << 20)
  }
}
