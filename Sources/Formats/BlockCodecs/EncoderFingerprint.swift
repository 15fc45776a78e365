import CLZ4
import CLZMA
import CZlib
package import LZFSE
package import SystemIO

extension BlockAlgorithm {
  /// The version of the encoded form of this kind of block with an effort.
  ///
  /// It is increased with every change after which an encoder, or the choice of its parameters,
  /// writes other bytes for any block: a cache then does not find the old results. A test records
  /// the output of each version, and fails if the bytes change and the number does not.
  package func encoderVersion(_ effort: Effort) -> Int {
    switch (self, effort) {
    case (.lzfse, .fast): 3
    case (.lzfse, .default): 4
    case (.lzfse, .better): 6
    case (.lzfse, .best): 10
    case (.zlib, .best), (.lzma, .best): 2
    case (.zlib, _), (.lzma, _), (.lz4, _): 1
    case (.stored, _), (.lzbitmap, _): 0
    }
  }

  /// The encoding library and its version; empty if the encoder is part of this package.
  package var encoderLibrary: String {
    switch self {
    case .zlib: unsafe "zlib \(String(cString: zlibVersion()))"
    case .lzma: unsafe "liblzma \(String(cString: lzma_version_string()))"
    case .lz4: unsafe "liblz4 \(String(cString: LZ4_versionString()))"
    case .lzfse, .stored, .lzbitmap: ""
    }
  }

  /// Returns an identifier of all inputs of the encoded form except the block's bytes: encoders
  /// with the same fingerprint write the same bytes.
  package func encoderFingerprint(
    effort: Effort, blockSize: Int, version: Int? = nil
  ) throws(Failure) -> [UInt8] {
    var digest = try Digest(.sha256)
    let parts = [
      "\(self)", "\(version ?? encoderVersion(effort))", encoderLibrary, "\(effort)",
      "\(blockSize)",
    ]
    let text = Array(parts.joined(separator: "\n").utf8)
    unsafe digest.update(text.span.bytes)
    return digest.finish()
  }
}
