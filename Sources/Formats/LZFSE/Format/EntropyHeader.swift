/// The header of an entropy-coded block: `bvx2`, or `bvx1` with plain tables.
struct EntropyHeader {
  var rawByteCount = 0
  var literalCount = 0
  var tripletCount = 0
  var literalPayload = 0
  var tripletPayload = 0
  /// Minus the number of unused bits in the payload's last byte.
  var literalSpare = 0
  var tripletSpare = 0
  var literalStates = (0, 0, 0, 0)
  var literalRunState = 0
  var matchState = 0
  var distanceState = 0
  /// The size of the fields and the tables together.
  var byteCount = 0

  /// Reads the packed form; the caller has checked that 32 bytes are available.
  @unsafe
  init(packed source: UnsafeRawBufferPointer) {
    rawByteCount = unsafe Int(source.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    let first = unsafe BitField(source.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    literalCount = first[0, 20]
    literalPayload = first[20, 20]
    tripletCount = first[40, 20]
    literalSpare = first[60, 3] - 7
    let second = unsafe BitField(source.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
    literalStates = (second[0, 10], second[10, 10], second[20, 10], second[30, 10])
    tripletPayload = second[40, 20]
    tripletSpare = second[60, 3] - 7
    let third = unsafe BitField(source.loadUnaligned(fromByteOffset: 24, as: UInt64.self))
    byteCount = third[0, 32]
    literalRunState = third[32, 10]
    matchState = third[42, 10]
    distanceState = third[52, 10]
  }

  /// Reads the plain form's fields; the caller has checked that all 772 bytes are available.
  @unsafe
  init(plain source: UnsafeRawBufferPointer) {
    func word(_ offset: Int) -> Int {
      unsafe Int(source.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
    func signed(_ offset: Int) -> Int {
      unsafe Int(source.loadUnaligned(fromByteOffset: offset, as: Int32.self))
    }
    func half(_ offset: Int) -> Int {
      unsafe Int(source.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }
    rawByteCount = word(4)
    literalCount = word(12)
    tripletCount = word(16)
    literalPayload = word(20)
    tripletPayload = word(24)
    literalSpare = signed(28)
    literalStates = (half(32), half(34), half(36), half(38))
    tripletSpare = signed(40)
    literalRunState = half(44)
    matchState = half(46)
    distanceState = half(48)
    byteCount = Format.plainHeaderSize
  }

  init() {}

  /// Writes the packed form's 32 bytes; the tables follow them.
  @unsafe
  func write(packedTo target: UnsafeMutableRawPointer) {
    unsafe target.storeBytes(of: Magic.packed.littleEndian, as: UInt32.self)
    unsafe target.storeBytes(
      of: UInt32(truncatingIfNeeded: rawByteCount), toByteOffset: 4, as: UInt32.self)
    var first = BitField(0)
    first.set(0, literalCount)
    first.set(20, literalPayload)
    first.set(40, tripletCount)
    first.set(60, literalSpare + 7)
    var second = BitField(0)
    second.set(0, literalStates.0)
    second.set(10, literalStates.1)
    second.set(20, literalStates.2)
    second.set(30, literalStates.3)
    second.set(40, tripletPayload)
    second.set(60, tripletSpare + 7)
    var third = BitField(0)
    third.set(0, byteCount)
    third.set(32, literalRunState)
    third.set(42, matchState)
    third.set(52, distanceState)
    unsafe target.storeBytes(of: first.value, toByteOffset: 8, as: UInt64.self)
    unsafe target.storeBytes(of: second.value, toByteOffset: 16, as: UInt64.self)
    unsafe target.storeBytes(of: third.value, toByteOffset: 24, as: UInt64.self)
  }

  /// Whether all fields are in the ranges that a decoder requires.
  var isValid: Bool {
    let states = literalStates
    return literalCount <= Format.maximumLiterals && literalCount % 4 == 0
      && tripletCount <= Format.maximumTriplets
      && (-7...0).contains(literalSpare) && (-7...0).contains(tripletSpare)
      && max(states.0, states.1, states.2, states.3) < Alphabet.literal.stateCount
      && literalRunState < Alphabet.literalRun.stateCount
      && matchState < Alphabet.match.stateCount
      && distanceState < Alphabet.distance.stateCount
      && byteCount >= Format.blockHeaderSize
  }
}

/// Numbers packed into one word from the low bit up.
private struct BitField {
  var value: UInt64

  init(_ value: UInt64) { self.value = value }

  subscript(offset: UInt64, width: UInt64) -> Int {
    Int(truncatingIfNeeded: value >> offset & (1 << width - 1))
  }

  mutating func set(_ offset: UInt64, _ number: Int) {
    value |= UInt64(truncatingIfNeeded: number) << offset
  }
}
