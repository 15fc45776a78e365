import BlockCodecs
import Glibc
import SystemIO

/// The SHA-256 of all bytes of a file.
func fileDigest(
  of source: borrowing ByteSource, _ isCancelled: () -> Bool = { false }
) throws(PackError) -> [UInt8] {
  let step = 1 << 20
  do {
    var digest = try Digest(.sha256)
    var buffer = try ByteBuffer(capacity: step)
    var offset: UInt64 = 0
    while offset < source.size {
      if isCancelled() { throw PackError(.interrupted, "interrupted") }
      buffer.removeAll()
      try source.read(at: offset, count: step, into: &buffer)
      guard buffer.count > 0 else { break }
      buffer.withBytes { digest.update($0) }
      offset += UInt64(buffer.count)
    }
    return digest.finish()
  } catch let error as PackError {
    throw error
  } catch let error as SystemError {
    throw PackError(error)
  } catch {
    throw PackError(.system(ENOMEM), "not enough memory for a digest")
  }
}

extension PackReader {
  /// The SHA-256 of the contents of the present entry.
  public mutating func contentDigest() throws(PackError) -> [UInt8] {
    var digest: Digest
    do throws(CodecError) {
      digest = try Digest(.sha256)
    } catch {
      throw PackError(.system(ENOMEM), "not enough memory for a digest")
    }
    try readContents { digest.update($0) }
    return digest.finish()
  }
}

/// Bytes as digests are written.
package func hexadecimal(_ bytes: [UInt8]) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
