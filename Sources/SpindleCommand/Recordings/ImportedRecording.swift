import SpindleLanguage
import SpindleModel
import SpindleRecordings
import SpindleSystem

/// A recording that a command reads, and the traces that it makes of it.
struct ImportedRecording {
  /// What the recording is called.
  let name: String
  private let bytes: any RecordingBytes
  private let survey: RecordingSurvey
  private let choice: RecordingChoice

  /// A file that a command was given, opened.
  struct Opened {
    /// What it is called.
    let name: String
    fileprivate let bytes: any RecordingBytes

    /// Opens the file that a command names.
    init(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
      let path = arguments.operands[0]
      let shown = path == "-" ? "<stdin>" : FileName.shown(path)
      name = shown
      bytes = try CommandFailure.wrap(recording: shown) {
        if path != "-", Files.kind(of: path) == .folder {
          throw FileFailure(purpose: .input, message: ExportedTrace.folderAdvice(shown))
        }
        try FileRoles(console).read(path)
        return try RecordingFile.bytes(path, console.environment)
      }
    }

    /// What only a recording has, and a workload that says itself what threads do has not.
    static let recordedOnly: [OptionDescription.Name] = [
      .process, .others, .level, .probes, .from, .to,
    ]

    /// Refuses options that would have no effect.
    func check(_ arguments: ParsedArguments) throws(CommandFailure) {
      let format = try CommandFailure.wrap(recording: name) { try RecordingFormat.of(bytes) }
      guard format == .rtApp, let option = Self.recordedOnly.first(where: arguments.has) else {
        return
      }
      throw .usage(UsageText.notOfWorkloads(option.rawValue, name))
    }

    /// The trace of what says nothing of cores, as a workload, which says itself what threads are to do; nil
    /// of any other recording.
    func workload(_ choice: RecordingChoice) throws(CommandFailure) -> SourceText? {
      try CommandFailure.wrap(recording: name) {
        try ExportedTrace.text(bytes, recording: name, choice).map {
          ImportedRecording.canonical($0, name)
        }
      }
    }
  }

  fileprivate static func canonical(_ text: String, _ name: String) -> SourceText {
    let source = SourceText(name: "the trace of \(name)", utf8: Array(text.utf8))
    return SourceText(name: source.name, utf8: Array(formatted(source).text.utf8))
  }

  /// Reads a recording, once, and takes of it what is chosen.
  init(_ file: Opened, _ choice: RecordingChoice) throws(CommandFailure) {
    self.choice = choice
    (bytes, name) = (file.bytes, file.name)
    survey = try CommandFailure.wrap(recording: file.name) { try RecordingSurvey(file.bytes) }
  }

  /// The program in it; with or without the other threads and what probes took, or as the command says.
  func program(
    takesOthers: Bool? = nil, keepsProbes: Bool? = nil
  ) throws(CommandFailure) -> RecordedProgram {
    var choice = choice
    if let takesOthers { choice.takesOthers = takesOthers }
    if let keepsProbes { choice.keepsProbes = keepsProbes }
    return try CommandFailure.wrap(recording: name) {
      try RecordedProgram(survey, of: bytes, choice)
    }
  }

  /// The trace of a program, in the canonical form.
  ///
  /// With `endsWithMain` the process ends when its main thread does, if it did.
  func trace(_ program: RecordedProgram, endsWithMain: Bool = true) -> SourceText {
    Self.canonical(
      TraceText.text(program, recording: name, endsWithMain: endsWithMain), name)
  }

  /// What could not be read, as a sentence; nil where nothing was passed over.
  var warning: String? {
    guard let mistake = survey.counts.firstUnread else { return nil }
    let more = survey.counts.unread - 1
    return mistake.sentence(of: name) + (more > 0 ? ", and \(more) more are skipped" : "")
  }

  /// What the options of a command choose of a recording.
  static func choice(
    _ arguments: ParsedArguments
  ) throws(CommandFailure) -> RecordingChoice {
    var choice = RecordingChoice()
    choice.process = arguments[.process]
    choice.from = try arguments.moment(.from).map { Nanoseconds($0.nanoseconds) }
    choice.to = try arguments.moment(.to).map { Nanoseconds($0.nanoseconds) }
    if let from = choice.from, let to = choice.to, from >= to {
      throw .usage(UsageText.endBeforeBeginning)
    }
    choice.takesOthers = try arguments.word(.others) == "threads"
    choice.takesQueues = try arguments.word(.level) != "threads"
    choice.keepsProbes = try arguments.word(.probes) == "kept"
    return choice
  }
}
