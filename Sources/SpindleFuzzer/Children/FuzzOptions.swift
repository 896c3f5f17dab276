/// What the fuzzer is asked for.
struct FuzzOptions {
  /// What it does.
  enum Mode {
    /// Judges the inputs of all seeds by processes of its own.
    case campaign
    /// Judges them itself, and says where it is: this is what those processes do.
    case batch
    /// Judges one file.
    case file(String)
    /// Prints the input of the first seed.
    case show
    /// Writes random Swift programs, and what Spindle prints for them.
    case swift(GeneratedKind)
  }

  var mode = Mode.campaign
  /// The seeds.
  var seeds = 1...400
  /// The folder of the traces that inputs are made of.
  var corpus = "Traces"
  /// Where failing inputs are kept.
  var kept = ".build/fuzzer"
  /// How many processes work at a time.
  var jobs = 2
  /// How many steps a run may take.
  var steps: Int64 = 200_000
  /// How many seconds of a processor a part of an input's judgement may take.
  var seconds = 10
  /// How many seconds a process may be silent for.
  var patience: Int { seconds * 20 }
  /// How much memory a process may take, in gigabytes; 0 for any.
  var gigabytes = 3
  /// Whether programs are damaged that have been compiled, and not texts.
  var damagesPrograms = false
  /// Whether recordings are damaged, and not traces.
  var damagesRecordings = false
  /// Whether programs are made from nothing, and no trace is damaged.
  var makesPrograms = false
  /// A word that crashes the judge, to try what becomes of a crash.
  var plantedCrash: String?
  /// A word that the judge never gets past.
  var plantedHang: String?

  /// How it is called.
  static let usage = """
    usage: SpindleFuzzer [OPTIONS]

    Makes a damaged trace of each seed, and holds what the tool makes of it against what must
    always hold: no crash, no time-out, the same results twice, formatted, and step by step.
    Every fourth seed damages the text, the machine, the numbers, all of them. Failing inputs
    are kept, and shrunk. The exit status is 1 when there are any.

      --seeds A..B      the seeds (1..400 unless said)
      --corpus FOLDER   where the traces are (Traces)
      --keep FOLDER     where failing inputs go (.build/fuzzer)
      --jobs N          how many processes at a time (2)
      --steps N         how many steps a run may take (200000)
      --seconds N       how long a part of a judgement may compute (10)
      --gigabytes N     how much memory a process may take, 0 for any (3)
      --programs        damage compiled programs, and not texts: each is refused, ends,
                        or is stopped by a check
      --recordings      damage recordings, of Tests/Recordings unless --corpus says so: each is
                        refused with a reason, or its trace has no error and runs
      --random          no damage: right programs of everything that the language has, which must end,
                        keep what is conserved, and run the same without shortcuts
      --swift KIND      write random Swift programs of 'values' or 'tasks' into the folder that --keep
                        names, and beside them what Spindle prints for each
      --file FILE       judge this file only
      --show            print the input of the first seed

    """

  /// Reads a command line; nil when it can't be understood.
  init?(_ arguments: [String]) {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      if name == "--batch" {
        mode = .batch
      } else if name == "--show" {
        mode = .show
      } else if name == "--programs" {
        damagesPrograms = true
      } else if name == "--recordings" {
        damagesRecordings = true
      } else if name == "--random" {
        makesPrograms = true
      } else {
        guard let value = rest.popFirst(), take(name, value) else { return nil }
      }
    }
  }

  /// The options of a process that judges some seeds.
  func arguments(for seeds: ClosedRange<Int>) -> [String] {
    ["--batch", "--seeds", "\(seeds.lowerBound)..\(seeds.upperBound)", "--corpus", corpus] + common
  }

  /// The options of a process that judges a file.
  func arguments(for file: String) -> [String] { ["--file", file] + common }

  private var common: [String] {
    var list = [
      "--steps", "\(steps)", "--seconds", "\(seconds)", "--gigabytes", "\(gigabytes)",
    ]
    if damagesPrograms { list.append("--programs") }
    if damagesRecordings { list.append("--recordings") }
    if makesPrograms { list.append("--random") }
    if let plantedCrash { list += ["--plant-crash", plantedCrash] }
    if let plantedHang { list += ["--plant-hang", plantedHang] }
    return list
  }

  private mutating func take(_ name: String, _ value: String) -> Bool {
    switch name {
    case "--corpus": corpus = value
    case "--keep": kept = value
    case "--file": mode = .file(value)
    case "--swift":
      guard let kind = GeneratedKind(rawValue: value) else { return false }
      mode = .swift(kind)
    case "--plant-crash": plantedCrash = value
    case "--plant-hang": plantedHang = value
    case "--seeds":
      let bounds = value.split(separator: ".").compactMap { Int($0) }
      guard let first = bounds.first, let last = bounds.last, first <= last else { return false }
      seeds = first...last
    default: return takeNumber(name, value)
    }
    return true
  }

  private mutating func takeNumber(_ name: String, _ value: String) -> Bool {
    guard let number = Int(value), number >= (name == "--gigabytes" ? 0 : 1) else { return false }
    switch name {
    case "--jobs": jobs = min(number, 64)
    case "--steps": steps = Int64(number)
    case "--seconds": seconds = min(number, 100_000)
    case "--gigabytes": gigabytes = min(number, 1_000_000)
    default: return false
    }
    return true
  }
}
