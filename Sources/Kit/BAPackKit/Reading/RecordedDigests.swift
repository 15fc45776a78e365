import AssetArchive
import BlockCodecs
import SystemIO
import TerminalText

/// A comparison of an entry's contents with the sizes and digests in its header.
///
/// Asset packs contain no digests; other archives of Apple's format may contain them.
struct RecordedDigests: ~Copyable {
  private let recorded: [Field]
  private var cksum: Cksum?
  private var sha1: Digest?
  private var sha256: Digest?
  private var sha384: Digest?
  private var sha512: Digest?
  private var count: UInt64 = 0

  init(_ recorded: [Field]) throws(PackError) {
    let sha1 = try Self.digest(.sha1, of: .sha1, in: recorded)
    let sha256 = try Self.digest(.sha256, of: .sha256, in: recorded)
    let sha384 = try Self.digest(.sha384, of: .sha384, in: recorded)
    let sha512 = try Self.digest(.sha512, of: .sha512, in: recorded)
    self.recorded = recorded
    cksum = recorded.contains { $0.key == .checksum } ? Cksum() : nil
    self.sha1 = sha1
    self.sha256 = sha256
    self.sha384 = sha384
    self.sha512 = sha512
  }

  private static func digest(
    _ kind: Digest.Algorithm, of key: FieldKey, in recorded: [Field]
  ) throws(PackError) -> Digest? {
    guard recorded.contains(where: { $0.key == key }) else { return nil }
    return try Digest.starting(kind)
  }

  mutating func update(_ bytes: RawSpan) {
    count += UInt64(bytes.byteCount)
    if recorded.isEmpty { return }
    cksum?.update(bytes)
    sha1?.update(bytes)
    sha256?.update(bytes)
    sha384?.update(bytes)
    sha512?.update(bytes)
  }

  /// Returns descriptions of the digests and sizes that differ from the contents.
  mutating func faults() -> [String] {
    if recorded.isEmpty { return [] }
    var actual: [FieldKey: (name: String, bytes: [UInt8])] = [:]
    if let bytes = sha1.take()?.finish() { actual[.sha1] = ("SHA-1", bytes) }
    if let bytes = sha256.take()?.finish() { actual[.sha256] = ("SHA-256", bytes) }
    if let bytes = sha384.take()?.finish() { actual[.sha384] = ("SHA-384", bytes) }
    if let bytes = sha512.take()?.finish() { actual[.sha512] = ("SHA-512", bytes) }
    if let sum = cksum.take()?.finish() {
      actual[.checksum] = ("checksum", (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) })
    }
    return recorded.compactMap { field in
      switch field.value {
      case .number(let size) where field.key == .size && size != count:
        return "records a size of \(size) bytes, but its contents have \(count)"
      case .hash(let bytes):
        guard let (name, right) = actual[field.key], bytes != right else { return nil }
        // The byte order of this checksum is undocumented.
        if field.key == .checksum, bytes == right.reversed() { return nil }
        return "records the \(name) \(hexadecimal(bytes)), but its contents have "
          + hexadecimal(right)
      default: return nil
      }
    }
  }
}
