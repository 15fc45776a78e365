/// The formats that a pack can be exported to, chosen by the end of a file name.
package struct ForeignFormat: Sendable, Equatable {
  enum Layout: Sendable { case zip, tar, sevenZip, cpio }
  enum Filter: Sendable { case gzip, bzip2, xz, zstd, lz4 }

  /// The end of the file name, in lower case: ".tar.zst".
  package let suffix: String
  let layout: Layout
  let filter: Filter?

  /// Every format, the most popular first.
  package static let all: [ForeignFormat] = [
    ForeignFormat(suffix: ".zip", layout: .zip, filter: nil),
    ForeignFormat(suffix: ".tar", layout: .tar, filter: nil),
    ForeignFormat(suffix: ".tar.gz", layout: .tar, filter: .gzip),
    ForeignFormat(suffix: ".tgz", layout: .tar, filter: .gzip),
    ForeignFormat(suffix: ".tar.xz", layout: .tar, filter: .xz),
    ForeignFormat(suffix: ".txz", layout: .tar, filter: .xz),
    ForeignFormat(suffix: ".tar.zst", layout: .tar, filter: .zstd),
    ForeignFormat(suffix: ".tzst", layout: .tar, filter: .zstd),
    ForeignFormat(suffix: ".tar.bz2", layout: .tar, filter: .bzip2),
    ForeignFormat(suffix: ".tbz2", layout: .tar, filter: .bzip2),
    ForeignFormat(suffix: ".tar.lz4", layout: .tar, filter: .lz4),
    ForeignFormat(suffix: ".7z", layout: .sevenZip, filter: nil),
    ForeignFormat(suffix: ".cpio", layout: .cpio, filter: nil),
  ]

  /// Creates the format for a file name; nil if its end is not in the list.
  package init?(fileName: String) {
    let name = fileName.lowercased()
    guard let found = Self.all.first(where: { name.hasSuffix($0.suffix) }) else { return nil }
    self = found
  }

  /// The range of times that readers of the format understand, in seconds since 1970.
  package var times: ClosedRange<Int64> {
    switch layout {
    // Unsigned 32 bits.
    case .zip, .cpio: 0...Int64(UInt32.max)
    // 63 bits of 100 nanoseconds each, since 1601; zero represents no time.
    case .sevenZip: -11_644_473_599...910_692_730_085
    // 56 bits: GNU tar rejects times outside this range.
    case .tar: -1 << 55...(1 << 55) - 1
    }
  }

  private init(suffix: String, layout: Layout, filter: Filter?) {
    self.suffix = suffix
    self.layout = layout
    self.filter = filter
  }
}
