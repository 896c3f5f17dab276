/// One way to damage one line of a log.
enum LogDamage: String, CaseIterable {
  case removed, doubled, swapped, later, otherCore, otherSubject, otherQuantity, otherName, lessSaid

  /// The log with line `index` damaged; nil where that damage can't be done to it, or changes nothing.
  func damage(_ lines: [String], at index: Int) -> [String]? {
    var damaged = lines
    switch self {
    case .removed: damaged.remove(at: index)
    case .doubled: damaged.insert(lines[index], at: index)
    case .swapped:
      guard index + 1 < lines.count, !lines[index + 1].hasPrefix("#") else { return nil }
      damaged.swapAt(index, index + 1)
    default:
      guard let line = change(lines[index]) else { return nil }
      damaged[index] = line
    }
    return damaged == lines ? nil : damaged
  }

  private func change(_ line: String) -> String? {
    var bytes = Array(line.utf8)
    switch self {
    case .later:
      // 1 ns more, 1 us, 1 ms, whatever the unit makes of another last digit.
      guard let digit = bytes[..<16].lastIndex(where: { $0 >= 0x30 && $0 <= 0x39 }) else {
        return nil
      }
      bytes[digit] = bytes[digit] == 0x39 ? 0x38 : bytes[digit] + 1
    case .otherCore:
      guard bytes[19] != 0x20 else { return nil }
      bytes[19] = bytes[19] == 0x30 ? 0x31 : 0x30
    case .otherSubject:
      guard bytes[22] != 0x22 else { return nil }
      bytes[22] = bytes[22] == 0x78 ? 0x79 : 0x78
    case .otherQuantity:
      guard
        let digit = bytes.indices.last(where: {
          $0 > 38 && bytes[$0] >= 0x30 && bytes[$0] <= 0x39 && bytes[$0 - 1] == 0x20
        })
      else { return nil }
      bytes[digit] = bytes[digit] == 0x39 ? 0x38 : bytes[digit] + 1
    case .otherName:
      guard let quote = bytes[38...].firstIndex(of: 0x22), bytes[quote + 1] != 0x5C else {
        return nil
      }
      if bytes[quote + 1] == 0x22 { return nil }
      bytes[quote + 1] = bytes[quote + 1] == 0x78 ? 0x79 : 0x78
    case .lessSaid:
      guard let comma = bytes.lastIndex(of: 0x2C), comma > 38 else { return nil }
      bytes.removeSubrange(comma...)
    case .removed, .doubled, .swapped: return nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
