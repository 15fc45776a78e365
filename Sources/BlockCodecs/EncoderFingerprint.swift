import CLZ4
import CLZMA
import CZlib
package import LZFSE
package import SystemIO

extension BlockAlgorithm {
  /// Which of our ways to encode blocks of this kind it is.
  ///
  /// It is raised by every change after which an encoder, or what chooses its parameters, writes other
  /// bytes for any block: what a cache kept before is then not found any more. A test records what
  /// each version writes, and fails on a change that leaves the number as it is.
  package var encoderVersion: Int {
    switch self {
    case .lzfse: 1
    case .zlib: 1
    case .lzma: 1
    case .lz4: 1
    case .stored, .lzbitmap: 0
    }
  }

  /// The library that encodes, with its version; empty where that is our own code.
  package var encoderLibrary: String {
    switch self {
    case .zlib: unsafe "zlib \(String(cString: zlibVersion()))"
    case .lzma: unsafe "liblzma \(String(cString: lzma_version_string()))"
    case .lz4: unsafe "liblz4 \(String(cString: LZ4_versionString()))"
    case .lzfse, .stored, .lzbitmap: ""
    }
  }

  /// Stands for everything but a block's own bytes that decides what becomes of it: two encoders
  /// with one fingerprint write the same.
  package func encoderFingerprint(
    effort: Effort, blockSize: Int, version: Int? = nil
  ) throws(Failure) -> [UInt8] {
    var digest = try Digest(.sha256)
    let words = [
      "\(self)", "\(version ?? encoderVersion)", encoderLibrary, "\(effort)", "\(blockSize)",
    ]
    let text = Array(words.joined(separator: "\n").utf8)
    unsafe digest.update(text.span.bytes)
    return digest.finish()
  }
}
