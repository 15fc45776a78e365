/// A part of a file whose numbers and texts are read at checked offsets.
///
/// All functions return nil for a place that is not completely inside.
struct CheckedBytes: Sendable {
  private let bytes: ArraySlice<UInt8>
  let isBigEndian: Bool

  init(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool = false) {
    self.bytes = bytes
    self.isBigEndian = isBigEndian
  }

  var count: Int { bytes.count }
  /// The bytes themselves.
  var contents: ArraySlice<UInt8> { bytes }
  /// The same bytes, with the most significant byte of each number first.
  var bigEndian: CheckedBytes { CheckedBytes(bytes, isBigEndian: true) }

  /// Returns the part at an offset.
  func part(_ offset: some BinaryInteger, _ count: some BinaryInteger) -> CheckedBytes? {
    guard let offset = Int(exactly: offset), let count = Int(exactly: count), offset >= 0,
      count >= 0, offset <= bytes.count, count <= bytes.count - offset
    else { return nil }
    let start = bytes.startIndex + offset
    return CheckedBytes(bytes[start..<start + count], isBigEndian: isBigEndian)
  }

  /// Returns the part from an offset to the end.
  func rest(_ offset: some BinaryInteger) -> CheckedBytes? {
    guard let offset = Int(exactly: offset), offset <= bytes.count else { return nil }
    return part(offset, bytes.count - offset)
  }

  func number<Number: FixedWidthInteger>(_ offset: some BinaryInteger, _: Number.Type) -> Number? {
    guard let part = part(offset, Number.bitWidth / 8) else { return nil }
    let ordered = isBigEndian ? Array(part.bytes) : part.bytes.reversed()
    return ordered.reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
  }

  func u32(_ offset: some BinaryInteger) -> UInt32? { number(offset, UInt32.self) }

  /// Returns consecutive numbers of 32 bits.
  func numbers(at offset: Int, _ count: Int) -> [UInt32]? {
    let numbers = (0..<count).compactMap { u32(offset + 4 * $0) }
    return numbers.count == count ? numbers : nil
  }

  func u64(_ offset: some BinaryInteger) -> UInt64? { number(offset, UInt64.self) }

  /// Returns the text up to the next NUL, or up to the end.
  func text(_ offset: some BinaryInteger, atMost limit: Int = 1024) -> String? {
    guard let rest = rest(offset) else { return nil }
    let text = rest.bytes.prefix(limit).prefix { $0 != 0 }
    return String(validating: text, as: UTF8.self)
  }
}
