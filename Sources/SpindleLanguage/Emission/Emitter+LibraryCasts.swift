import SpindleModel

/// Casts to the program's own classes whose superclass is the library's: `operation as? Download`.
///
/// The library knows only the object in the first field of an instance; a table finds the instance of an object.
extension Emitter {
  /// Notes the instance of an object, in a program that casts to such classes.
  func noteInstance(_ instance: Register, of object: Register, _ range: SourceRange) {
    guard bodies.castsLibraryObjects else { return }
    let table = allocate()
    emit(.loadGlobal(table, hiddenGlobal(.instances)), range)
    emit(.entrySet(table, key: object, value: instance), range)
  }

  /// A cast of an object of the library, or of an `Any` that may have one; nil for other casts.
  func emitCast(
    ofLibraryObject inner: Typed.Expression, _ cast: Grammar.Cast, _ from: SwiftType,
    _ to: SwiftType, _ range: SourceRange
  ) -> Register? {
    let own = from.unwrappedFully
    if own == .any { return emitCast(ofAnyObject: inner, cast, to, range) }
    guard let library = own.nominal, Self.isInherited(library) else { return nil }
    if libraryClass(of: to) != nil {
      return emitResult(of: cast, to, instance(of: emit(inner), to, range), range)
    }
    guard let wanted = to.nominal, wanted.isLibrary, wanted.handle == library.handle else {
      return nil
    }
    return emitResult(
      of: cast, to, object(emit(inner), of: library, as: wanted, range), range)
  }

  /// An object of one class of the library as an object of another class; nil if it does not belong to that class.
  ///
  /// Only instances of the program's classes have an object of the class above itself.
  private func object(
    _ object: Register, of library: Nominal, as wanted: Nominal, _ range: SourceRange
  ) -> Register {
    if library.isSubclass(of: wanted) { return object }
    let (result, end) = (code.frame.pinned(), code.frame.label())
    let instance = instance(of: object, nil, range)
    emit(.constant(noValue, to: result), range)
    jump(ifNil: false, instance, to: end, range)
    emit(.copy(result, from: object), range)
    code.frame.mark(end)
    return result
  }

  /// A cast of an `Any`, which has an instance as it is and an object of the library in a box.
  private func emitCast(
    ofAnyObject inner: Typed.Expression, _ cast: Grammar.Cast, _ to: SwiftType,
    _ range: SourceRange
  ) -> Register? {
    let library = libraryClass(of: to)
    guard let wanted = to.nominal, let handle = (library ?? wanted).handle,
      library != nil || Self.isInherited(wanted)
    else { return nil }
    let (whole, result) = (code.frame.pinned(), code.frame.pinned())
    let (found, end) = (code.frame.label(), code.frame.label())
    emit(.copy(whole, from: emit(inner)), range)
    emit(.constant(noValue, to: result), range)
    jump(ifNil: true, whole, to: end, range)
    let below = table.usedTypes.filter { !$0.isLibrary && $0.isSubclass(of: wanted) }
    jump(to: found, ifOneOf: instances(of: below), whole, range)
    for type in table.libraryTypes where type.handle == handle && type.kind == .class {
      let next = code.frame.label()
      let boxed = emitUnboxed(whole, as: type.selfType, missing: next, range)
      let made =
        library == nil ? object(boxed, of: type, as: wanted, range) : instance(of: boxed, to, range)
      emit(.copy(result, from: made), range)
      code.frame.jump(end, expansion ?? range)
      code.frame.mark(next)
    }
    code.frame.jump(end, expansion ?? range)
    code.frame.mark(found)
    if library == nil {
      emit(.fieldLoad(result, of: whole, 0), range)
    } else {
      emit(.copy(result, from: whole), range)
    }
    code.frame.mark(end)
    return emitResult(of: cast, to, result, range)
  }

  private static func isInherited(_ nominal: Nominal) -> Bool {
    nominal.isLibrary && (nominal.handle == .operation || nominal.handle == .thread)
  }

  /// The instance that has an object of the library; nil where that has none of a type, or is nil.
  private func instance(of object: Register, _ type: SwiftType?, _ range: SourceRange) -> Register {
    let (found, table, owner) = (code.frame.pinned(), allocate(), temporary(.instance))
    emit(.loadGlobal(table, hiddenGlobal(.instances)), range)
    emit(.entryGet(found, of: table, key: object), range)
    emit(.loadWeak(owner, from: found), range)
    guard let type, let types = classes(castTo: type) else { return owner }
    let (result, end) = (code.frame.pinned(), code.frame.label())
    emit(.copy(result, from: owner), range)
    jump(ifNil: true, result, to: end, range)
    jump(to: end, ifOneOf: types, result, range)
    emit(.constant(noValue, to: result), range)
    code.frame.mark(end)
    return result
  }
}
