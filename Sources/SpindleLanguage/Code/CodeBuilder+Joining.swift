import SpindleModel

/// Joins instructions that busy programs have one after the other: see the end of `Instruction`.
///
/// An interpreter spends more on finding out what the next instruction is than on most of them. No
/// instruction moves, so that places, jumps and handlers stay what they are.
extension CodeBuilder {
  /// Puts instructions that do several at once in the place of the first of what they stand for.
  func joinInstructions() {
    stack.withComplete { code in
      guard let first = code.baseAddress else { return }
      // Behind the last instruction of a program nothing begins that would be joined.
      let last = code.count - 1
      var place = 0
      while place < last {
        let here = first + place
        place += 1
        switch here.pointee {
        case .constant(let value, let to):
          if let joined = CodeBuilder.joined(value, to, here[1]) { here.pointee = joined }
        case .increment(let counter):
          guard case .jump(let head) = here[1],
            case .jumpUnlessLess(counter, let limit, _) = first[Int(head)]
          else { continue }
          here.pointee = .nextRound(counter, limit, head)
        case .loadGlobal(let base, let global):
          guard place + 4 <= last, let joined = CodeBuilder.submission(base, global, here) else {
            continue
          }
          here.pointee = joined
          // Nothing else begins in what it stands for.
          place += 5
        default: continue
        }
      }
    }
  }

  /// A constant, joined with what makes use of it.
  @inline(__always)
  private static func joined(_ value: Int64, _ to: Register, _ next: Instruction) -> Instruction? {
    switch next {
    case .perform(.doing(.work), to, _): .workConstant(value, at: to)
    case .draw(to, _, 1, .exponential): .drawConstant(value, at: to)
    default: nil
    }
  }

  /// The handing over of an item that begins at `here`; nil when something else does.
  @inline(__always)
  private static func submission(
    _ base: Register, _ global: GlobalID, _ here: UnsafePointer<Instruction>
  ) -> Instruction? {
    guard case .constant(_, base.advanced(by: 1)) = here[1],
      case .constant(_, base.advanced(by: 2)) = here[2],
      case .constant(noValue, base.advanced(by: 3)) = here[3],
      case .closure(base.advanced(by: 4), let block, let captured) = here[4],
      case .perform(.executor(.async), base, _) = here[5]
    else { return nil }
    return .submit(global, block, base: captured)
  }
}

extension Register {
  /// The register `offset` places behind.
  fileprivate func advanced(by offset: Int) -> Register { Register(Int(index) + offset) }
}
