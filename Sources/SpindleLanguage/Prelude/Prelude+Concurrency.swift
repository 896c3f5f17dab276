extension Prelude {
  /// Swift concurrency.
  static let concurrency = """
    protocol Actor {}
    protocol GlobalActor {}
    """
}
