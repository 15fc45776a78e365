/// A pointer to a C object that does not change after its creation, so that threads may share it.
///
/// Its owner frees the object.
///
/// Unchecked: the owner creates one only for an object that several threads may read concurrently.
@safe
package struct SharedHandle<Pointer: BitwiseCopyable>: @unchecked Sendable {
  package let pointer: Pointer

  package init(_ pointer: Pointer) { self.pointer = pointer }
}
