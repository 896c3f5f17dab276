import SpindleModel

extension ActiveCall {
  /// The function and the place in it, as a report has it: `load at 6:26`, `the code of 'at' at 9:14`.
  func text(in source: SourceText) -> String {
    let isOfWorld = ["at", "every", "arrivals"].contains(function)
    let function = function.isEmpty ? "code" : isOfWorld ? "the code of '\(function)'" : function
    return "\(function) at \(source.position(of: place))"
  }
}
