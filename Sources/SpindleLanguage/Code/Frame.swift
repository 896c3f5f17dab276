import SpindleModel

/// A block while it is made: its instructions, with jumps to labels and registers not yet final.
///
/// The number of captured values is known only at the end. Until then captured values and pinned
/// registers have numbers out of ranges of their own; `Relocation` gives them their final ones.
struct Frame {
  /// What a block's code is of Swift concurrency.
  struct Asynchrony {
    /// Whether it may wait without its thread.
    enum Suspending { case no, yes }

    var suspending = Suspending.no
    /// Where it runs.
    var home = Home.pool
    var isMain = false
    /// How many `await`s with a `try` around them are around this place.
    var tries = 0
  }

  /// A position in the block that jumps name before it is known.
  struct Label {
    var index: Int32
  }

  /// A loop that `break` and `continue` can mean, or something else that `break` can.
  struct Loop {
    var exit: Label
    var next: Label
    /// How many cleanups surround it.
    var cleanups: Int
    /// What it is called; nil for no name.
    var label: String?
    /// Whether it is a loop: a `switch` and a labelled `do` or `if` are not.
    var isLoop = true
    /// Where `fallthrough` leads, from a case of a `switch`.
    var following: Label?
    /// Whether its code does go there.
    var fallsThrough = false
    /// Whether `break` without a label may mean it.
    var endsBreak = true
    /// What is alive around it.
    var lives = LifeMark()
  }

  /// What `return` means: of the frame, or of a closure that runs in place.
  struct Return {
    var register: Register?
    /// Where to go on; nil when it leaves the frame.
    var exit: Label?
    /// How many cleanups surround it.
    var cleanups = 0
    /// How many loops surround it, which `break` can't reach.
    var loops = 0
    /// What is alive around it.
    var lives = LifeMark()
  }

  /// What is alive at a place: who leaves for there lets go of all that came after.
  struct LifeMark {
    /// How many symbols there are, or how many registers that hold something until their scope ends.
    var symbols = 0
    /// How many values are held until their statements end.
    var temporaries = 0
  }

  /// A `defer` body that all ways out of a stretch of code lead through.
  struct Cleanup {
    /// How the code behind the cleanup goes on.
    enum Exit: Equatable {
      case fallThrough
      case raise
      case leave
      case breakLoop(Int)
      case continueLoop(Int)
    }

    var start: Label
    /// Tells which way to go on, by its place in `exits`.
    var selector: Register
    var exits: [Exit] = []
    /// What is alive where its body runs.
    var lives = LifeMark()
  }

  /// Whether its code belongs to a task, and which actor that is on.
  var asynchrony = Asynchrony()
  var name = NameID.none
  var code: CodeBuffer
  /// The first free register.
  var next = 0
  /// How many registers were in use at most.
  var high = 0
  var parameterCount = 0
  /// The symbols of outer frames that are captured, in the order of their registers.
  var captures: [Int32] = []
  var captureIndex: [Int32: Int32] = [:]
  var pinnedCount = 0
  /// The position of each label, or -1.
  var labels: [Int32] = []
  var handlers: [Block.Handler] = []
  var loops: [Loop] = []
  /// What `return` means here, and around the closures that run in place.
  var innermost = Return()
  private var outerReturns: [Return] = []
  var cleanups: [Cleanup] = []
  var salt: UInt32 = 0
  /// The sites that count visits, in the order of their counters.
  var countedSites: [SiteID] = []
  /// How many loops surround this place, those of the lowering included.
  var loopDepth = 0
  /// How many instructions there are that an error can come out of.
  var throwing = 0
  /// How many `await`s are in it so far.
  var awaitCount = 0
  /// Whether an error may come out of it that was thrown somewhere else than where it runs.
  var mayFailElsewhere = false
  /// Whether the next instruction can be reached.
  var isReachable = true
  /// The registers that hold what they have.
  var owned: [OwnedRegister] = []
  /// Those of them that do so until the statements end that are being made, outermost first.
  var temporaries: [OwnedRegister] = []
  /// Those of them that do so until the scopes end that are open, outermost first.
  var scoped: [OwnedRegister] = []
  /// The captured symbols that it does not retain.
  var borrowed: Set<Int32> = []
  private var referenced: [Bool] = []

  /// Where captured values have their registers until the frame is finished.
  static let captureBase = 1 << 29
  /// Where pinned registers are until the frame is finished.
  static let pinnedBase = 1 << 28

  /// Creates a frame whose instructions are made on `stack`.
  init(on stack: CodeStack) {
    code = CodeBuffer(on: stack)
  }

