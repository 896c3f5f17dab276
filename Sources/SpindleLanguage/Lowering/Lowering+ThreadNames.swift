import SpindleModel

/// `threadNames("1403", "3307")`: what the pool's threads are called, in order of creation.
extension Lowering {
  mutating func lowerThreadNames(_ call: CallSite) {
    if call.arguments.isEmpty || !call.closures.isEmpty {
      error(Messages.threadNames, call.range)
    }
    for argument in call.arguments {
      guard argument.label == nil, case .text(let text) = argument.value.kind else {
        error(Messages.threadNames, argument.value.range)
        continue
      }
      program.threadNames.append(intern(text))
    }
  }
}
