import SpindleModel

/// Texts by their numbers.
extension Kernel {
  /// The number of a text, which counts when it is new.
  func intern(_ text: String) -> NameID {
    let known = names.count
    let name = names.intern(text)
    assert(names.count - known <= 1, "one text became \(names.count - known) names")
    if names.count > known { noteText(of: text.utf8.count) }
    return name
  }

  /// The number of the text with these bytes, which counts when it is new.
  func intern(_ utf8: UnsafeBufferPointer<UInt8>) -> NameID {
    let known = names.count
    let name = names.intern(utf8)
    assert(names.count - known <= 1, "one text became \(names.count - known) names")
    if names.count > known { noteText(of: utf8.count) }
    return name
  }

  /// Counts a new text: its bytes twice, since what holds them doubles, and what metrics keep for a name.
  @inline(never)
  private func noteText(of length: Int) {
    storage.take(.texts, Kernel.storage(ofText: length))
  }

  /// How many bytes a new text of so many comes to.
  static func storage(ofText length: Int) -> Int { 2 * length + 64 }
}
