import SpindleLanguage
import SpindleModel

/// Files of cost profiles.
enum CostFile {
  /// More than any such file has, in bytes.
  private static let limit = 1 << 20

  /// Reads them for the compiler: a name that a trace mentions is looked for beside the trace.
  static let reader = Overrides.CostFileReader { file, from in
    let path = CostFile.path(of: file, from: from)
    do throws(FileFailure) {
      let bytes = try Files.read(path)
      if bytes.count > limit {
        return .failure(.init(message: "'\(path)' is too long for a file of costs"))
      }
      return .success(SourceText(name: FileName.shown(path), utf8: bytes))
    } catch {
      return .failure(.init(message: error.message))
    }
  }

  /// Where a file is that stands in the text of a trace or of an option.
  static func path(of file: String, from: String) -> String {
    guard !file.hasPrefix("/"), !from.hasPrefix("--"), let slash = from.lastIndex(of: "/") else {
      return file
    }
    return String(from[...slash]) + file
  }
}
