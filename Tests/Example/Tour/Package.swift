// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Tour",
  platforms: [.macOS(.v15)],
  dependencies: [.package(path: "../Spindle")],
  targets: [
    .testTarget(
      name: "TourTests",
      dependencies: [
        .product(name: "Spindle", package: "Spindle"),
        .product(name: "SpindleTesting", package: "Spindle"),
      ])
  ]
)
