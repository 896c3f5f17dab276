/// What is said of `a[i ..< j]`: a trace has no slices, and what they come to is written with `dropFirst` and `prefix`.
enum SliceMessage {
  /// About a slice of `base`, of whose ends one may not be written.
  static func text(_ base: String, from: String?, to: String?, isClosed: Bool) -> String {
    // What is long is not written twice.
    let texts = [base, from ?? "", to ?? ""]
    let isShort = texts.allSatisfy { $0.utf8.count <= 30 && !$0.utf8.contains(UInt8(ascii: "\n")) }
    let (base, from, to) =
      isShort ? (base, from, to) : ("a", from.map { _ in "i" }, to.map { _ in "j" })
    let end = to.map { isClosed ? Int($0).map { "\($0 + 1)" } ?? "\(enclosed($0)) + 1" : $0 }
    var whole = base
    if let from, from != "0" { whole += ".dropFirst(\(from))" }
    if let end {
      let count: String
      if let from, from != "0" {
        if let first = Int(from), let last = Int(end) {
          count = "\(last - first)"
        } else {
          let start = enclosed(from)
          count =
            isClosed && to.flatMap { Int($0) } == nil
            ? "\(to ?? "") - \(start) + 1" : "\(end) - \(start)"
        }
      } else {
        count = end
      }
      whole += ".prefix(\(count))"
    }
    return "an array has no slices here; write 'Array(\(whole))'"
  }

  /// About `a[i ..< j] = b`.
  static func assigned(_ base: String) -> String {
    let name = base.utf8.count <= 30 ? base : "a"
    return
      "an array has no slices here; write '\(name) = Array(\(name).prefix(i) + b + \(name).dropFirst(j))'"
  }

  /// A part of a sum, in brackets where it is more than a name or a number.
  private static func enclosed(_ text: String) -> String {
    text.utf8.allSatisfy { $0.isWordPart || $0 == UInt8(ascii: ".") } ? text : "(\(text))"
  }
}
