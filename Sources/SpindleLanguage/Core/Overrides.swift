/// What the command line says against the trace's own text.
public struct Overrides: Hashable, Sendable {
  /// `--set name=value`, in order; the value as the trace would write it, or a bare word for a string.
  public var parameters: [Assignment] = []
  /// `--replace name=expression`: the value of a top-level `let` that is an executor.
  public var replacements: [Assignment] = []
  /// `--policy`, as the trace would write it; the point may be left out.
  public var policy: String?
  /// `--costs`, likewise.
  public var costs: String?
  /// `--platform`, likewise.
  public var platform: String?
  /// `--cores`: a number.
  public var cores: String?
  /// `--seed`: a number.
  public var seed: String?
  /// `--until`: a duration.
  public var until: String?
  /// What is asked of each run, each with the option that asks: lists of measures and conditions over
  /// them, as `expect` has them.
  public var measures: [Assignment] = []

  /// A name with a text to be read as an expression.
  public struct Assignment: Hashable, Sendable {
    public var name: String
    public var value: String

    /// Creates an assignment.
    public init(name: String, value: String) {
      (self.name, self.value) = (name, value)
    }
  }

  /// Creates overrides that change nothing.
  public init() {}
}
