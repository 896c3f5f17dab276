import SpindleSystem

/// `spindle init`: writes the first files of a project.
struct InitCommand {
  private let console: Console
  private let folder: String
  private let isQuiet: Bool

  /// Creates the command.
  init(_ arguments: ParsedArguments, _ console: Console) {
    self.console = console
    folder = arguments.operands.first ?? "."
    isQuiet = arguments.has(.quiet)
  }

  /// Writes the files, and prints their names and the next steps.
  func run() throws(CommandFailure) -> ExitStatus {
    let prefix = folder == "." ? "" : folder.hasSuffix("/") ? folder : folder + "/"
    let trace = prefix + "Traces/first.trace"
    let workflow = prefix + ".github/workflows/spindle.yml"
    try CommandFailure.wrap { () throws(FileFailure) in
      try NewFiles(files: [(trace, InitCommand.trace), (workflow, InitCommand.workflow)]).write()
    }
    if isQuiet { return .held }
    let traces = FileName.shown(prefix + "Traces")
    console.output.write(
      """
      created \(FileName.shown(trace))
      created \(FileName.shown(workflow))

      Next:
      1. Run the trace:
           spindle simulate \(FileName.shown(trace))
      2. Draw its threads:
           spindle timeline \(FileName.shown(trace))
      3. Record its log, and test it after each change:
           spindle test --update \(traces)
           spindle test \(traces)
      4. In \(FileName.shown(workflow)), replace OWNER with the owner
         of the Spindle repository that CI builds. Commit the files.

      """)
    return .held
  }

  /// A first trace, with the commands for it.
  private static let trace = #"""
    // A list scrolls: a frame is due every 16 ms. A picture arrives meanwhile and is decoded on a queue in the
    // background, so that no frame is late. When the main queue decodes it instead, the expectations fail.
    //
    //   spindle simulate Traces/first.trace              runs it
    //   spindle timeline Traces/first.trace              draws its threads
    //   spindle compare Traces/first.trace --cores 1,2   compares two machines
    //   spindle test Traces                              checks its expectations
    trace "A list scrolls" { until: 200ms }

    machine { platform: .iOS; cores: 2 }

    let decoder = DispatchQueue(label: "decoder", qos: .userInitiated)

    main { }

    every(16ms, count: 12) { i in
        DispatchQueue.main.async(name: "frame\(i)") { work(4ms) }
    }

    at(40ms) {
        decoder.async(name: "picture") {
            work(20ms)
            DispatchQueue.main.async(name: "show") { work(1ms) }
        }
    }

    expect {
        latency("frame*").max <= 6ms
        main.longestStall <= 6ms
        order("picture", "show")
    }

    """#

  /// A workflow for GitHub that tests the traces.
  private static let workflow = """
    name: spindle

    on:
      push:
        branches: [main]
      pull_request:

    jobs:
      traces:
        runs-on: ubuntu-latest
        container: swift:6.3
        steps:
          - uses: actions/checkout@v4
          # Replace OWNER with the owner of the Spindle repository that CI builds.
          - uses: OWNER/Spindle/.github/actions/test@main
            with:
              paths: Traces
              results: spindle-results
          - uses: actions/upload-artifact@v4
            if: always()
            with:
              name: spindle-results
              path: spindle-results

    """
}
