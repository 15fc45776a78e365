/// A pointer to a C object that never changes after it was made, so that threads may share it.
///
/// Its owner frees the object.
///
/// Unchecked: the owner makes one only of an object that any number of threads may read at once.
@safe
package struct SharedHandle<Pointer: BitwiseCopyable>: @unchecked Sendable {
  package let pointer: Pointer

  package init(_ pointer: Pointer) { self.pointer = pointer }
}
