/// The version of the tool.
package enum ToolVersion {
  /// As `spindle --version` prints it.
  package static let text = "0.1.0"
}
