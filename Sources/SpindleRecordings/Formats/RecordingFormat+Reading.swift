extension RecordingFormat {
  /// How many bytes at the start are examined.
  private static let lookedAt = 1 << 18

  /// The format of a recording; throws what it is instead, where that is known.
  package static func of(_ bytes: any RecordingBytes) throws -> RecordingFormat {
    let start = try bytes.read(at: 0, count: lookedAt)
    if start.isEmpty { throw RecordingMistake(.whole, "the recording is empty") }
    if let refusal = refusal(of: start) { throw RecordingMistake(.whole, refusal) }
    if start.starts(with: "<!doctype html".utf8, by: sameLetter)
      || start.starts(with: "<html".utf8, by: sameLetter)
    {
      return .systrace
    }
    if let json = start.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }),
      json == UInt8(ascii: "{")
    {
      return .rtApp
    }
    if InstrumentsTable.isMarkup(start) { return try InstrumentsTable.format(of: bytes) }
    if let text = textFormat(start) { return text }
    if isPerfetto(start, of: bytes.count) { return .perfetto }
    if start.contains(0) {
      throw RecordingMistake(.byte(0), "this is not a readable recording")
    }
    throw RecordingMistake(
      .line(1), "no event of a recording is in the first \(start.count) bytes")
  }

  /// Throws where no recording begins like this, whatever follows: at least 256 KB of it, unless it ends
  /// sooner.
  package static func check(start: [UInt8]) throws {
    // The rest decides these: a table may begin later, and a first packet be larger.
    if InstrumentsTable.isMarkup(start) || start.first == 0x0A { return }
    _ = try of(RecordingInMemory(start))
  }

  /// The message about formats that other tools have to convert to text first.
  private static func refusal(of start: [UInt8]) -> String? {
    let known: [(magic: [UInt8], advice: String)] = [
      ([0x1F, 0x8B], "it is compressed: unpack it with 'gunzip' first"),
      ([0x28, 0xB5, 0x2F, 0xFD], "it is compressed: unpack it with 'zstd -d' first"),
      ([0x50, 0x4B, 3, 4], "it is an archive: unpack it with 'unzip' first"),
      (Array("PERFILE2".utf8), "it is perf's own file: print it with 'perf script --ns' first"),
      (
        [0x17, 0x08, 0x44] + Array("tracing".utf8),
        "it is trace-cmd's own file: print it with "
          + "'trace-cmd report' first"
      ),
      ([0xC1, 0xFC, 0x1F, 0xC1], "it is a stream of CTF: print it with 'babeltrace2' first"),
      ([0xC1, 0x1F, 0xFC, 0xC1], "it is a stream of CTF: print it with 'babeltrace2' first"),
    ]
    if let advice = known.first(where: { start.starts(with: $0.magic) })?.advice { return advice }
    // What 'atrace -z' prints: a word or two, the title and then bytes.
    if start.first == UInt8(ascii: "<") { return nil }
    for line in start.prefix(1_024).indices where start[line...].starts(with: "TRACE:\n".utf8) {
      return KernelText.isCompressed(start[(line + 7)...]) ? KernelText.compressed : nil
    }
    return nil
  }

  /// Whether the first packet is one, and either another follows or the recording ends.
  private static func isPerfetto(_ start: [UInt8], of count: Int) -> Bool {
    start.withUnsafeBufferPointer { bytes in
      var position = 1
      guard bytes.first == 0x0A,
        let length = ProtobufFields.number(bytes, &position, bytes.count), length < 1 << 28
      else { return false }
      let end = position + Int(length)
      var fields = ProtobufFields(bytes, position..<min(end, bytes.count))
      guard fields.next() != nil || length == 0 else { return false }
      if end < bytes.count { return bytes[end] == 0x0A }
      return end == count || bytes.contains(0)
    }
  }

  /// The format of the first line that is an event of one.
  private static func textFormat(_ start: [UInt8]) -> RecordingFormat? {
    start.withUnsafeBufferPointer { bytes in
      for line in bytes.split(separator: 0x0A) {
        let line = UnsafeBufferPointer(rebasing: line)
        if KernelText.isEvent(line) { return .kernelText }
        if BabeltraceLine(KernelText.trimmed(line)) != nil { return .babeltrace }
      }
      return nil
    }
  }

  private static func sameLetter(_ one: UInt8, _ other: UInt8) -> Bool {
    let one = one >= 0x41 && one <= 0x5A ? one + 0x20 : one
    return one == other
  }
}

extension RecordingFormat {
  /// Reads a recording from its start to its end, in the order of time as far as it has one.
  package func read(
    _ bytes: any RecordingBytes, into receiver: inout some RecordingReceiver
  ) throws {
    switch self {
    case .kernelText: try KernelTextReader.read(bytes, isPage: false, into: &receiver)
    case .systrace: try KernelTextReader.read(bytes, isPage: true, into: &receiver)
    case .perfetto: try PerfettoReader.read(bytes, into: &receiver)
    case .babeltrace: try BabeltraceReader.read(bytes, into: &receiver)
    case .instruments: try ThreadStateTable.read(bytes, into: &receiver)
    case .swiftTasks, .runLoops:
      throw RecordingMistake(
        .whole,
        "\(name) says nothing of cores, so that nothing can be held beside its simulation: "
          + "'spindle import' makes a trace of it")
    case .rtApp:
      // Throws a mistake where it is not a workload.
      _ = try RTAppTrace.text(bytes, recording: "")
      throw RecordingMistake(
        .whole,
        "a workload says what threads are to do, and not what they did: 'spindle import' makes "
          + "a trace of it")
    }
  }
}
