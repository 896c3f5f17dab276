/// What a thread is called, before it is a text: the thread's number may be another one's later.
struct ThreadName: BitwiseCopyable {
  /// The number of the name that it was given; -1 for none.
  var name: Int32 = -1
  /// The number of its executor's name; -1 for none.
  var maker: Int32 = -1
  /// How many threads its executor had made with it.
  var serial: Int32 = 0
}
