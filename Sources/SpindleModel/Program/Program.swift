/// A checked trace, ready to run: instructions, constants, the machine, and what must hold.
///
/// A program is complete: parameters are bound, `if` over parameters in `expect` is decided. It can
/// be run any number of times, each time with the same result.
public struct Program: Sendable {
  /// The title in `trace "…"`, or the file's name.
  public package(set) var title = ""
  /// The text that the program was made from, for places in findings and verdicts.
  @usableFromInline package var source = SourceText(name: "", "")
  /// The machine as written, with what the command line overrides.
  @usableFromInline package var machine = MachineDescription()
  /// What every draw depends on.
  @usableFromInline package var seed: UInt64 = 0
  /// The stated horizon, nil when the default of one hour holds.
  @usableFromInline package var until: Instant?

  /// All instructions of all blocks.
  package var instructions: CodeTable<Instruction> = []
  /// The text that each instruction comes from; as long as `instructions`.
  package var places: CodeTable<SourceRange> = []
  /// The texts of arithmetic whose results are decimals, which end sooner than a `Double`.
  package var decimals: Set<SourceRange> = []
  /// The stretches of instructions.
  package var blocks: [Block] = []
  /// The places that create, draw or call.
  package var sites: [Site] = []
  /// The texts that the program names; the first are `WellKnownName.allCases` in their order.
  package var names: [String] = WellKnownName.allCases.map(\.text)
  /// The kinds of work that the trace submits.
  @usableFromInline package var kinds: [WorkKind] = []
  /// The names of the threads of the system's pool, in order of creation.
  package var threadNames: [NameID] = []
  /// The values at the top of the trace.
  package var globals: [Global] = []
  /// The classes that the trace declares.
  package var classes: [ProgramClass] = []
  /// The registers of each block that hold what they have, captured ones first; empty when nothing is
  /// counted.
  package var owned: [[OwnedRegister]] = []

  /// The initialisers of the top level, run in order at time 0 on no thread.
  package var initializer: BlockID?
  /// What the main thread runs.
  package var main: BlockID?
  /// Whether the process ends with main's body, as a command-line program does.
  package var mainIsTool = false
  /// Whether main's body may suspend: then it is a task on the main actor.
  package var mainIsAsync = false
  /// What the world outside does, and when.
  package var arrivals: [Arrival] = []

  /// The parameters with the values they have in this program.
  @usableFromInline package var parameters: [Parameter] = []
  /// What is computed at the end from the values at the top, for expectations.
  package var finalValues: [FinalValue] = []
  /// What must hold at the end, in the order of the text.
  @usableFromInline package var expectations: [Expectation] = []
  /// What the command line asks of a run, in the order of its options.
  @usableFromInline package var measures: [RequestedMeasure] = []
  /// What is to be different from its normal run; nil for nothing.
  package var schedule: ProgramSchedule?
  /// How far its test looks for other schedules under which it fails; nil for not at all.
  package var exploration: RequestedExploration?

  /// Whether a run may depend on its seed: whether anything in the text draws.
  package var drawsNumbers: Bool {
    instructions.contains { instruction in
      switch instruction {
      case .draw, .drawConstant: true
      default: false
      }
    }
  }

  /// An empty program.
  package init() {}
}

/// A stretch of instructions with the frame that it needs.
///
/// The registers of a frame hold first the captured values, then the arguments, then locals.
@usableFromInline
package struct Block: Hashable, Sendable {
  /// The index of its first instruction.
  @usableFromInline package var entry: Int32
  /// The index behind its last instruction.
  @usableFromInline package var end: Int32
  /// How many registers a frame of it has.
  @usableFromInline package var registerCount: Int32
  /// How many of them, from the first, are captured values.
  @usableFromInline package var captureCount: Int32
  /// Four times the number of arguments, 2 when it may suspend, and 1 when it uses its frame's key: so a block takes
  /// 32 bytes.
  @usableFromInline var shape: Int32
  /// What it is called in explanations: a function's name, `main`, `closure`.
  @usableFromInline package var name: NameID
  /// Where a thrown error goes, innermost first.
  @usableFromInline package var handlers: [Handler]

  /// Where an error goes that is thrown between two instructions.
  @usableFromInline
  package struct Handler: Hashable, Sendable {
    /// The first instruction that it covers.
    @usableFromInline package var start: Int32
    /// The one behind the last that it covers.
    @usableFromInline package var end: Int32
    /// Where to go on.
    @usableFromInline package var target: Int32
    /// Gets the error's message, a `NameID`.
    @usableFromInline package var error: Register
    /// Gets the instruction that threw it; nil where nothing throws it again.
    @usableFromInline package var origin: Register?

    /// Creates a handler.
    @inlinable
    package init(start: Int32, end: Int32, target: Int32, error: Register, origin: Register? = nil)
    {
      (self.start, self.end, self.target, self.error) = (start, end, target, error)
      self.origin = origin
    }
  }

  /// Creates a block.
  @inlinable
  package init(
    entry: Int32, end: Int32, registerCount: Int32, captureCount: Int32, parameterCount: Int32,
    usesKey: Bool = true, isAsync: Bool = false, handlers: [Handler] = [], name: NameID
  ) {
    (self.entry, self.end, self.registerCount) = (entry, end, registerCount)
    self.captureCount = captureCount
    shape = parameterCount << 2 | (isAsync ? 2 : 0) | (usesKey ? 1 : 0)
    (self.handlers, self.name) = (handlers, name)
  }

  /// How many registers, after the captured ones, are arguments.
  @inlinable package var parameterCount: Int32 { shape >> 2 }

  /// Whether it may suspend, so that its frames are no part of a thread's stack.
  @inlinable package var isAsync: Bool { shape & 2 == 2 }

  /// Whether it draws, creates or calls anything, which depends on the key of its frame.
  @inlinable package var usesKey: Bool { shape & 1 == 1 }
}

