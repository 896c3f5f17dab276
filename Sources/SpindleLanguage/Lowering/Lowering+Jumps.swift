import SpindleModel

/// `break`, `continue` and `fallthrough`.
extension Lowering {
  mutating func lowerBreak(_ label: Word?, _ range: SourceRange) {
    guard let loop = reachable("break", label, range) else { return }
    leave(.breakLoop(loop), range)
  }

  mutating func lowerContinue(_ label: Word?, _ range: SourceRange) {
    guard let loop = reachable("continue", label, range) else { return }
    leave(.continueLoop(loop), range)
  }

  /// What a `break` or `continue` means, by its place in the frame's list; reports that it means nothing.
  private mutating func reachable(_ word: String, _ label: Word?, _ range: SourceRange) -> Int? {
    let outside = frame.innermost
    let isBreak = word == "break"
    var index = frame.loops.count
    while index > outside.loops {
      index -= 1
      let loop = frame.loops[index]
      if let label {
        guard loop.label == label else { continue }
        if !isBreak && !loop.isLoop {
          error(Messages.continueOfNoLoop(label.text), range)
          return nil
        }
        return index
      }
      if isBreak ? loop.endsBreak : loop.isLoop { return index }
    }
    if let label {
      error(Messages.unknownLabel(label.text), range)
    } else {
      let leavesDefer = outside.isDefer && !frame.loops.isEmpty
      error(leavesDefer ? Messages.leavesDefer(word) : Messages.outsideLoop(word), range)
    }
    return nil
  }

  /// Goes on with the body of the next case.
  mutating func lowerFallthrough(_ range: SourceRange) {
    guard frame.loops.count > frame.innermost.loops, let last = frame.loops.last, !last.isLoop
    else {
      return error(Messages.outsideSwitch, range)
    }
    guard let next = last.following else { return error(Messages.noFollowingCase, range) }
    guard frame.cleanups.count == last.cleanups else {
      return error(Messages.leavesDefer("fallthrough"), range)
    }
    frame.loops[frame.loops.count - 1].fallsThrough = true
    release(downTo: last.lives, range)
    frame.jump(next, range)
  }

  /// `outer: for … { }`.
  mutating func lowerLabelled(_ labelled: Statement.Labelled) {
    let statement = labelled.statement
    switch statement.kind {
    case .forIn, .while, .repeatWhile, .switch:
      pendingLabel = labelled.label.word
      lower(statement)
      pendingLabel = nil
    default:
      let exit = frame.label()
      frame.loops.append(
        Frame.Loop(
          exit: exit, next: exit, cleanups: frame.cleanups.count, label: labelled.label.word,
          isLoop: false, endsBreak: false, lives: lifeMark))
      lower(statement)
      frame.loops.removeLast()
      frame.mark(exit)
    }
  }
}
