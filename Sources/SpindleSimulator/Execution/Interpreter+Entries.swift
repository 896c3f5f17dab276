import SpindleModel

/// Dictionaries and sets.
extension Interpreter {
  mutating func useEntries(
    _ instruction: Instruction, _ registers: UnsafeMutablePointer<Int64>, _ thread: ThreadID,
    _ counter: Int
  ) -> Bool {
    switch instruction {
    case .entryGet(let to, let dictionary, let key):
      let number = registers[dictionary]
      let position = process.entryKeys[number]?.position(of: registers[key])
      registers[to] = position.map { process.arrays[Int(number)][$0] } ?? noValue
    case .entrySet(let dictionary, let key, let value):
      process.setEntry(registers[key], to: registers[value], of: registers[dictionary])
      return fits(thread, counter)
    case .entryRemove(let to, let dictionary, let key):
      let number = registers[dictionary]
      let position = process.entryKeys[number]?.remove(registers[key])
      registers[to] = position.map { process.arrays[Int(number)].remove(at: $0) } ?? noValue
    case .entryKeys(let to, let dictionary):
      registers[to] = process.keep(process.entryKeys[registers[dictionary]]?.inOrder ?? [])
      return fits(thread, counter)
    default: fatalError("\(instruction) is done elsewhere")
    }
    return true
  }
}
