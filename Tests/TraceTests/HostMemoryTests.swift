import Foundation
import TestSupport
import Testing

/// When the host has no memory left the tool ends with a sentence and a status of its own.
///
/// Only Linux lets a process have that little.
#if os(Linux)
  @Suite struct HostMemoryTests {
    /// A table that is asked of the system, and an array that is asked of Swift's runtime.
    @Test(arguments: ["each.async { sleep(1h) }", "port.send(\"x\")"])
    func shortageHasAStatus(statement: String) throws {
      let path = NSTemporaryDirectory() + "spindle-\(UUID().uuidString).trace"
      defer { try? FileManager.default.removeItem(atPath: path) }
      let text = """
        machine { platform: .ideal; cores: 1 }
        let each = ThreadPerTask()
        let port = Port { m in }
        main { while true { \(statement) } }
        """
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      let result = try BuiltTool.run(["simulate", path], kilobytes: 200_000)
      #expect(result.status == 71)
      #expect(result.error.hasSuffix("spindle: error: the host has no memory left\n"))
      #expect(result.output == "")
    }

    @Test func mistakeOfTheTraceIsNoShortage() throws {
      let result = try BuiltTool.run(["check", "/no/such/file.trace"], kilobytes: 200_000)
      #expect(result.status == 66)
    }
  }
#endif
