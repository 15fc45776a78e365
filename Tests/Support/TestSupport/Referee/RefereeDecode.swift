import BlockCodecs
import SystemIO

/// Decodes one block.
///
/// LZFSE, zlib and xz have separate tests against other implementations, so the referee uses the
/// decoders of the package. The two short framings of Apple are implemented again here.
func refereeDecode(_ letter: Character, _ payload: [UInt8], size: Int) throws -> [UInt8] {
  switch letter {
  case "4": return try decodeLZ4(payload)
  case "b": return try decodeLZBitmap(payload)
  default:
    guard let code = letter.asciiValue, let algorithm = BlockAlgorithm(rawValue: code) else {
      throw RefereeComplaint(description: "no codec for \(letter)")
    }
    let decoder = try algorithm.makeDecoder()
    var buffer = try ByteBuffer(capacity: size)
    try payload.withRawSpan { bytes throws(Failure) in
      try buffer.append(upTo: size) { output throws(Failure) in
        try decoder.decode(bytes, into: &output)
      }
    }
    var decoded: [UInt8] = []
    buffer.withBytes { decoded.append(copying: $0) }
    return decoded
  }
}

/// Decodes `bv41` and `bv4-` frames, up to `bv4$`; matches may extend into earlier frames.
private func decodeLZ4(_ payload: [UInt8]) throws -> [UInt8] {
  var output: [UInt8] = []
  var rest = payload[...]
  func read(_ count: Int) throws -> ArraySlice<UInt8> {
    try require(count <= rest.count, "lz4: cut off")
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
  while true {
    let magic = String(decoding: try read(4), as: UTF8.self)
    switch magic {
    case "bv4$":
      try require(rest.isEmpty, "lz4: bytes after the end")
      return output
    case "bv4-": output += try read(littleEndian(try read(4)))
    case "bv41":
      let end = output.count + littleEndian(try read(4))
      try decodeLZ4Block(try read(littleEndian(try read(4))), onto: &output)
      try require(output.count == end, "lz4: frame size")
    default: throw RefereeComplaint(description: "lz4: frame \(magic)")
    }
  }
}

private func decodeLZ4Block(_ block: ArraySlice<UInt8>, onto output: inout [UInt8]) throws {
  var rest = block
  func byte() throws -> Int {
    guard let byte = rest.popFirst() else { throw RefereeComplaint(description: "lz4: cut off") }
    return Int(byte)
  }
  func length(_ nibble: Int) throws -> Int {
    var length = nibble
    if nibble == 15 {
      var more = 255
      while more == 255 {
        more = try byte()
        length += more
      }
    }
    return length
  }
  while true {
    let token = try byte()
    let literals = try length(token >> 4)
    try require(literals <= rest.count, "lz4: literals cut off")
    output += rest.prefix(literals)
    rest = rest.dropFirst(literals)
    if rest.isEmpty { return }
    let distance = try byte() | byte() << 8
    try require(distance > 0 && distance <= output.count, "lz4: distance")
    for _ in 0..<(try length(token & 15)) + 4 { output.append(output[output.count - distance]) }
  }
}

/// Decodes `ZBM\x09`, then chunks; a chunk without contents ends the stream.
private func decodeLZBitmap(_ payload: [UInt8]) throws -> [UInt8] {
  try require(payload.starts(with: [0x5A, 0x42, 0x4D, 9]), "lzbitmap: magic")
  var output: [UInt8] = []
  var start = 4
  while true {
    try require(start + 6 <= payload.count, "lzbitmap: chunk header cut off")
    let length = littleEndian(payload[start..<start + 3])
    let raw = littleEndian(payload[start + 3..<start + 6])
    try require(length >= 6 && start + length <= payload.count, "lzbitmap: chunk cut off")
    let chunk = Array(payload[start..<start + length])
    start += length
    if length == raw + 6 {
      output += chunk[6...]
    } else {
      var decoder = try BitmapChunk(chunk, upTo: output.count + raw)
      try decoder.decode(onto: &output)
    }
    if raw == 0 { break }
  }
  try require(start == payload.count, "lzbitmap: bytes after the end")
  return output
}

private struct BitmapChunk {
  let chunk: [UInt8]
  let end: Int
  var literal = 15
  var periods: Int
  var bitmaps: Int
  /// Counted in nibbles, the low one of a byte first.
  var nibbles: Int
  var period = 8

  init(_ chunk: [UInt8], upTo end: Int) throws {
    try require(chunk.count >= 32, "lzbitmap: short chunk")
    self.chunk = chunk
    self.end = end
    periods = littleEndian(chunk[6..<9])
    bitmaps = littleEndian(chunk[9..<12])
    nibbles = littleEndian(chunk[12..<15]) * 2
  }

  private func byte(_ at: Int) throws -> Int {
    try require(at < chunk.count, "lzbitmap: chunk cut off")
    return Int(chunk[at])
  }

  private mutating func nibble() throws -> Int {
    let byte = try byte(nibbles / 2)
    defer { nibbles += 1 }
    return nibbles.isMultiple(of: 2) ? byte & 15 : byte >> 4
  }

  /// Returns the ten bits of a descriptor, of twelve that are packed in the last 17 bytes.
  private func descriptor(_ index: Int) -> Int {
    let packed = Array(chunk.suffix(17))
    return (0..<10).reduce(0) { value, bit in
      let at = index * 10 + bit
      return value | Int(packed[at / 8] >> (at % 8) & 1) << bit
    }
  }

  mutating func decode(onto output: inout [UInt8]) throws {
    while output.count < end {
      let code = try nibble()
      try require(code != 15, "lzbitmap: descriptor 15")
      var repetitions = 1
      if end - output.count > 8 {
        if try nibble() == 15 {
          repetitions = 4
          var more = 15
          while more == 15 {
            more = try nibble()
            repetitions += more
          }
        } else {
          nibbles -= 1
        }
      }
      for _ in 0..<repetitions where output.count < end { try group(code, onto: &output) }
    }
  }

  private mutating func group(_ code: Int, onto output: inout [UInt8]) throws {
    var bitmap = code >= 3 ? descriptor(code - 3) : code << 8
    if code < 3 {
      bitmap |= try byte(bitmaps)
      bitmaps += 1
    }
    let width = bitmap >> 8
    try require(width <= 2, "lzbitmap: period of three bytes")
    if width > 0 {
      period = try byte(periods) | (width == 2 ? byte(periods + 1) << 8 : 0)
      periods += width
    }
    for bit in 0..<8 where output.count < end {
      if bitmap >> bit & 1 == 1 {
        output.append(UInt8(try byte(literal)))
        literal += 1
      } else {
        try require(period > 0 && period <= output.count, "lzbitmap: period")
        output.append(output[output.count - period])
      }
    }
  }
}
