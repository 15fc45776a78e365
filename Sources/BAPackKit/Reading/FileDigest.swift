import BlockCodecs
import Glibc
package import SystemIO

/// The SHA-256 of all bytes of a file.
func fileDigest(of source: borrowing ByteSource, _ work: Work) throws(PackError) -> [UInt8] {
  var digest = try Digest.starting(.sha256)
  try mapFailure(.reading) { () throws(Failure) in
    let step = 1 << 20
    var buffer = try ByteBuffer(capacity: step)
    var offset: UInt64 = 0
    while offset < source.size {
      try work.check()
      buffer.removeAll()
      try source.read(at: offset, count: step, into: &buffer)
      guard buffer.count > 0 else { break }
      buffer.withBytes { digest.update($0) }
      offset += UInt64(buffer.count)
    }
  }
  return digest.finish()
}

extension Digest {
  /// Starts a digest of a file or of contents.
  static func starting(_ algorithm: Algorithm) throws(PackError) -> Digest {
    try explaining({ _ in PackError(.system(ENOMEM), "not enough memory for a digest") }) {
      () throws(Failure) in
      try Digest(algorithm)
    }
  }
}

extension PackReader {
  /// The SHA-256 of the contents of the current entry.
  package mutating func contentDigest(_ work: Work) throws(PackError) -> [UInt8] {
    var digest = try Digest.starting(.sha256)
    try readContents { bytes throws(PackError) in
      try work.checkCancellation()
      digest.update(bytes)
    }
    return digest.finish()
  }
}
