package import SpindleLanguage
import SpindleModel
import SpindleSystem

/// Files that a trace names: profiles of costs, measured times, Swift files.
package enum NamedFiles {
  /// More than any such file has, in bytes.
  private static let limit = 1 << 20

  /// Reads them for the compiler: a name that a trace mentions is looked for beside the trace.
  package static let reader = Overrides.FileReader(matches: matches) { file, from in
    let path = NamedFiles.path(of: file, from: from)
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

  /// The files that a pattern matches, by their names beside the trace: `*` is any part of a name, `**` any folders.
  @Sendable private static func matches(
    _ pattern: String, _ from: String
  ) -> Result<[String], Overrides.FileReader.Unreadable> {
    let parts = pattern.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let fixed = parts.prefix { !$0.contains("*") }
    let folder = fixed.isEmpty ? "." : fixed.joined(separator: "/")
    let root = path(of: folder, from: from)
    do throws(FileFailure) {
      let found = try Files.files(below: root.isEmpty ? "/" : root, suffix: ".swift")
      let skipped = root == "." ? 0 : root.utf8.count + (root.hasSuffix("/") ? 0 : 1)
      let names = found.paths.map { String($0.utf8.dropFirst(skipped)) ?? $0 }.filter { name in
        let components = name.split(separator: "/").map(String.init)
        return matches(components[...], Array(parts.dropFirst(fixed.count))[...])
      }
      if names.isEmpty { return .failure(.init(message: "no file matches '\(pattern)'")) }
      return .success(names.map { fixed.isEmpty ? $0 : folder + "/" + $0 })
    } catch {
      return .failure(.init(message: error.message))
    }
  }

  private static func matches(_ names: ArraySlice<String>, _ parts: ArraySlice<String>) -> Bool {
    guard let part = parts.first else { return names.isEmpty }
    if part == "**" {
      return matches(names, parts.dropFirst())
        || !names.isEmpty && matches(names.dropFirst(), parts)
    }
    guard let name = names.first, matches(Array(name.utf8)[...], Array(part.utf8)[...]) else {
      return false
    }
    return matches(names.dropFirst(), parts.dropFirst())
  }

  /// Whether a name is what a pattern with any number of `*` says; takes at most the product of their lengths.
  private static func matches(_ name: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
    var (at, next) = (name.startIndex, pattern.startIndex)
    var back: (at: Int, next: Int)?
    while at < name.endIndex {
      if next < pattern.endIndex, pattern[next] == UInt8(ascii: "*") {
        next += 1
        back = (at, next)
      } else if next < pattern.endIndex, pattern[next] == name[at] {
        (at, next) = (at + 1, next + 1)
      } else if let last = back {
        (at, next) = (last.at + 1, last.next)
        back = (at, next)
      } else {
        return false
      }
    }
    return pattern[next...].allSatisfy { $0 == UInt8(ascii: "*") }
  }

  /// The files that may be read for a trace: each text behind `costs:`, in comments too, and each that the trace
  /// includes.
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
    return files + included(in: text, of: trace)
  }

  /// The Swift files that a trace includes.
  private static func included(in text: [UInt8], of trace: String) -> [String] {
    guard !trace.hasSuffix(".swift") else { return [] }
    let source = SourceText(name: trace, utf8: text)
    return Compiler.includedFiles(of: source, reader).map { path(of: $0, from: trace) }
  }

  /// Where a file is that stands in the text of a trace or of an option.
  package static func path(of file: String, from: String) -> String {
    guard !file.hasPrefix("/"), !from.hasPrefix("--"), let slash = from.lastIndex(of: "/") else {
      return file
    }
    return String(from[...slash]) + file
  }
}
