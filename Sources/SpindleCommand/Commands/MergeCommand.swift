import SpindleModel
import SpindleReports
import SpindleSystem

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `spindle merge`: joins the parts of a sweep to what one machine would have written.
struct MergeCommand {
  private let console: Console
  private let paths: [String]
  private let format: ComparisonReport.Format
  private let outputPath: String?
  private let color: ColorChoice
  private let arguments: ParsedArguments

  /// Creates the command; throws when an option can't be understood.
  init(_ arguments: ParsedArguments, _ console: Console) throws(CommandFailure) {
    (self.console, self.arguments) = (console, arguments)
    paths = arguments.operands
    format = try arguments.format(standard: .table, json: .json)
    outputPath = arguments[.output]
    color = try arguments.colorChoice()
  }

  /// Reads all parts to see that they belong together, and then again to write them.
  func run() throws(CommandFailure) -> ExitStatus {
    MergeCommand.allowManyFiles()
    if let parts = try MergedSearch(paths) { return try parts.run(arguments, console) }
    try CommandFailure.wrap { () throws(FileFailure) in
      var roles = FileRoles(console)
      if let outputPath, outputPath != "-" { try roles.write(outputPath) }
      try roles.read(paths)
      let header = try check()
      let output = try ResultOutput(outputPath, console)
      let style = TextStyle(width: console.environment.width, usesColor: console.usesColor(color))
      try write(header, by: SweepForm.writer(format, header, style), to: output)
      try output.commit()
    }
    return .held
  }

  /// Checks that every part is whole, of the same sweep, there, and there once.
  private func check() throws(FileFailure) -> SweepHeader {
    var first: (header: SweepHeader, count: Int)?
    var found = FoundParts()
    for path in paths {
      let part = try SweepPartFile(path)
      let header = try part.readHeader()
      let shard = part.shard
      let known = first ?? (header, shard.count)
      first = known
      if let difference = known.header.difference(header) {
        throw .part("'\(path)' is \(difference), as '\(paths[0])' is")
      }
      if shard.count != known.count {
        throw .part("'\(path)' is part \(shard.text), and '\(paths[0])' one of \(known.count)")
      }
      try found.add(shard, path)
      while try part.next() != nil {}
    }
    guard let (header, count) = first else { throw .part("there are no parts") }
    try found.checkAll(count)
    return header
  }

  /// Writes the cells in turns: each part has every n-th.
  private func write(
    _ header: SweepHeader, by writer: any SweepWriter, to output: ResultOutput
  ) throws(FileFailure) {
    var parts: [SweepPartFile] = []
    for path in paths {
      let part = try SweepPartFile(path)
      _ = try part.readHeader()
      parts.append(part)
    }
    parts.sort { $0.shard.number < $1.shard.number }
    output.write(writer.begin())
    for index in 0..<header.cellCount {
      guard let cell = try parts[index % parts.count].next() else {
        throw .part("'\(parts[index % parts.count].path)' has changed meanwhile")
      }
      output.write(writer.add(cell))
    }
    output.write(writer.end())
  }

  /// Lets the process open as many files as the system allows it: all parts are open at a time.
  private static func allowManyFiles() {
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(7)  // RLIMIT_NOFILE
    #else
      let resource = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, 65_536)
    _ = setrlimit(resource, &limit)
  }
}

/// A part of a sweep of which some lines have been read.
///
/// A class, since the file behind it is at one place.
private final class SweepPartFile {
  let path: String
  private let lines: FileLines
  private var reader = SweepPartReader()

  init(_ path: String) throws(FileFailure) {
    (self.path, lines) = (path, try FileLines(path))
  }

  /// Which part it is, once its header is read.
  var shard: SweepShard { reader.shard }

  /// The next cell; nil behind the last.
  func next() throws(FileFailure) -> SweepCell? {
    while let line = try lines.next() {
      if let cell = try read(line) { return cell }
    }
    do {
      try reader.checkEnd()
    } catch {
      throw refusal(error)
    }
    return nil
  }

  /// Reads up to the end of the header.
  func readHeader() throws(FileFailure) -> SweepHeader {
    while reader.header == nil, let line = try lines.next() { _ = try read(line) }
    guard let header = reader.header else {
      throw refusal(SweepPart.Mistake("it is cut off in its header"))
    }
    return header
  }

  private func read(_ line: String) throws(FileFailure) -> SweepCell? {
    do {
      return try reader.read(line)
    } catch {
      throw refusal(error)
    }
  }

  private func refusal(_ mistake: SweepPart.Mistake) -> FileFailure {
    FileFailure(purpose: .input, message: "'\(path)' can't be joined: \(mistake.message)")
  }
}
