import BlockCodecs
package import SystemIO

/// Returns the SHA-256 of all bytes of a file.
package func fileDigest(of source: borrowing ByteSource, _ work: Work) throws(PackError) -> [UInt8]
{
  var digest = try Digest.starting(.sha256)
  try mapFailure(.reading) { () throws(Failure) in
    try digest.update(with: source, work) { _ in }
  }
  return digest.finish()
}

/// Returns the SHA-256 of the file at a path.
func fileDigest(ofFileAt path: String, _ work: Work) throws(PackError) -> [UInt8] {
  let source = try mapFailure(.reading) { () throws(Failure) in
    try ByteSource(try FileDescriptor.open(path, for: .reading))
  }
  return try fileDigest(of: source, work)
}

extension Digest {
  /// Adds all bytes of a file; each chunk is first passed to `receive`.
  mutating func update(
    with source: borrowing ByteSource, _ work: Work,
    _ receive: (RawSpan) throws(Failure) -> Void
  ) throws(Failure) {
    let step = Int(clamping: min(1 << 20, source.size))
    var buffer = try ByteBuffer(capacity: step)
    var offset: UInt64 = 0
    while offset < source.size {
      try work.check()
      buffer.removeAll()
      try source.read(at: offset, count: step, into: &buffer)
      guard buffer.count > 0 else { break }
      try buffer.withBytes { bytes throws(Failure) in try receive(bytes) }
      buffer.withBytes { update($0) }
      offset += UInt64(buffer.count)
    }
  }

  /// Returns a new digest.
  static func starting(_ algorithm: Algorithm) throws(PackError) -> Digest {
    try mapFailure(.reading) { () throws(Failure) in try Digest(algorithm) }
  }
}

extension PackReader {
  /// Returns the SHA-256 of the contents of the current entry.
  package mutating func contentDigest(_ work: Work) throws(PackError) -> [UInt8] {
    var digest = try Digest.starting(.sha256)
    try readContents { bytes throws(PackError) in
      try work.checkCancellation()
      digest.update(bytes)
    }
    return digest.finish()
  }
}
