import Testing

@testable import SpindleReports

/// Bytes that the specification of the wire format gives, or that follow from it.
@Suite struct ProtobufBytesTests {
  private func bytes(_ body: (inout ProtobufBytes) -> Void) -> [UInt8] {
    var bytes = ProtobufBytes()
    body(&bytes)
    return bytes.take()
  }

  /// The examples of protobuf.dev/programming-guides/encoding: field 1 is 150, field 2 is "testing".
  @Test func fieldsAreWrittenAsTheGuideHasThem() {
    #expect(bytes { $0.field(1, 150) } == [0x08, 0x96, 0x01])
    #expect(bytes { $0.field(2, "testing") } == [0x12, 0x07] + Array("testing".utf8))
    // A negative number takes all ten bytes: 64 bits, seven at a time.
    #expect(bytes { $0.field(1, signed: -1) } == [0x08] + Array(repeating: 0xFF, count: 9) + [0x01])
    #expect(bytes { $0.field(1, fixed: 0x0102) } == [0x09, 2, 1, 0, 0, 0, 0, 0, 0])
  }

  @Test("a message has its length in front", arguments: [0, 1, 127, 128, 16_383, 16_384, 70_000])
  func messagesHaveTheirLength(size: Int) {
    let text = String(repeating: "x", count: size)
    // A text of so many bytes, written as a field and as the rest of a message without a field of its own.
    let field = bytes { $0.field(3, text) }
    let message = bytes { bytes in
      let outer = bytes.begin(1)
      let inner = bytes.begin(2)
      bytes.field(3, text)
      bytes.end(inner)
      bytes.end(outer)
    }
    let inner = ProtobufBytesTests.length(field.count)
    let outer = ProtobufBytesTests.length(1 + inner.count + field.count)
    #expect(message == [0x0A] + outer + [0x12] + inner + field)
  }

  /// A length as the format has it: seven bits a byte, the least first, all but the last with a 1 above.
  private static func length(_ size: Int) -> [UInt8] {
    size < 128 ? [UInt8(size)] : [UInt8(size % 128 + 128)] + length(size / 128)
  }
}
