/// What a block consists of: copy literals, then repeat what was written `distance` bytes before.
struct Triplet: BitwiseCopyable {
  var literals: UInt16
  var match: UInt16
  var distance: UInt32

  static let zero = Triplet(literals: 0, match: 0, distance: 0)
}
