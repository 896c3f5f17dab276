import SpindleSystem

/// `spindle init`: writes what a project needs to begin with.
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

  /// Writes the files, and names them with what to do next.
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
        spindle simulate \(FileName.shown(trace))
        spindle test --update \(traces)   records the log of each trace
        spindle test \(traces)
      In \(FileName.shown(workflow)), replace OWNER by the owner of the
      Spindle repository that CI is to build.

      """)
    return .held
  }

  /// A first trace, with the commands for it.
  private static let trace = #"""
    // A list scrolls: a frame is due every 16 ms. A picture arrives meanwhile and is decoded on a queue in the
    // background, so that no frame is late. Decode on the main queue instead, and the expectations fail.
    //
    //   spindle simulate Traces/first.trace              runs it
    //   spindle timeline Traces/first.trace              draws its threads
    //   spindle compare Traces/first.trace --cores 1,2   compares two machines
    //   spindle test Traces                              checks what it expects
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
          # Replace OWNER by the owner of the Spindle repository that CI is to build.
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
