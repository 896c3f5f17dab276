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
    .library(
      name: "Spindle",
      targets: ["SpindleModel", "SpindleLanguage", "SpindleSimulator", "SpindleReports"]),
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
      swiftSettings: strict,
      // Rounding and square roots of final statistics.
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),

    // Floor 3: the stages, joined.
    .target(
      name: "SpindleCommand",
      dependencies: [
        "SpindleModel", "SpindleHost", "SpindleLanguage", "SpindleSimulator", "SpindleReports",
      ],
      swiftSettings: strict),
    .executableTarget(name: "spindle", dependencies: ["SpindleCommand"], swiftSettings: strict),
    .executableTarget(
      name: "SpindleBenchmarks",
      dependencies: ["SpindleModel", "SpindleLanguage", "SpindleSimulator", "SpindleReports"],
      swiftSettings: strict),

    .executableTarget(
      name: "SpindleFuzzer",
      dependencies: [
        "SpindleModel", "SpindleHost", "SpindleLanguage", "SpindleSimulator", "SpindleReports",
        "SpindleCommand",
      ],
      swiftSettings: strict),

    .testTarget(
      name: "SpindleLanguageTests", dependencies: ["SpindleLanguage", "SpindleModel"],
      swiftSettings: strict),
    .testTarget(
      name: "SpindleReportsTests", dependencies: ["SpindleReports", "SpindleModel"],
      swiftSettings: strict),
    .testTarget(
      name: "SpindleSimulatorTests",
      dependencies: [
        "TestSupport", "SpindleLanguage", "SpindleReports", "SpindleSimulator", "SpindleModel",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SpindleCommandTests",
      dependencies: [
        "TestSupport", "SpindleCommand", "SpindleLanguage", "SpindleModel", "spindle",
      ],
      swiftSettings: strict),

    // A user of the library: outside the package, so it sees only what is public.
    .testTarget(
      name: "LibraryTests",
      dependencies: ["SpindleLanguage", "SpindleModel", "SpindleReports", "SpindleSimulator"],
      packageAccess: false, swiftSettings: strict),

    // The whole: what tests share, every trace, and the repository's own rules.
    .target(
      name: "TestSupport",
      dependencies: ["SpindleModel", "SpindleLanguage", "SpindleSimulator", "SpindleReports"],
      path: "Tests/TestSupport", swiftSettings: strict),
    // A second reader of the logs' text, which shares no code with those who write it.
    .target(name: "LogReading", path: "Tests/LogReading", swiftSettings: strict),
    .testTarget(
      name: "SpindleFuzzerTests",
      dependencies: ["TestSupport", "SpindleFuzzer", "SpindleModel", "spindle"],
      swiftSettings: strict),
    .testTarget(
      name: "TraceTests",
      dependencies: [
        "TestSupport", "LogReading", "SpindleCommand", "SpindleLanguage", "SpindleModel",
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
