/// A member or an argument of Apple's interfaces that a trace has not, and what it has instead.
enum ForeignMember {
  /// What to say of a member of objects; nil for a name that means nothing.
  static func member(_ name: String, of owner: String) -> String? {
    guard let instead = members["\(owner).\(name)"] else { return nil }
    return "a trace has no '\(name)' of \(owner); \(instead)"
  }

  /// What to say of an argument of a function; nil for one that means nothing.
  static func argument(_ label: String, of name: String) -> String? {
    guard let instead = arguments["\(name).\(label)"] else { return nil }
    return "a trace has no '\(label):' of '\(name)'; \(instead)"
  }

  private static let members = [
    "Operation.executionBlocks": "count the blocks where they are added"
  ]

  private static let arguments = [
    "resume.with":
      "take the result apart: 'case .success(let x): c.resume(returning: x)', "
      + "'case .failure(let e): c.resume(throwing: e)'",
    "print.to": "it prints to the output of the trace: put the text together, and record(…) it",
  ]
}
