import BAPackKit
import BlockCodecs
import SystemIO
import TerminalText
import Transfers

extension AssetDigests {
  /// Returns whether these are the digests of a checked archive; false if there are too few
  /// digests.
  ///
  /// Only a composite digest can need several passes over the file, because the part size is
  /// unknown.
  func describe(_ archive: UploadArchive, _ work: Work) throws(PackError) -> Bool {
    guard size == archive.archive.size else { return false }
    if let sha256 { return sha256 == archive.archive.sha256 }
    guard md5 != nil || composite != nil else { return false }
    let file = try archive.open()
    for partSize in md5 == nil ? partSizes : [archive.archive.size] {
      let ranges = Self.ranges(of: archive.archive.size, partSize)
      let sums = try mapFailure(.reading) { () throws(Failure) in try file.sums(of: ranges, work) }
      guard hexadecimal(sums.sha256) == archive.archive.sha256 else { throw archive.changed }
      if let md5 { return hexadecimal(sums.md5) == md5 }
      if try composite == Self.composite(of: sums, isCounted: count != nil) { return true }
    }
    return false
  }

  private static func ranges(of size: UInt64, _ partSize: UInt64) -> [Range<UInt64>] {
    stride(from: 0, to: size, by: UInt64.Stride(clamping: partSize)).map {
      $0..<min(size, $0 + partSize)
    }
  }

  private static func composite(
    of sums: UploadFile.Sums, isCounted: Bool
  ) throws(PackError) -> String {
    if !isCounted, sums.parts.count == 1 { return hexadecimal(sums.md5) }
    let over = try mapFailure(.reading) { () throws(Failure) in
      var digest = try Digest(.md5)
      for part in sums.parts { part.withRawSpan { digest.update($0) } }
      return digest.finish()
    }
    return hexadecimal(over) + (isCounted ? "-\(sums.parts.count)" : "")
  }
}
