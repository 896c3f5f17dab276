import SpindleModel

extension ActiveCall {
  /// The function and the place in it, as a report has it: `load at 6:26`.
  func text(in source: SourceText) -> String {
    "\(function.isEmpty ? "code" : function) at \(source.position(of: place))"
  }
}
