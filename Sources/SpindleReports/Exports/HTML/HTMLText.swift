/// A growing text in HTML; what comes from a trace goes through `escaped`.
struct HTMLText {
  /// What has been written.
  private(set) var text = ""

  /// Appends markup.
  mutating func add(_ markup: String) { text += markup }

  /// Appends an element with a text in it.
  mutating func add(_ element: String, _ content: String, class name: String = "") {
    let attribute = name.isEmpty ? "" : " class=\"\(name)\""
    text += "<\(element)\(attribute)>\(HTMLText.escaped(content))</\(element)>"
  }

  /// A text escaped for use between tags or in quotes; control characters become their pictures.
  static func escaped(_ text: String) -> String {
    XMLText.escaped(text) { scalar in
      switch scalar {
      case "\0"..<" ": Unicode.Scalar(0x2400 + scalar.value) ?? " "
      case "\u{7F}": "\u{2421}"
      default: scalar
      }
    }
  }
}