  /// Makes the frame as good as new, with the storage it has.
  mutating func reset(name: NameID) {
    self.name = name
    innermost = Return()
    (next, high, parameterCount, pinnedCount) = (0, 0, 0, 0)
    (salt, loopDepth, throwing) = (0, 0, 0)
    (isReachable, mayFailElsewhere) = (true, false)
    asynchrony = Asynchrony()
    code.restart()
    if !captures.isEmpty {
      captures.removeAll(keepingCapacity: true)
      captureIndex.removeAll(keepingCapacity: true)
    }
    // Emptying what is empty already takes longer than to look.
    if !labels.isEmpty { labels.removeAll(keepingCapacity: true) }
    if !referenced.isEmpty { referenced.removeAll(keepingCapacity: true) }
    if !handlers.isEmpty { handlers.removeAll(keepingCapacity: true) }
    if !loops.isEmpty { loops.removeAll(keepingCapacity: true) }
    if !outerReturns.isEmpty { outerReturns.removeAll(keepingCapacity: true) }
    if !cleanups.isEmpty { cleanups.removeAll(keepingCapacity: true) }
    if !countedSites.isEmpty { countedSites.removeAll(keepingCapacity: true) }
    if !owned.isEmpty { owned.removeAll(keepingCapacity: true) }
    if !temporaries.isEmpty { temporaries.removeAll(keepingCapacity: true) }
    if !scoped.isEmpty { scoped.removeAll(keepingCapacity: true) }
    if !borrowed.isEmpty { borrowed.removeAll() }
  }

  // MARK: Returns

  /// Gives `return` another meaning, up to `leaveReturn`.
  mutating func enterReturn(_ target: Return) {
    outerReturns.append(innermost)
    innermost = target
  }

  /// Gives `return` the meaning back that it had before; the one that ends.
  @discardableResult
  mutating func leaveReturn() -> Return {
    defer { innermost = outerReturns.removeLast() }
    return innermost
  }

  // MARK: Registers

  /// The next free register, from now on in use.
  mutating func allocate(_ count: Int = 1) -> Register {
    let register = Register(next)
    next += count
    high = max(high, next)
    return register
  }

  /// A register that nothing else uses for the whole of the block.
  mutating func pinned() -> Register {
    pinnedCount += 1
    return Register(Frame.pinnedBase + pinnedCount - 1)
  }

  /// Whether a register is one of those.
  func isPinned(_ register: Register) -> Bool { Int(register.index) >= Frame.pinnedBase }

  /// A register that nothing else uses, and that holds what it has; nothing at first.
  mutating func owner(_ kind: LifeKind) -> OwnedRegister {
    let owner = OwnedRegister(register: pinned(), kind: kind)
    owned.append(owner)
    return owner
  }

  // MARK: Instructions

  /// Appends an instruction that comes from the text at `place`.
  ///
  /// Nothing is appended where nothing is reached.
  mutating func emit(_ instruction: Instruction, _ place: SourceRange) {
    guard isReachable else { return }
    code.append(instruction, place)
  }

  /// A label without a position.
  mutating func label() -> Label {
    labels.append(-1)
    referenced.append(false)
    return Label(index: Int32(labels.count - 1))
  }

  /// Gives `label` the position of the next instruction.
  mutating func mark(_ label: Label) {
    labels[Int(label.index)] = Int32(code.count)
    if referenced[Int(label.index)] { isReachable = true }
  }

  /// The number of a label in an instruction that jumps there.
  mutating func target(_ label: Label) -> Int32 {
    if isReachable { referenced[Int(label.index)] = true }
    return label.index
  }

  /// Appends a jump, after which nothing is reached.
  mutating func jump(_ label: Label, _ place: SourceRange) {
    emit(.jump(target(label)), place)
    isReachable = false
  }
}

/// Frames, each of which stays where it is, so that going from one to another copies none.
final class FrameStack {
  /// The instructions of all of them.
  let code: CodeStack
  /// By pointer, since it is asked with each block, and what a class has is checked each time.
  private let frames: UnsafeMutablePointer<[UnsafeMutablePointer<Frame>]>

  /// Creates a stack for a program of about three times `count` instructions.
  init(expecting count: Int) {
    code = CodeStack(expecting: count)
    frames = .allocate(capacity: 1)
    frames.initialize(to: [])
  }

  deinit {
    for frame in frames.pointee {
      frame.deinitialize(count: 1)
      frame.deallocate()
    }
    frames.deinitialize(count: 1)
    frames.deallocate()
  }

  /// The frame with `depth` others around it.
  subscript(depth: Int) -> UnsafeMutablePointer<Frame> {
    while depth >= frames.pointee.count {
      let frame = UnsafeMutablePointer<Frame>.allocate(capacity: 1)
      frame.initialize(to: Frame(on: code))
      frames.pointee.append(frame)
    }
    return frames.pointee[depth]
  }
}
