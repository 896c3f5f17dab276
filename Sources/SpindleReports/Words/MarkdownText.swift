/// Rows of a table in Markdown.
package enum MarkdownText {
  /// A row of cells.
  package static func row(_ cells: [String]) -> String {
    "| " + cells.map(escaped).joined(separator: " | ") + " |\n"
  }

  private static func escaped(_ cell: String) -> String {
    var text = ""
    for scalar in cell.unicodeScalars {
      switch scalar {
      case "|": text += "\\|"
      case "\n": text += " "
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
