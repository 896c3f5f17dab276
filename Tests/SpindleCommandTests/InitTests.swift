import SpindleSystem
import Testing

@testable import SpindleCommand

/// `spindle init`: a first trace and a workflow.
@Suite struct InitTests {
  @Test func aProjectIsCreatedAndItsTracePasses() throws {
    let folder = TemporaryFolder()
    let project = folder["App"]
    let call = Invocation("init", project)
    #expect(call.status == .held, "\(call.error)")
    #expect(call.output.hasPrefix("created \(project)/Traces/first.trace\ncreated "))
    let trace = "\(project)/Traces/first.trace"
    #expect(Invocation("check", trace).error == "")
    #expect(Invocation("format", "--check", trace).status == .held)
    let run = Invocation("simulate", trace)
    #expect(run.status == .held)
    #expect(run.output.contains("expected    3 of 3 met"), "\(run.output)")
    for command in ["simulate \(trace)", "timeline \(trace)", "test \(project)/Traces"] {
      #expect(call.output.contains("\n     spindle \(command)\n"), "\(command)")
    }
    let test = Invocation("test", "--all", "\(project)/Traces")
    #expect(test.status == .held)
    #expect(test.output.hasPrefix("1 passed, 0 failed"))
    let workflow = try #require(folder.read("App/.github/workflows/spindle.yml"))
    #expect(workflow.contains("paths: Traces\n"))
    // As the comment in the trace says.
    let text = try #require(folder.read("App/Traces/first.trace"))
    folder.write("worse.trace", text.replacing("decoder.async", with: "DispatchQueue.main.async"))
    #expect(Invocation("simulate", folder["worse.trace"]).status == .notHeld)
  }

  /// Whichever file exists, it stays as it is, and the other one is not created.
  @Test(
    "existing files stay", arguments: ["Traces/first.trace", ".github/workflows/spindle.yml"])
  func existingFilesStay(name: String) {
    let folder = TemporaryFolder()
    let path = folder.write(name, "mine\n")
    let call = Invocation("init", folder.path)
    #expect(call.status == .noOutput)
    #expect(call.output == "")
    #expect(
      call.error == "spindle: error: cannot create '\(path)': it exists; nothing was written\n")
    #expect(folder.read(name) == "mine\n")
    #expect(folder.names.count == 1)
  }

  @Test func allExistingFilesAreNamed() {
    let folder = TemporaryFolder()
    #expect(Invocation("init", folder.path).status == .held)
    let call = Invocation("init", folder.path)
    let (trace, workflow) = (folder["Traces/first.trace"], folder[".github/workflows/spindle.yml"])
    #expect(
      call.error
        == "spindle: error: cannot create '\(trace)' and '\(workflow)': they exist; nothing was written\n"
    )
  }

  @Test func aFileInPlaceOfAFolderIsAnError() {
    let folder = TemporaryFolder()
    folder.write("Traces", "")
    let call = Invocation("init", folder.path)
    #expect(call.status == .noOutput)
    #expect(
      call.error.hasPrefix("spindle: error: cannot write '\(folder["Traces"])"), "\(call.error)")
    #expect(folder.names == ["Traces"])
  }

  @Test func quietPrintsNothing() {
    let folder = TemporaryFolder()
    #expect(Invocation("init", "--quiet", folder.path).output == "")
    #expect(Invocation("init", "a", "b").status == .usage)
  }
}
