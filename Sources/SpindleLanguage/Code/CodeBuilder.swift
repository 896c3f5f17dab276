import SpindleModel

/// The code of a program while it is made: its blocks with their instructions, its sites, its names and
/// its kinds of work.
///
/// It knows no text and no types. The emitter says what comes next, and gets registers, labels and numbers
/// for it.
final class CodeBuilder {
  private(set) var blocks: [Block] = []
  private var sites: [Site] = []
  /// The texts of the program, by number.
  private(set) var names: [String] = []
  /// The kinds of work, by number.
  private(set) var kinds: [WorkKind] = []
  /// What is sampled, each once, in the order of the text.
  private(set) var samples: [SampleUse] = []

  /// A key of `sample`, with a `*` for what is known during the run only, and what its values are.
  struct SampleUse: Equatable {
    var key: String
    var format: ValueFormat
  }

  /// Whether work of some kind has names of which nothing is known before the run.
  private(set) var hasAnyName = false
  /// The blocks that are being made, outermost first; behind them, some whose storage is used again.
  private let frames: FrameStack
  /// The innermost one.
  @exclusivity(unchecked) private var current: UnsafeMutablePointer<Frame>
  /// How many blocks are around it; -1 when there is none.
  private(set) var depth = -1
  /// How many bytes the text has.
  private let length: Int
  /// The name of blocks that are closures.
  let closureName: NameID
  /// What the registers of blocks hold, by the number of the block.
  private var heldBy: [Int: [OwnedRegister]] = [:]
  /// The number in the program of each of these texts.
  private var nameOfText: [String: Int32] = [:]
  /// The kind of work whose pattern is the name with this number, or -1.
  private var kindOfName: [Int32] = []
  /// The kinds of nameless work, by what they are called without a number, with the places they belong to.
  private var nameless: [String: [(place: SourceRange, kind: Int64)]] = [:]

  /// Creates the code of a text of `length` bytes, which begins with the names that all programs know.
  init(length: Int, known: [String]) {
    self.length = length
    frames = Self.frames(of: length)
    current = frames[0]
    closureName = NameID(known.count)
    for name in known { _ = intern(name) }
    _ = intern("closure")
    reserve()
  }

  /// As much as a generated trace needs; memory that is not written to costs nothing.
  private static func frames(of length: Int) -> FrameStack { FrameStack(expecting: length / 10) }

  private func reserve() {
    blocks.reserveCapacity(length / 32)
    sites.reserveCapacity(length / 16)
  }

  /// Creates code that begins as another one did, which has names and kinds of work and no block yet.
  init(like other: CodeBuilder) {
    demand(other.blocks.isEmpty && other.depth < 0, "the code has no block yet")
    length = other.length
    frames = Self.frames(of: length)
    current = frames[0]
    closureName = other.closureName
    (names, nameOfText) = (other.names, other.nameOfText)
    (kinds, kindOfName, nameless) = (other.kinds, other.kindOfName, other.nameless)
    (samples, hasAnyName) = (other.samples, other.hasAnyName)
    sites = other.sites
    reserve()
  }

  /// The block that is being made.
  @inline(__always)
  var frame: Frame {
    @inline(__always) _read { yield current.pointee }
    @inline(__always) _modify { yield &current.pointee }
  }

  /// The instructions of all blocks.
  var stack: CodeStack { frames.code }

  // MARK: Names and kinds

  /// The number of a text.
  func intern(_ text: String) -> NameID {
    if let known = nameOfText[text] { return NameID(Int(known)) }
    let name = NameID(names.count)
    nameOfText[text] = name.index
    names.append(text)
    return name
  }

  /// The kind of work whose items are named like `pattern`.
  func kind(pattern: NameID) -> Int64 {
    let index = Int(pattern.index)
    if index >= kindOfName.count {
      let missing = max(names.count, index + 1) - kindOfName.count
      kindOfName.append(contentsOf: repeatElement(-1, count: missing))
    }
    if kindOfName[index] >= 0 { return Int64(kindOfName[index]) }
    kindOfName[index] = Int32(kinds.count)
    kinds.append(WorkKind(pattern: names[index], isNamed: true))
    return Int64(kindOfName[index])
  }

  /// A kind of its own for the work that `submitter` takes at one place and that has no name, or any: `main.async:4`
  /// by its line, the second of one line `main.async:4#2`.
  ///
  /// Code may be made of one place more than once: for each class that takes a method over, and to find a type out.
  func kind(
    of submitter: String, line: Int, at place: SourceRange, isNamed: Bool
  ) -> Int64 {
    let called = "\(submitter):\(line)"
    let known = nameless[called, default: []]
    if let same = known.first(where: { $0.place == place }) { return same.kind }
    let pattern = known.isEmpty ? called : "\(called)#\(known.count + 1)"
    kinds.append(WorkKind(pattern: pattern, isNamed: isNamed))
    nameless[called, default: []].append((place, Int64(kinds.count - 1)))
    if isNamed { hasAnyName = true }
    return Int64(kinds.count - 1)
  }

