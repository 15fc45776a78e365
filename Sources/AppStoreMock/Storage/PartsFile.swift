import BlockCodecs
import SystemIO

/// What came of a file, at its places: a file without a name, with holes where nothing has come yet.
///
/// Several connections may write at once, each its own part.
final class PartsFile: Sendable {
  private let file: TemporaryFile

  init(size: UInt64) throws(Failure) {
    var made = try TemporaryFile()
    try made.extend(to: size)
    file = made
  }

  func write(_ bytes: RawSpan, at offset: UInt64) throws(Failure) {
    try file.write(bytes, at: offset)
  }

  /// All bytes, for whoever looks into them.
  func source() throws(Failure) -> ByteSource { try file.source() }

  /// The MD5 of all bytes.
  func md5() throws(Failure) -> [UInt8] {
    let source = try source()
    var digest = try Digest(.md5)
    var buffer = try ByteBuffer(capacity: 1 << 20)
    var offset: UInt64 = 0
    repeat {
      buffer.removeAll()
      try source.read(at: offset, count: 1 << 20, into: &buffer)
      buffer.withBytes { digest.update($0) }
      offset += UInt64(buffer.count)
    } while buffer.count > 0
    return digest.finish()
  }
}

/// The addresses to which parts are sent, each with a signature that nobody can make.
struct UploadAddress: Sendable, Equatable {
  let file: String
  let part: Int
  /// In seconds since 1970.
  let expires: Int64

  /// Where it is, below the address of the storage.
  func path(seed: String) -> String {
    "/upload/\(file)?partNumber=\(part)&Expires=\(expires)&Signature=\(signature(seed: seed))"
  }

  func signature(seed: String) -> String {
    guard var digest = try? Digest(.sha256) else { return "" }
    Array("\(seed)/\(file)/\(part)/\(expires)".utf8).withRawSpan { digest.update($0) }
    return hexadecimal(digest.finish())
  }
}

/// Which bytes of a file go out in which part.
enum PartPlan {
  /// An answer cannot list more.
  private static let most: UInt64 = 10_000

  static func parts(of size: UInt64, _ switches: Switches) -> [UploadFile.Part] {
    // Larger files get larger parts, as object storage does it.
    let least = UInt64(switches.partSize)
    let usual = max(least, (size + most - 1) / most)
    var parts: [UploadFile.Part] = []
    var place: UInt64 = 0
    while place < size {
      var length = usual
      if switches.partSizes == "uneven" {
        // Half, one, one and a half of the usual size, in turns.
        length = max(1, usual * UInt64(1 + parts.count % 3) / 2)
      }
      length = min(length, size - place)
      parts.append(.init(number: parts.count + 1, offset: place, length: length))
      place += length
    }
    return parts
  }
}
