// swift-tools-version: 6.2

import PackageDescription

/// Every target is strict: Swift 6 mode, explicit `any`, explicit `public import`, no warnings.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "Spindle",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "spindle", targets: ["spindle"]),
    .executable(name: "spindle-calibrate", targets: ["SpindleCalibrator"]),
    .executable(name: "spindle-validate", targets: ["SpindleValidator"]),
    .library(
      name: "Spindle",
      targets: ["SpindleModel", "SpindleLanguage", "SpindleSimulator", "SpindleReports"]),
    .library(name: "SpindleTesting", targets: ["SpindleTesting"]),
  ],
  targets: [
    // Floor 1: the data that flows, and what is asked of the host: memory and threads.
    .target(name: "SpindleModel", swiftSettings: strict),
    .target(name: "SpindleHost", swiftSettings: strict),

    // Floor 2: three stages that know the data and not each other.
    .target(
      name: "SpindleLanguage", dependencies: ["SpindleModel", "SpindleHost"],
      swiftSettings: strict),
    .target(
      name: "SpindleSimulator", dependencies: ["SpindleModel", "SpindleHost"],
      swiftSettings: strict),
    .target(
      name: "SpindleReports", dependencies: ["SpindleModel", "SpindleHost"],
      // What the tool carries in itself: the page of the HTML report, and the pages of findings, which are links to the
      // traces and the text in Traces/findings.
      resources: [.embedInCode("Exports/HTML/Page"), .embedInCode("FindingPages/Texts")],
      swiftSettings: strict,
      // Rounding and square roots of final statistics.
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),

    // Beside them: recordings of real machines become text for the first stage.
    .target(name: "SpindleRecordings", dependencies: ["SpindleModel"], swiftSettings: strict),

    // Beside the reports: runs under other schedules.
    .target(
      name: "SpindleExplore",
      dependencies: ["SpindleModel", "SpindleHost", "SpindleSimulator", "SpindleReports"],
      swiftSettings: strict),

    // Files and the clock of the host, which no stage can reach.
    .target(name: "SpindleSystem", dependencies: ["SpindleHost"], swiftSettings: strict),

    // Floor 3: the stages, joined: a text that is compiled, run and judged.
    .target(
      name: "SpindleRun",
      dependencies: [
        "SpindleModel", "SpindleSystem", "SpindleLanguage", "SpindleSimulator", "SpindleReports",
        "SpindleExplore",
      ],
      swiftSettings: strict),
    // Floor 4: what people and tests of other packages use.
    .target(
      name: "SpindleCommand",
      dependencies: [
        "SpindleModel", "SpindleHost", "SpindleLanguage", "SpindleSimulator", "SpindleReports",
        "SpindleRecordings", "SpindleSystem", "SpindleRun", "SpindleExplore",
      ],
      swiftSettings: strict),
    // For tests of other packages.
    .target(
      name: "SpindleTesting",
      dependencies: [
        "SpindleModel", "SpindleLanguage", "SpindleSimulator", "SpindleReports", "SpindleRun",
        "SpindleExplore",
      ],
      swiftSettings: strict),
    .executableTarget(name: "spindle", dependencies: ["SpindleCommand"], swiftSettings: strict),
    // What measures this machine: the only ones that run real threads of the libraries.
    .executableTarget(name: "SpindleCalibrator", swiftSettings: strict),
    .executableTarget(
      name: "SpindleValidator",
      // The programs' own text, which is simulated: links to the files that are compiled.
      resources: [.embedInCode("Texts")], swiftSettings: strict),
    .executableTarget(
      name: "SpindleBenchmarks",
      dependencies: [
        "SpindleModel", "SpindleLanguage", "SpindleSimulator", "SpindleReports", "SpindleRun",
        "SpindleExplore",
      ],
      swiftSettings: strict),

    // Programs that are made from seeds.
    .target(name: "SpindleGenerator", swiftSettings: strict),
    .executableTarget(
      name: "SpindleFuzzer",
      dependencies: [
        "SpindleGenerator", "SpindleModel", "SpindleHost", "SpindleLanguage", "SpindleSimulator",
        "SpindleReports",
        "SpindleRecordings", "SpindleSystem", "SpindleRun", "SpindleCommand",
      ],
      swiftSettings: strict),

    .testTarget(
      name: "SpindleLanguageTests",
      dependencies: ["TestSupport", "SpindleLanguage", "SpindleModel", "SpindleSimulator"],
      swiftSettings: strict),
    .testTarget(
      name: "SpindleReportsTests", dependencies: ["TestSupport", "SpindleReports", "SpindleModel"],
      swiftSettings: strict),
    .testTarget(
      name: "SpindleExploreTests",
      dependencies: [
        "TestSupport", "SpindleExplore", "SpindleLanguage", "SpindleModel", "SpindleReports",
        "SpindleSimulator",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SpindleRecordingsTests", dependencies: ["SpindleRecordings", "SpindleModel"],
      swiftSettings: strict),
    .testTarget(
      name: "SpindleSimulatorTests",
      dependencies: [
        "TestSupport", "SpindleFuzzer", "SpindleLanguage", "SpindleReports", "SpindleSimulator",
        "SpindleHost", "SpindleModel", "SpindleRun",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SpindleCommandTests",
      dependencies: [
        "TestSupport", "SpindleCommand", "SpindleLanguage", "SpindleModel", "SpindleSimulator",
        "SpindleSystem",
        "SpindleRun",
        "spindle",
      ],
      swiftSettings: strict),

    // A user of the library: outside the package, so it sees only what is public.
    .testTarget(
      name: "LibraryTests",
      dependencies: ["SpindleLanguage", "SpindleModel", "SpindleReports", "SpindleSimulator"],
      packageAccess: false, swiftSettings: strict),

    .testTarget(
      name: "SpindleTestingTests", dependencies: ["SpindleTesting"], packageAccess: false,
      swiftSettings: strict),

    // The whole: what tests share, every trace, and the repository's own rules.
    .target(
      name: "TestSupport",
      dependencies: [
        "SpindleModel", "SpindleLanguage", "SpindleSimulator", "SpindleReports", "SpindleRun",
      ],
      path: "Tests/TestSupport", swiftSettings: strict),
    // A second reader of the logs' text, which shares no code with those who write it.
    .target(name: "LogReading", path: "Tests/LogReading", swiftSettings: strict),
    .testTarget(
      name: "SpindleFuzzerTests",
      dependencies: [
        "TestSupport", "SpindleFuzzer", "SpindleGenerator", "SpindleModel", "SpindleRecordings",
        "spindle",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TraceTests",
      dependencies: [
        "TestSupport", "LogReading", "SpindleCommand", "SpindleSystem", "SpindleLanguage",
        "SpindleModel", "SpindleRun",
        "SpindleReports", "SpindleSimulator",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TidyTests",
      dependencies: [
        "TestSupport", "SpindleLanguage", "SpindleModel", "SpindleReports", "SpindleSimulator",
        "spindle",
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
