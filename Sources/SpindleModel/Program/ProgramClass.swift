/// A class that a trace declares: what its instances hold.
package struct ProgramClass: Hashable, Sendable {
  /// Its name in the trace.
  package var name: String
  /// What each instance holds, in the order of the text.
  package var fields: [Field]
  /// The numbers of the fields, in the order in which an instance that ends lets go of what they have.
  package var releaseOrder: [Int]

  /// A `let` or `var` that each instance has.
  package struct Field: Hashable, Sendable {
    /// Its name in the trace; nothing for the value of a local `var` that closures share, whose name the instance has.
    package var name: String
    /// How its value is written.
    package var format: ValueFormat
    /// The class of the library's objects that it holds, or of the elements of its array; nil for other
    /// values.
    package var handle: HandleClass?
    /// What it holds that is counted; nil for nothing, as for a weak one.
    package var life: LifeKind?
    /// Whether an instance without a value in it is one whose `init` threw.
    package var isNeeded: Bool
    /// Whether it holds the next instance of a chain, which Swift ends link by link.
    package var isLink: Bool
    /// Whether it holds a closure, which the log tells without the number that the simulator keeps it by.
    package var isClosure: Bool

    /// Creates a field.
    package init(
      name: String, format: ValueFormat, handle: HandleClass?, life: LifeKind?,
      isNeeded: Bool = false, isLink: Bool = false, isClosure: Bool = false
    ) {
      (self.name, self.format, self.handle, self.life) = (name, format, handle, life)
      (self.isNeeded, self.isLink, self.isClosure) = (isNeeded, isLink, isClosure)
    }
  }

  /// What an instance does when nothing holds it any more: a block that is given it; nil for nothing.
  package var deinitializer: BlockID?
  /// The field with the operation or the thread that each instance is; nil where it is none.
  package let parent: Int?
  /// Whether each instance is an actor, whose executor is in its first field.
  package var isActor: Bool
  /// Whether it is a `struct` or an `enum`: what has an instance is the only one to change it.
  package var isValue: Bool

  /// Where an instance does that.
  package var deinitHome: DeinitHome

  /// Where the `deinit` of a class runs.
  package enum DeinitHome: Hashable, Sendable {
    /// Where the last reference goes.
    case anywhere
    /// On the main actor.
    case mainActor
    /// On the actor that the instance is.
    case ownActor
    /// On a global actor, whose instance is in that global.
    case globalActor(GlobalID)
  }

  /// Creates a class.
  package init(
    name: String, fields: [Field], releaseOrder: [Int]? = nil, deinitializer: BlockID?,
    deinitHome: DeinitHome = .anywhere, isActor: Bool = false,
    isValue: Bool = false
  ) {
    (self.name, self.fields, self.deinitializer) = (name, fields, deinitializer)
    self.releaseOrder = releaseOrder ?? Array(fields.indices)
    parent = fields.firstIndex { $0.name == "super" }
    (self.deinitHome, self.isActor, self.isValue) = (deinitHome, isActor, isValue)
  }
}
