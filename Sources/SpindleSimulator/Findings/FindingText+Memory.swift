import SpindleModel

/// The wordings about memory and objects that stay.
extension FindingText {
  /// Something in a cycle of holders.
  enum Holding {
    case array, closure, dictionary
    case instance(String)
    /// An object of a class of the library.
    case object(String)

    var text: FindingStatement {
      switch self {
      case .array: "an array"
      case .closure: "a closure"
      case .dictionary: "a dictionary"
      case .instance(let name): "\(name, .instance)"
      case .object(let name):
        "AEIOU".contains(name.prefix(1)) ? "an \(words: name)" : "a \(words: name)"
      }
    }
  }

  static func memoryPressure(used: ByteCount, size: ByteCount) -> FindingStatement {
    "\(used, .used) are in use and the machine has \(size, .size): paging slows down work"
  }

  static func neverReleased(
    _ steps: [(holder: Holding, field: String?)], isInRunLoop: Bool, others: Int
  ) -> FindingStatement {
    let first: FindingStatement = steps.first?.holder.text ?? ""
    let more: FindingStatement =
      others == 1 ? "1 more cycle like it" : "\(others, .cycles) more cycles like it"
    let rest: FindingStatement = others > 0 ? "; and \(more)" : ""
    if steps.count == 1, steps[0].field == nil {
      return "\(first) retains itself: nothing else retains it, and it is never released\(rest)"
    }
    var text = first
    for (index, step) in steps.enumerated() {
      let next = index + 1 < steps.count ? steps[index + 1].holder.text : first
      text += (index == 0 ? " retains " : ", which retains ") + next
      text += step.field.map { " in \($0, .property)" } ?? ""
    }
    let keeper: FindingStatement =
      isInRunLoop
      ? "nothing else retains them but the run loop, which keeps the timer until it is invalidated"
      : "nothing else retains them"
    return "\(text): \(keeper), and they are never released\(rest)"
  }
}
