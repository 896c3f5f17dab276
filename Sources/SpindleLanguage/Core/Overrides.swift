package import SpindleModel

/// What the command line says against the trace's own text.
public struct Overrides: Hashable, Sendable {
  /// `--set name=value`, in order; the value as the trace would write it, or a bare word for a string.
  public var parameters: [Assignment] = []
  /// `--replace name=expression`: the value of a top-level `let` that is an executor or a lock; of a lock the
  /// name of a resource protocol, too.
  public var replacements: [Assignment] = []
  /// `--policy`, as the trace would write it; the point may be left out.
  public var policy: String?
  /// `--costs`, likewise, or the name of a file that ends in `.costs`.
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
  package var measures: [Assignment] = []
  /// `--schedule`: what is to be different from the normal run, in place of what the trace says.
  package var schedule: Schedule?

  /// Reads the files that a trace names, and `costs`: profiles of costs, measured times; nil where there are no files.
  package var fileReader: FileReader?

  /// A name with a text to be read as an expression.
  public struct Assignment: Hashable, Sendable {
    public var name: String
    public var value: String

    /// Creates an assignment.
    public init(name: String, value: String) {
      (self.name, self.value) = (name, value)
    }
  }

  /// Reads a file that a trace names: all readers are alike, so that overrides can be compared.
  package struct FileReader: Hashable, Sendable {
    /// The text of the file with a name, which the text `from` mentions; a phrase where there is none.
    package let read: @Sendable (_ file: String, _ from: String) -> Result<SourceText, Unreadable>

    /// Why a file can't be read.
    package struct Unreadable: Error {
      package let message: String

      /// Creates it with a phrase without a full stop, which names the file.
      package init(message: String) { self.message = message }
    }

    /// The names of the files that a pattern with `*` matches, in their order, which the text `from` mentions; a phrase
    /// where there are none.
    package let matches:
      @Sendable (_ pattern: String, _ from: String) -> Result<[String], Unreadable>

    /// Creates a reader.
    package init(
      matches: @escaping @Sendable (String, String) -> Result<[String], Unreadable> = {
        pattern, _ in .failure(Unreadable(message: "no file is called '\(pattern)'"))
      },
      _ read: @escaping @Sendable (_ file: String, _ from: String) -> Result<SourceText, Unreadable>
    ) { (self.read, self.matches) = (read, matches) }

    package static func == (left: Self, right: Self) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
  }

  /// Creates overrides that change nothing.
  public init() {}
}
