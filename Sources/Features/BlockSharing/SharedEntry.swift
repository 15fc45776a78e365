import AssetArchive
import BlockCodecs
import SystemIO
import TerminalText

/// An entry for a block in the format of a server: an `ActionResult` of Bazel's remote cache,
/// because some servers verify that entries under `/ac/` have this format.
///
/// Its only field, `stdout_raw`, contains a magic number, the form, an optional authentication
/// code, and the encoded bytes. Servers may add other fields. The code also covers the key of the
/// block, so that an entry under another name is rejected.
struct SharedEntry {
  let form: BlockEncoding
  /// The range of the encoded bytes.
  let payload: Range<Int>

  private static let magic = Array("BAPKSHB1".utf8)
  private static let codeSize = 32
  /// The maximum number of bytes in addition to the payload, including fields that servers add.
  static let overhead = 4096

  /// Returns the name of a block's entry on the server.
  static func name(of key: BlockKey) throws(Failure) -> String {
    var digest = try Digest(.sha256)
    magic.withRawSpan { digest.update($0) }
    key.bytes.withRawSpan { digest.update($0) }
    return hexadecimal(digest.finish())
  }

  /// Returns an entry, with an authentication code if there is a secret.
  static func bytes(
    _ key: BlockKey, _ form: BlockEncoding, _ encoded: RawSpan, secret: [UInt8]?
  ) throws(Failure) -> [UInt8] {
    let code = try secret.map { secret throws(Failure) in
      try Self.code(key, form, encoded, secret)
    }
    let head = magic + [letter(form), UInt8(code?.count ?? 0)] + (code ?? [])
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16 + head.count + encoded.byteCount)
    bytes.append(Self.tag(Self.standardOutput, .bytes))
    var size = UInt64(head.count + encoded.byteCount)
    while size > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: size) | 0x80)
      size >>= 7
    }
    bytes.append(UInt8(size))
    bytes += head
    bytes.append(copying: encoded)
    return bytes
  }

  /// Parses an entry; nil if it is invalid, or if there is a secret and the authentication code
  /// does not match.
  init?(_ bytes: [UInt8], for key: BlockKey, secret: [UInt8]?) {
    guard let field = Self.standardOutput(in: bytes), field.count >= Self.magic.count + 2,
      bytes[field].starts(with: Self.magic)
    else { return nil }
    var place = field.lowerBound + Self.magic.count
    switch bytes[place] {
    case Self.letter(.stored): form = .stored
    case Self.letter(.encoded): form = .encoded
    default: return nil
    }
    let size = Int(bytes[place + 1])
    place += 2
    guard size == 0 || size == Self.codeSize, field.upperBound - place >= size else { return nil }
    let code = bytes[place..<place + size]
    let payload = place + size..<field.upperBound
    guard form == .encoded || payload.isEmpty else { return nil }
    self.payload = payload
    guard let secret else { return }
    let form = form
    let expected = bytes.withRawSpan { try? Self.code(key, form, $0.extracting(payload), secret) }
    guard let expected, isSameSecret(Array(code), expected) else { return nil }
  }

  private static func letter(_ form: BlockEncoding) -> UInt8 {
    switch form {
    case .stored: UInt8(ascii: "s")
    case .encoded: UInt8(ascii: "e")
    }
  }

  private static func code(
    _ key: BlockKey, _ form: BlockEncoding, _ encoded: RawSpan, _ secret: [UInt8]
  ) throws(Failure) -> [UInt8] {
    var digest = try Digest(.sha256)
    (magic + key.bytes + [letter(form)]).withRawSpan { digest.update($0) }
    digest.update(encoded)
    return try authenticationCode(of: digest.finish(), key: secret)
  }
}

// MARK: - Protocol buffers

extension SharedEntry {
  /// The field numbers of `stdout_raw` and `exit_code` in an `ActionResult`.
  private static let standardOutput: UInt64 = 5
  private static let exitStatus: UInt64 = 4

  /// The wire type of a field.
  private enum WireType: UInt64 { case number = 0, eightBytes = 1, bytes = 2, fourBytes = 5 }

  private static func tag(_ field: UInt64, _ type: WireType) -> UInt8 {
    UInt8(field << 3 | type.rawValue)
  }

  /// Returns the range of the standard output of a successful action; nil for other data.
  private static func standardOutput(in bytes: [UInt8]) -> Range<Int>? {
    var place = 0
    var found: Range<Int>?
    func number() -> UInt64? {
      var value: UInt64 = 0
      for shift in stride(from: UInt64(0), to: 64, by: 7) {
        guard place < bytes.count else { return nil }
        let byte = bytes[place]
        place += 1
        value |= UInt64(byte & 0x7F) << shift
        if byte < 0x80 { return value }
      }
      return nil
    }
    while place < bytes.count {
      guard let tag = number(), let type = WireType(rawValue: tag & 7) else { return nil }
      let size: UInt64
      switch type {
      case .number:
        guard let value = number(), tag >> 3 != exitStatus || value == 0 else { return nil }
        continue
      case .eightBytes: size = 8
      case .fourBytes: size = 4
      case .bytes:
        guard let count = number() else { return nil }
        size = count
      }
      guard size <= UInt64(bytes.count - place) else { return nil }
      let end = place + Int(size)
      if tag >> 3 == standardOutput, type == .bytes { found = place..<end }
      place = end
    }
    return found
  }
}
