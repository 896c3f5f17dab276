/// Makes a program that differs smaller.
enum Shrinking {
  /// A smaller program that `differs` too: no statement of it can be left out.
  static func shrunk(
    _ program: SmallProgram, while differs: (SmallProgram) -> Bool
  ) -> SmallProgram {
    var best = program
    var goesOn = true
    while goesOn {
      goesOn = false
      for smaller in simpler(best) where differs(smaller) {
        best = smaller
        goesOn = true
        break
      }
    }
    return best
  }

  /// The programs that are one step smaller, those without most first.
  static func simpler(_ program: SmallProgram) -> [SmallProgram] {
    var found: [SmallProgram] = []
    for index in program.world.indices {
      for body in simpler(program.world[index].body) {
        var copy = program
        copy.world[index].body = body
        found.append(copy)
      }
      if program.world[index].body.isEmpty {
        var copy = program
        copy.world.remove(at: index)
        found.append(copy)
      }
    }
    for body in simpler(program.main) {
      var copy = program
      copy.main = body
      found.append(copy)
    }
    for index in program.threads.indices {
      for body in simpler(program.threads[index].body) {
        var copy = program
        copy.threads[index].body = body
        found.append(copy)
      }
    }
    if program.machine.cores > 1 {
      var copy = program
      copy.machine.cores -= 1
      found.append(copy)
    }
    return found
  }

  /// The bodies without one statement, or with less in it.
  static func simpler(_ body: [SmallStatement]) -> [[SmallStatement]] {
    var found: [[SmallStatement]] = []
    for index in body.indices {
      var copy = body
      copy.remove(at: index)
      if !RandomPrograms.Feature.splitWork && splitsWork(copy) { continue }
      found.append(copy)
    }
    for index in body.indices {
      for children in simpler(body[index].children) {
        var copy = body
        copy[index].children = children
        found.append(copy)
      }
    }
    return found
  }

  private static func splitsWork(_ body: [SmallStatement]) -> Bool {
    zip(body, body.dropFirst()).contains { pair in
      if case (.work, .work) = pair { true } else { false }
    }
  }
}
