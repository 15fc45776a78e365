import Foundation
import TestSupport
import Testing

/// The annotated example of the format description, in every container.
enum Example: String, CaseIterable {
  case bare = "raw"
  case stored = "none"
  case lzfse, zlib, lzma, lz4, lzbitmap
  case lz4SmallBlocks = "lz4-128"

  var path: String {
    Checkout.file("Tests/Conformance/example/example.\(rawValue).aar").path
  }

  func bytes() throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }
}
