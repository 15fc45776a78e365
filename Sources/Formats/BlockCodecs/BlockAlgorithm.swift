/// The algorithm of the blocks of a container; the raw value is the letter after `pbz`.
package enum BlockAlgorithm: UInt8, Sendable, CaseIterable {
  case stored = 0x2D  // -
  case lzfse = 0x65  // e
  case zlib = 0x7A  // z
  case lzma = 0x78  // x
  case lz4 = 0x34  // 4
  case lzbitmap = 0x62  // b; read only
}

extension BlockAlgorithm: CustomStringConvertible {
  /// The name that `--compression` and the reports use.
  package var description: String {
    switch self {
    case .stored: "none"
    case .lzfse: "lzfse"
    case .zlib: "zlib"
    case .lzma: "lzma"
    case .lz4: "lz4"
    case .lzbitmap: "lzbitmap"
    }
  }
}
