/// What a thread does, with repetition as loops.
struct FoldedOperation: Hashable, Sendable {
  /// What it is.
  enum Kind: Hashable, Sendable {
    case operation(ThreadOperation.Kind, target: Int32)
    /// This many rounds of others.
    case loop(count: Int, [FoldedOperation])
  }

  var kind: Kind
  /// Its lengths: one for each time that it is done in the rounds around it, in their order.
  var lengths: [Int64]

  /// Operations as they are.
  static func plain(_ operations: [ThreadOperation]) -> [FoldedOperation] {
    operations.map {
      FoldedOperation(kind: .operation($0.kind, target: $0.target), lengths: [$0.length])
    }
  }

  /// What a thread does, folded as far as that makes it shorter.
  ///
  /// All lengths are kept: only operations are compared, not their lengths.
  static func folded(_ operations: [ThreadOperation]) -> [FoldedOperation] {
    // Short rounds first: they are within the longer ones.
    [2, 48, 48].reduce(plain(operations)) { Folding($0, longest: $1).result }
  }

  /// Takes the lengths of another round behind its own.
  mutating func join(_ other: FoldedOperation) {
    lengths += other.lengths
    guard case .loop(let count, var body) = kind, case .loop(_, let more) = other.kind else {
      return
    }
    for index in body.indices { body[index].join(more[index]) }
    kind = .loop(count: count, body)
  }

  /// How many operations are written for it.
  var size: Int {
    switch kind {
    case .operation: 1
    case .loop(_, let body): body.reduce(0) { $0 + $1.size }
    }
  }

  /// Its identity without its lengths.
  fileprivate var shape: Shape {
    switch kind {
    case .operation(let kind, let target): Shape(kind: kind, target: target, rounds: 0, body: [])
    case .loop(let count, let body):
      Shape(kind: .work, target: -1, rounds: count, body: body.map(\.shape))
    }
  }
}

/// What an operation is, without how long it takes.
private struct Shape: Hashable {
  var kind: ThreadOperation.Kind
  var target: Int32
  var rounds: Int
  var body: [Shape]
}

/// One pass over a list that puts what repeats into loops.
private struct Folding {
  /// The longest round that is looked for; where it is short, a round has to come three times.
  private let longest: Int
  private let list: [FoldedOperation]
  private let shapes: [Int]
  private(set) var result: [FoldedOperation] = []

  init(_ list: [FoldedOperation], longest: Int) {
    (self.list, self.longest) = (list, longest)
    var numbers: [Shape: Int] = [:]
    shapes = list.map { operation in
      let shape = operation.shape
      if let number = numbers[shape] { return number }
      numbers[shape] = numbers.count
      return numbers.count - 1
    }
    fold()
  }

  private mutating func fold() {
    // By length of a round: up to which place the list repeats itself at that distance.
    var ends = Array(repeating: 0, count: longest + 1)
    var index = 0
    while index < list.count {
      var best = (gain: 0, round: 0, count: 0)
      for round in 1...longest where index + 2 * round <= list.count {
        if ends[round] < index + round {
          var end = index + round
          while end < list.count, shapes[end] == shapes[end - round] { end += 1 }
          ends[round] = end
        }
        let count = (ends[round] - index) / round
        // Two rounds of one or two things are read more easily as they are.
        guard count >= (round < 3 || longest < 8 ? 3 : 2) else { continue }
        let gain = (count - 1) * round
        if gain > best.gain { best = (gain, round, count) }
      }
      if best.gain > 0 {
        result.append(loop(index, best.round, best.count))
        index += best.round * best.count
      } else {
        result.append(list[index])
        index += 1
      }
    }
  }

  private func loop(_ start: Int, _ round: Int, _ count: Int) -> FoldedOperation {
    var body = Array(list[start..<start + round])
    for turn in 1..<count {
      for place in body.indices { body[place].join(list[start + turn * round + place]) }
    }
    return FoldedOperation(kind: .loop(count: count, body), lengths: [])
  }
}