  /// How the work of a call is called that is written `owner.submitter`: by the first of its lines where that is short.
  static func submitter(_ submitter: String, of owner: String) -> String {
    var text = owner
    if text.hasPrefix("DispatchQueue.") { text.removeFirst("DispatchQueue.".count) }
    let firstLine = text.prefix { $0 != "\n" }
    if firstLine.count < text.count || text.count > 40 { text = firstLine.prefix(24) + "…" }
    return "\(text).\(submitter)"
  }

  // MARK: Blocks

  /// A block that will be made.
  func reserveBlock() -> BlockID {
    blocks.append(
      Block(entry: 0, end: 0, registerCount: 0, captureCount: 0, parameterCount: 0, name: .none))
    return BlockID(blocks.count - 1)
  }

  /// Begins a block within the present one.
  func beginFrame(name: NameID) {
    depth += 1
    current = frames[depth]
    frame.reset(name: name)
  }

  /// Ends the present block, puts it into the program, and goes back to the one around it.
  func endFrame(_ block: BlockID, _ place: SourceRange) {
    demand(depth >= 0 && blocks[Int(block.index)].end == 0, "a block ends once, after it has begun")
    frame.emit(.finish, place)
    let (high, captureCount) = (frame.high, frame.captures.count)
    let counterBase = captureCount + high + frame.pinnedCount
    let code = frame.code
    let entry = Int32(code.position)
    if !frame.owned.isEmpty {
      heldBy[Int(block.index)] = hold(frame.owned, captureCount, high, place)
    }
    for (index, site) in frame.countedSites.enumerated() {
      sites[Int(site.index)].counter = Int32(counterBase + index)
      let counter = Register(counterBase + index)
      code.insert(.constant(0, to: counter), place)
    }
    let offset = Int32(code.position)
    let isFinal =
      captureCount == 0 && frame.pinnedCount == 0 && frame.labels.isEmpty && frame.handlers.isEmpty
    let relocation =
      isFinal
      ? nil
      : Relocation(captureCount: captureCount, high: high, offset: offset, labels: frame.labels)
    code.complete(relocation)
    let end = Int32(code.position)
    blocks[Int(block.index)] = Block(
      entry: entry, end: end,
      registerCount: Int32(counterBase + frame.countedSites.count),
      captureCount: Int32(captureCount), parameterCount: Int32(frame.parameterCount),
      usesKey: frame.salt > 0, isAsync: frame.asynchrony.suspending == .yes,
      handlers: relocation.map { frame.handlers.map($0.final) } ?? [], name: frame.name
    )
    abandonFrame()
  }

  /// The registers that hold what they have, captured ones first; the others hold nothing at first.
  private func hold(
    _ owned: [OwnedRegister], _ captureCount: Int, _ high: Int, _ place: SourceRange
  ) -> [OwnedRegister] {
    let relocation = Relocation(captureCount: captureCount, high: high, offset: 0, labels: [])
    let final = owned.map { OwnedRegister(register: relocation($0.register), kind: $0.kind) }
    for each in final where each.register.index >= captureCount {
      frame.code.insert(.constant(noValue, to: each.register), place)
    }
    let captured = final.filter { $0.register.index < captureCount }
    return captured + final.filter { $0.register.index >= captureCount }
  }

  /// Leaves the present block without putting it into the program.
  func abandonFrame() {
    demand(depth >= 0, "a block is left that was entered")
    frame.code.removeAll()
    depth -= 1
    if depth >= 0 { current = frames[depth] }
  }

  /// The register in the present block of a value that the frame at depth `owner` has in `register`,
  /// and that captures know by the number `index`; the block captures it where it must.
  func register(of index: Int32, in register: Register, ofFrame owner: Int) -> Register {
    if owner == depth { return register }
    if let captured = frame.captureIndex[index] {
      return Register(Frame.captureBase + Int(captured))
    }
    let ordinal = frame.captures.count
    frame.captures.append(index)
    frame.captureIndex[index] = Int32(ordinal)
    return Register(Frame.captureBase + ordinal)
  }

  /// A site at this place of the present block.
  func site() -> SiteID {
    frame.salt += 1
    let site = SiteID(sites.count)
    sites.append(Site(salt: frame.salt, counter: -1))
    if frame.loopDepth > 0 { frame.countedSites.append(site) }
    return site
  }

  func noteSample(_ use: SampleUse) {
    if !samples.contains(use) { samples.append(use) }
  }

  // MARK: The whole

  /// Whether a complete block does something anywhere; looks through all of them.
  func performs(_ primitive: Primitive) -> Bool {
    stack.withComplete { instructions in
      instructions.contains { instruction in
        if case .perform(primitive, _, _) = instruction { return true }
        return false
      }
    }
  }

  /// Hands all over to `program`, and has nothing any more.
  func finish(into program: inout Program) {
    demand(depth == -1, "all blocks have ended")
    if !program.classes.isEmpty || !heldBy.isEmpty {
      program.owned = blocks.indices.map { heldBy[$0] ?? [] }
    }
    swap(&program.blocks, &blocks)
    swap(&program.sites, &sites)
    swap(&program.names, &names)
    swap(&program.kinds, &kinds)
    (program.instructions, program.places) = stack.take()
  }
}

/// No site: for what neither creates nor draws nor calls.
let noSite = SiteID(-1)
