/// An element of a block: copy literals, then repeat the bytes from `distance` bytes before.
struct Triplet: BitwiseCopyable {
  var literals: UInt16
  var match: UInt16
  var distance: UInt32

  static let zero = Triplet(literals: 0, match: 0, distance: 0)
}
