package import SpindleLanguage
import SpindleModel
import SpindleSystem

/// Files that a trace names: profiles of costs, measured times.
package enum CostFile {
  /// More than any such file has, in bytes.
  private static let limit = 1 << 20

  /// Reads them for the compiler: a name that a trace mentions is looked for beside the trace.
  package static let reader = Overrides.CostFileReader { file, from in
    let path = CostFile.path(of: file, from: from)
    do throws(FileFailure) {
      let bytes = try Files.read(path)
      if bytes.count > limit {
        return .failure(.init(message: "'\(path)' is too long for a file that a trace names"))
      }
      return .success(SourceText(name: FileName.shown(path), utf8: bytes))
    } catch {
      return .failure(.init(message: error.message))
    }
  }

  /// The files that may be read for a trace: each text behind `costs:`, in comments too.
  ///
  /// Looks at each byte once.
  package static func named(in text: [UInt8], of trace: String) -> [String] {
    var files: [String] = []
    let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    text.withUnsafeBufferPointer { text in
      for (index, byte) in text.enumerated() where byte == UInt8(ascii: ":") {
        guard text[..<index].reversed().drop(while: blanks.contains).starts(with: "stsoc".utf8)
        else { continue }
        let value = text[(index + 1)...].drop(while: blanks.contains)
        guard value.first == UInt8(ascii: "\"") else { continue }
        let name = value.dropFirst().prefix { $0 != UInt8(ascii: "\"") && $0 != 0x0A }
        files.append(path(of: String(decoding: name, as: UTF8.self), from: trace))
      }
    }
    return files
  }

  /// Where a file is that stands in the text of a trace or of an option.
  package static func path(of file: String, from: String) -> String {
    guard !file.hasPrefix("/"), !from.hasPrefix("--"), let slash = from.lastIndex(of: "/") else {
      return file
    }
    return String(from[...slash]) + file
  }
}