/// A place in a block that creates an activity, draws a number or calls a function.
///
/// The key of what happens there is a function of the frame's own key, `salt`, and how often this
/// frame has been at this place, which it counts in `counter`. So a draw does not depend on when
/// it is made, nor on what any other activity does.
@usableFromInline
package struct Site: Hashable, Sendable, BitwiseCopyable {
  /// Tells the sites of one block apart: the first in the text has 1, and so on.
  @usableFromInline package var salt: UInt32
  /// The register that counts the visits; -1 where a frame comes by at most once.
  @usableFromInline package var counter: Int32

  /// Creates a site.
  @inlinable
  package init(salt: UInt32, counter: Int32) {
    (self.salt, self.counter) = (salt, counter)
  }
}

/// What all items share that one line of a trace submits.
@usableFromInline package struct WorkKind: Hashable, Sendable {
  /// The name's literal with each interpolation as `*`; for nameless work, what submits it.
  @usableFromInline package var pattern: String
  /// Whether the trace gave the name.
  @usableFromInline package var isNamed: Bool

  /// Creates a kind of work.
  package init(pattern: String, isNamed: Bool) {
    (self.pattern, self.isNamed) = (pattern, isNamed)
  }
}

/// A `let` or `var` at the top of a trace.
package struct Global: Hashable, Sendable {
  /// Its name in the trace.
  package var name: String
  /// How its value is written.
  package var format: ValueFormat
  /// How `value()` tells it: the elements of an array as what they are, which its registers don't say,
  /// and the case of an `enum`, which is a text otherwise, with its point.
  package var told: ValueFormat
  /// Whether it is a `var`, shared between threads: each read and write is an event.
  package var isVariable: Bool
  /// Where it is declared.
  package var place: SourceRange
  /// The class of the object that it holds, or of the elements of its array; nil for other values.
  package var handle: HandleClass?
  /// What it holds that is counted; nil for nothing.
  package var life: LifeKind?
  /// Whether it holds a closure, which the log tells without the number that the simulator keeps it by.
  package var isClosure: Bool

  /// Creates a global.
  package init(
    name: String, format: ValueFormat, told: ValueFormat? = nil, isVariable: Bool,
    place: SourceRange, handle: HandleClass? = nil, life: LifeKind? = nil, isClosure: Bool = false
  ) {
    (self.name, self.format, self.isVariable, self.place) = (name, format, isVariable, place)
    self.told = told ?? format
    (self.handle, self.life, self.isClosure) = (handle, life, isClosure)
  }
}

/// A value that an expectation computes when the run is over: `value(basket.count)`.
package struct FinalValue: Hashable, Sendable {
  /// The code that gives it, on no thread.
  package var block: BlockID
  /// Where it is kept; no text of the trace names that.
  package var global: GlobalID

  /// Creates a value.
  package init(block: BlockID, global: GlobalID) { (self.block, self.global) = (block, global) }
}

/// Something that the world outside does: `at`, `every`, `arrivals`.
package struct Arrival: Hashable, Sendable {
  /// Computes the interval: a block that returns a duration, or for `at` an instant.
  package var interval: BlockID
  /// How often it happens over time, in place of `interval`; nil where that is computed.
  package var schedule: RateSchedule?
  /// What happens: a block on no thread; its one parameter, if it has one, is the ordinal from 0.
  package var body: BlockID
  /// How often it happens; nil for ever.
  package var count: Int64?
  /// Whether `interval` gives the moment itself (`at`).
  package var isOnce: Bool
  /// Where it stands in the trace.
  package var place: SourceRange

  /// Creates an arrival.
  package init(interval: BlockID, body: BlockID, count: Int64?, isOnce: Bool, place: SourceRange) {
    (self.interval, self.body, self.count) = (interval, body, count)
    (self.isOnce, self.place) = (isOnce, place)
  }
}

/// A `param` of a trace with the value that it has in one program.
@usableFromInline package struct Parameter: Hashable, Sendable {
  /// Its name in the trace.
  @usableFromInline package var name: String
  /// Its value, as the trace would write it.
  @usableFromInline package var value: String
  /// The values it may take, as the trace would write them; empty when any of its type is allowed.
  @usableFromInline package var allowed: [String]

  /// Creates a parameter.
  package init(name: String, value: String, allowed: [String]) {
    (self.name, self.value, self.allowed) = (name, value, allowed)
  }
}
