/// What an HTML report carries, read out of the page as a browser does.
public struct ReportData {
  /// The head, in JSON.
  public let head: String
  /// The columns of the first run, by name.
  public private(set) var columns: [String: [Int64]] = [:]

  /// What is wrong with a page.
  public struct Failure: Error {
    /// What.
    public let message: String
  }

  /// The data of a page; throws where there is none or it can't be read.
  public init(page: String) throws {
    let mark = "<script type=\"application/octet-stream\" id=\"data\">"
    guard let start = page.range(of: mark), let end = page[start.upperBound...].range(of: "</")
    else { throw Failure(message: "no data") }
    let packed = ReportData.base64(page[start.upperBound..<end.lowerBound].utf8)
    let bytes = try Inflate.gunzip(packed)
    let size = (0..<4).reduce(0) { $0 | Int(bytes[$1]) << (8 * $1) }
    head = String(decoding: bytes[4..<(4 + size)], as: UTF8.self)
    var place = 4 + size
    for (name, form, count) in ReportData.list(head) {
      var (values, last) = ([Int64](), Int64(0))
      for _ in 0..<count {
        if form == "b" {
          values.append(Int64(bytes[place]))
          place += 1
          continue
        }
        var (number, shift) = (UInt64(0), UInt64(0))
        while bytes[place] > 127 {
          number |= UInt64(bytes[place] & 127) << shift
          shift += 7
          place += 1
        }
        number |= UInt64(bytes[place]) << shift
        place += 1
        let signed = Int64(number >> 1) ^ -Int64(number & 1)
        if form == "d" || form == "k" { last += signed }
        values.append(form == "t" ? Int64(number) : form == "d" || form == "k" ? last : signed)
      }
      columns[name] = values
    }
  }

  /// The columns that the head of the first run lists.
  private static func list(_ head: String) -> [(name: String, form: String, count: Int)] {
    guard let start = head.range(of: "\"columns\": [") else { return [] }
    var found: [(name: String, form: String, count: Int)] = []
    for part in head[start.upperBound...].split(separator: "[") {
      let words = part.split { $0 == "," || $0 == "\n" || $0 == " " || $0 == "]" }
      guard words.count >= 3, let count = Int(words[2]) else { continue }
      found.append(
        (String(words[0].dropFirst().dropLast()), String(words[1].dropFirst().dropLast()), count))
      // Behind the last one the list is closed.
      if part.split(separator: "]", omittingEmptySubsequences: false).count > 2 { break }
    }
    return found
  }

  private static func base64(_ text: some Sequence<UInt8>) -> [UInt8] {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var values = [Int](repeating: -1, count: 256)
    for (value, letter) in letters.enumerated() { values[Int(letter)] = value }
    var (bytes, word, bits) = ([UInt8](), 0, 0)
    for letter in text where values[Int(letter)] >= 0 {
      word = word << 6 | values[Int(letter)]
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(word >> bits & 255))
        word &= (1 << bits) - 1
      }
    }
    return bytes
  }
}

extension StringProtocol {
  /// Where a text stands first; nil for nowhere.
  fileprivate func range(of text: String) -> Range<Index>? {
    let (whole, wanted) = (utf8, Array(text.utf8))
    var start = whole.startIndex
    while let found = whole[start...].firstIndex(of: wanted[0]) {
      if whole[found...].starts(with: wanted) {
        return found..<whole.index(found, offsetBy: wanted.count)
      }
      start = whole.index(after: found)
    }
    return nil
  }
}
