import TestSupport
import Testing

@testable import SpindleCommand

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The action for GitHub and the hook for git, as far as they run without a network.
@Suite struct HiddenFilesTests {
  /// A folder with the tool under its name, for the path.
  private func folder() throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    folder.write("bin/none", "")
    symlink(try #require(BuiltTool.path), folder["bin/spindle"])
    return folder
  }

  /// Runs a script in the folder; what it prints stands in `out`.
  private func run(_ folder: TemporaryFolder, _ script: String) throws -> RunningTool.End {
    let text = """
      cd '\(folder.path)' || exit 99
      export PATH='\(folder["bin"])':$PATH HOME='\(folder.path)' GIT_CONFIG_NOSYSTEM=1
      \(script)
      """
    return try RunningTool([], through: "exec >'\(folder["out"])' 2>&1\n\(text)").wait()
  }

  @Test func theStepsOfTheActionTestTraces() throws {
    let folder = try folder()
    folder.write("t/holds.trace", SimulateTests.holds)
    let action = "\(Repository.root)/.github/actions/test"
    let steps = """
      '\(action)/build.sh' || exit 98
      GITHUB_ACTIONS=true CI=true SPINDLE_PATHS=t SPINDLE_ARGUMENTS='--shard 1/1 --verbose' \\
        '\(action)/test.sh'
      """
    #expect(try run(folder, steps) == .exit(0), "\(folder.read("out") ?? "")")
    #expect(folder.read("out")?.contains("passed t/holds.trace\n") == true)
    #expect(folder.read("spindle-results/junit.xml")?.contains("file=\"t/holds.trace\"") == true)
    folder.write("t/fails.trace", SimulateTests.fails)
    #expect(try run(folder, steps) == .exit(1))
    #expect(
      folder.read("out")?.contains("\n::error file=t/fails.trace,line=3,col=10,title=expectation::")
        == true)
    #expect(
      folder.read("spindle-results/results.sarif")?.contains("\"uri\": \"t/fails.trace\"") == true)
    // However the folder is named: services look for the name that the repository has.
    for path in [".", "./t"] {
      #expect(try run(folder, steps.replacing("PATHS=t", with: "PATHS=\(path)")) == .exit(1))
      #expect(folder.read("out")?.contains("\n::error file=t/fails.trace,line=3,") == true)
      #expect(folder.read("spindle-results/junit.xml")?.contains("file=\"t/holds.trace\"") == true)
    }
  }

  @Test func theActionsFileNamesItsScripts() throws {
    let text = try Repository.text(".github/actions/test/action.yml")
    for script in ["build.sh", "test.sh"] {
      #expect(text.contains("run: '\"$GITHUB_ACTION_PATH/\(script)\"'"))
      #expect(access("\(Repository.root)/.github/actions/test/\(script)", X_OK) == 0)
    }
    // What the script reads is what the file hands on.
    let script = try Repository.text(".github/actions/test/test.sh")
    for name in ["PATHS", "ARGUMENTS", "RESULTS"] {
      #expect(text.contains("SPINDLE_\(name): ${{ inputs.\(name.lowercased()) }}"))
      #expect(script.contains("${SPINDLE_\(name):-"))
    }
  }

  @Test func theHookTestsWhatIsCommitted() throws {
    let folder = try folder()
    folder.write("holds.trace", SimulateTests.holds)
    folder.write("other.trace", SimulateTests.fails)
    let setUp = """
      git init -q . && git config user.email a@b && git config user.name a
      git config core.hooksPath '\(Repository.root)/.githooks'
      """
    let good = try run(folder, setUp + "\ngit add holds.trace && git commit -qm one")
    #expect(good == .exit(0), "\(folder.read("out") ?? "")")
    #expect(folder.read("out")?.contains("1 passed, 0 failed") == true)
    #expect(try run(folder, "git add other.trace && git commit -qm two") == .exit(1))
    #expect(folder.read("out")?.contains("failed other.trace") == true)
    folder.write("other.trace", "main { work( 1ms ) }\n")
    #expect(try run(folder, "git add other.trace && git commit -qm three") == .exit(1))
    folder.write("other.trace", "main { work(1ms) }\n")
    #expect(try run(folder, "git add other.trace && git commit -qm four") == .exit(0))
    // What counts is what is committed, not what else stands in the folder.
    folder.write("other.trace", SimulateTests.fails)
    #expect(try run(folder, "git add other.trace") == .exit(0))
    folder.write("other.trace", "main { work(2ms) }\n")
    #expect(try run(folder, "git commit -qm five") == .exit(1))
    #expect(try run(folder, "git add other.trace && git commit -qm six") == .exit(0))
    #expect(try run(folder, "git rm -q other.trace && git commit -qm seven") == .exit(0))
    let hooks = try Repository.text(".pre-commit-hooks.yaml")
    #expect(hooks.contains("entry: .githooks/pre-commit\n"))
    #expect(access("\(Repository.root)/.githooks/pre-commit", X_OK) == 0)
  }
}
