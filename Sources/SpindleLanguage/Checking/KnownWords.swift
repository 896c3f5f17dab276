/// Words that names are compared with.
struct KnownWords {
  /// What the object is called to which bare names may belong.
  let own: Word
  let append: Word
  /// What a handler calls what was thrown.
  let error: Word
  let now: Word
  /// What a run loop's function is called that performs a block, and its argument.
  let perform: Word
  let modes: Word
  let platform: Word
  /// What an instance has of the library's class that its class is made from.
  let parent: Word
  let initializer: Word
  /// The method that a value has which is called itself.
  let callAsFunction: Word
  /// What a class calls itself.
  let ownType: Word
  /// The function that takes values of any type.
  let choice: Word
  /// The class of queues that a function makes.
  let serialQueue: Word
  /// What the one instance of a global actor is called.
  let shared: Word
  /// The field that an actor's executor is in, which no text can name.
  let executor: Word
  /// What a `switch` is over, while its cases are made: no name of a trace.
  let subject: Word
  /// What a value is called that is about to be put into its place: no name of a trace.
  let changed: Word
  /// What makes an array of another one, and what is given to `append`.
  let map: Word
  let sorted: Word
  let rejected: Word
  let contentsOf: Word
  /// What a `switch` over an outcome or an optional asks for.
  let success: Word
  let failure: Word
  let none: Word
  /// Types of the library that others stand for.
  let queue: Word
  let task: Word
  /// What an operation is asked besides its dependencies: `ready(when:)`.
  let ready: Word
  let when: Word
  /// What an observer is given while it is called: no name of a trace.
  let observed: Word
  /// The right side of an assignment that has been evaluated: no name of a trace.
  let assigned: Word
  /// What an operation is asked behind its `start`.
  let isFinished: Word
  let asksEnd: Word
  /// What is asked of an error, and the text of that of a cancelled task.
  let isOfType: Word
  let asType: Word
  let localizedDescription: Word
  let cancellation: Word
  let isThrown: Word
  let isThrownAs: Word
  let mayBeThrown: Word
  let whatIsThrown: Word
  let whatWasCaught: Word

  /// `filter` of what is not wanted: a name that no trace can write.
  static let rejected = "filter out"
  /// What tells whether the library asks for the end of an operation, another one.
  static let asksEnd = "asks for the end"

  /// Finds the words in a trace's table.
  init(_ words: WordTable) {
    (own, append) = (words.word("self"), words.word("append"))
    (error, now) = (words.word("error"), words.word("now"))
    (perform, modes) = (words.word("perform"), words.word("inModes"))
    (platform, subject) = (words.word("platform"), words.word("?"))
    (choice, serialQueue) = (words.word("choice"), words.word("DispatchSerialQueue"))
    (shared, executor) = (words.word("shared"), words.word("$ executor"))
    (parent, initializer) = (words.word("super"), words.word("init"))
    callAsFunction = words.word("callAsFunction")
    (ownType, changed) = (words.word("Self"), words.word("? changed"))
    (observed, assigned) = (words.word("? observed"), words.word("? assigned"))
    (sorted, contentsOf) = (words.word("sorted"), words.word("contentsOf"))
    rejected = words.word(KnownWords.rejected)
    (success, failure, none) = (words.word("success"), words.word("failure"), words.word("none"))
    (queue, task) = (words.word("DispatchQueue"), words.word("Task"))
    (ready, when, map) = (words.word("ready"), words.word("when"), words.word("map"))
    (isFinished, asksEnd) = (words.word("isFinished"), words.word(KnownWords.asksEnd))
    (asType, cancellation) = (words.word(Parser.asType), words.word("CancellationError()"))
    localizedDescription = words.word("localizedDescription")
    (isOfType, isThrown) = (words.word(Parser.isOfType), words.word(Parser.isThrown))
    (isThrownAs, mayBeThrown) = (words.word(Parser.isThrownAs), words.word(Parser.mayBeThrown))
    whatIsThrown = words.word(Parser.whatIsThrown)
    whatWasCaught = words.word(Parser.whatWasCaught)
  }
}
