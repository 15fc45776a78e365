/// Reads a `bvxn` block: LZVN, byte-aligned instructions without entropy coding.
enum VNDecoder {
  @unsafe
  static func decode(
    _ block: Block, from source: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer,
    at written: Int
  ) -> LZFSEError.Flaw? {
    var position = block.payload
    var out = written
    let end = written + block.rawByteCount
    var distance = 0
    while position < block.end {
      let opcode = unsafe source[position]
      if opcode == 0x06 {
        return position + 8 == block.end && out == end ? nil : .length
      }
      let available = block.end - position - 1
      guard
        let step = unsafe Instruction(
          opcode, operands: UnsafeRawBufferPointer(rebasing: source[(position + 1)...]),
          available: available)
      else { return .instruction }
      position += 1 + step.operandCount
      if let new = step.distance { distance = new }

      guard step.literals <= block.end - position else { return .literals }
      guard step.literals + step.match <= end - out else { return .length }
      if step.literals > 0 {
        unsafe target[out..<out + step.literals].copyBytes(
          from: source[position..<position + step.literals])
        position += step.literals
        out += step.literals
      }
      if step.match > 0 {
        guard distance > 0, distance <= out else { return .distance }
        if let base = target.baseAddress {
          let place = unsafe base + out
          // The source may overlap the target: those bytes have just been written.
          unsafe WideCopy.exact(
            UnsafeRawPointer(place - distance), to: place, count: step.match,
            readable: end - out + distance, writable: end - out)
        }
        out += step.match
      }
    }
    return .length
  }

  /// One instruction: literals that follow it, then a match.
  private struct Instruction {
    var literals = 0
    var match = 0
    /// `nil`: the distance of the previous match.
    var distance: Int?
    var operandCount = 0

    /// Fails on an undefined opcode, and when operands are missing.
    @unsafe
    init?(_ opcode: UInt8, operands: UnsafeRawBufferPointer, available: Int) {
      let code = Int(opcode)
      func word() -> Int { unsafe Int(operands[0]) | Int(operands[1]) << 8 }
      switch code {
      case 0x0e, 0x16:
        return
      case 0xf0, 0xe0:
        operandCount = 1
        guard available >= 1 else { return nil }
        let count = unsafe Int(operands[0]) + 16
        if code == 0xf0 { match = count } else { literals = count }
      case 0xf1...0xff:
        match = code & 15
      case 0xe1...0xef:
        literals = code & 15
      case 0x70...0x7f, 0xd0...0xdf:
        return nil
      case 0xa0...0xbf:
        operandCount = 2
        guard available >= 2 else { return nil }
        literals = code >> 3 & 3
        match = (code & 7) << 2 + word() & 3 + 3
        distance = word() >> 2
      default:
        literals = code >> 6
        match = code >> 3 & 7 + 3
        switch code & 7 {
        case 7:
          operandCount = 2
          guard available >= 2 else { return nil }
          distance = word()
        case 6:
          guard literals > 0 else { return nil }
        default:
          operandCount = 1
          guard available >= 1 else { return nil }
          distance = unsafe (code & 7) << 8 | Int(operands[0])
        }
      }
    }
  }
}
