import TestSupport
import Testing

@testable import SpindleReports

/// What a report packs is read back by a reader that was written from the RFC alone.
@Suite struct DeflateTests {
  /// Numbers that are the same in each run: a linear congruence of Knuth's.
  private static func noise(_ count: Int, _ limit: UInt64) -> [UInt8] {
    var state: UInt64 = 42
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: (state >> 33) % limit)
    }
  }

  @Test(
    "what is packed comes back",
    arguments: [
      [], [7], Array("abcabcabcabc".utf8), Array(repeating: 0, count: 100_000),
      noise(1_000, 256), noise(200_000, 4), noise(70_000, 200) + noise(70_000, 200),
      Array((0..<300_000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 7) }),
    ])
  func roundTrip(bytes: [UInt8]) throws {
    #expect(try Inflate.gunzip(Deflate.gzip(bytes)) == bytes)
  }

  @Test func repetitionsAndFrequentBytesGetSmall() {
    // 258 bytes a repetition, of a few bits each.
    #expect(Deflate.gzip(Array(repeating: 0, count: 100_000)).count < 250)
    // Of four values two bits each.
    let noise = Deflate.gzip(DeflateTests.noise(100_000, 4))
    #expect(noise.count < 30_000)
  }

  /// Symbols whose frequencies grow as Fibonacci's numbers have the deepest codes: they must be cut to
  /// the limit, and still fill it.
  @Test func codesKeepTheirLimit() {
    var counts = [1, 1]
    while counts.count < 40 { counts.append(counts[counts.count - 1] + counts[counts.count - 2]) }
    let code = HuffmanCode(counts: counts, limit: 15)
    #expect(code.lengths.allSatisfy { (1...15).contains($0) })
    // Kraft's sum: the codes of a whole tree fill it.
    #expect(code.lengths.reduce(0) { $0 + 1 << (15 - Int($1)) } == 1 << 15)
  }

  /// The check value of the CRC, and RFC 4648's own examples.
  @Test func sumsAndLettersAreTheStandards() {
    #expect(CRC32.sum(of: Array("123456789".utf8)) == 0xCBF4_3926)
    for (plain, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foobar", "Zm9vYmFy")] {
      #expect(Base64.text(of: Array(plain.utf8)) == Array(text.utf8))
    }
  }
}
