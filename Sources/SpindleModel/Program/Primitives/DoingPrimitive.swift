/// Working, waiting, noting, memory, and ending.
@usableFromInline
package enum DoingPrimitive: Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// duration: holds a core until that much work, given at speed 1, is done.
  case work
  /// duration: blocks the thread; no core is held.
  case io
  /// duration: blocks the thread.
  case sleep
  /// instant: blocks the thread until then; a past moment does not block.
  case sleepUntil
  /// string: writes a line of output.
  case print
  /// string: writes to the output what may be a part of a line, or several.
  case printPart
  /// string, string → boolean: whether the first comes before the second, as Swift orders texts.
  case textIsBefore
  /// string, string → boolean: whether the first begins, or ends, with the second, or has it anywhere.
  case textHasPrefix, textHasSuffix, textContains
  /// string → integer: how many characters it has.
  case textCount
  /// string → string.
  case textUppercased, textLowercased, textCapitalized
  /// string, integer, integer → string: the characters from the first place up to the second, as far as there are some.
  case textPart
  /// string → integer: what its first character is, by the bits of `CharacterTraits`; 0 for an empty text.
  case textTraits
  /// string → the integer that it is, or nothing.
  case textNumber
  /// string, integer → integer: the byte at a place of its UTF-8 form, or nothing behind the end.
  case textByte
  /// integer → string: the Unicode scalar of that number as a text, or nil if the number is not one.
  case textScalar
  /// string: notes a moment; costs nothing.
  case mark
  /// key (string), value, format (the raw value of a `ValueFormat`): notes a value once.
  case record
  /// key (string), value, format: notes one of many values, unless there is no value.
  case sample
  /// Lets another ready thread run.
  case yield
  /// size: takes memory.
  case allocate
  /// size: gives memory back; more than was taken crashes.
  case free
  /// size: takes memory that the innermost autorelease pool of this thread gives back.
  case autorelease
  /// Opens an autorelease pool on this thread.
  case autoreleasePoolPush
  /// Closes the innermost autorelease pool of this thread.
  case autoreleasePoolPop
  /// string: crashes the process.
  case fatalError
  /// string: crashes the process, with that and nothing before it.
  case trap
  /// string, instruction: crashes the process, since nothing catches what that instruction threw.
  case uncaught
  /// code (integer or `noValue`): ends the process.
  case exit
}
