import BAPackKit
import BlockCodecs
import SystemIO
import Transfers

/// The size and the digests of a version's archive, as the service returns them.
package struct AssetDigests: Sendable, Equatable {
  package let size: UInt64?
  /// The digests of the whole file, in lower-case hexadecimal digits.
  package let sha256: String?
  package let md5: String?
  /// The MD5 of the MD5s of all parts, as object storage computes it, with their number: `<MD5>-7`.
  package let composite: String?

  init(size: UInt64?, sha256: String? = nil, md5: String? = nil, composite: String? = nil) {
    self.size = size
    self.sha256 = sha256
    self.md5 = md5
    self.composite = composite
  }

  /// Returns whether these are the digests of a checked archive; false if there are too few digests.
  ///
  /// Only a composite digest can need several passes over the file, because the part size is unknown.
  func describe(_ archive: UploadArchive) throws(PackError) -> Bool {
    guard size == archive.archive.size else { return false }
    if let sha256 { return sha256 == archive.archive.sha256 }
    guard md5 != nil || composite != nil else { return false }
    let file = try archive.open()
    for partSize in md5 == nil ? partSizes : [archive.archive.size] {
      let ranges = Self.ranges(of: archive.archive.size, partSize)
      let sums = try during(.reading) { () throws(Failure) in try file.sums(of: ranges) }
      guard hexadecimal(sums.sha256) == archive.archive.sha256 else { throw archive.changed }
      if let md5 { return hexadecimal(sums.md5) == md5 }
      if try composite == Self.composite(of: sums, isCounted: count != nil) { return true }
    }
    return false
  }

  /// The number of parts in the composite digest; nil if it contains no number.
  private var count: UInt64? {
    composite.flatMap { $0.split(separator: "-").dropFirst().first }.flatMap { UInt64($0) }
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
    let over = try during(.reading) { () throws(Failure) in
      var digest = try Digest(.md5)
      for part in sums.parts { part.withRawSpan { digest.update($0) } }
      return digest.finish()
    }
    return hexadecimal(over) + (isCounted ? "-\(sums.parts.count)" : "")
  }

  /// The part size in all uploads that were observed.
  private static let usualPartSize: UInt64 = 5 << 20

  /// The possible part sizes, the most likely first.
  var partSizes: [UInt64] {
    guard let size, size > 0 else { return [] }
    guard let count else { return [size, Self.usualPartSize] }
    guard count > 0, count <= size else { return [] }
    guard count > 1 else { return [size] }
    // All parts but the last have the full size; this bounds the size from below and above.
    let bounds = (size - 1) / count + 1..<(size - 1) / (count - 1) + 1
    return Self.round(in: bounds)
  }

  /// The roundest numbers in a range: multiples of large powers of two, and of ten.
  private static func round(in bounds: Range<UInt64>) -> [UInt64] {
    var found = [usualPartSize].filter { bounds.contains($0) }
    for base in [2, 10] as [UInt64] {
      var step: UInt64 = 1
      while step <= bounds.upperBound / base { step *= base }
      let most = found.count + 3
      while step > 0, found.count < most {
        var value = (bounds.lowerBound + step - 1) / step * step
        while bounds.contains(value), found.count < most {
          if !found.contains(value) { found.append(value) }
          value += step
        }
        step /= base
      }
    }
    return found
  }
}

extension AssetDigests {
  /// Reads the digests from a response; nil if the response has no archive.
  init?(_ file: ResourceNode?) {
    guard let file else { return nil }
    let sums = file.attribute("sourceFileChecksums")
    func hash(_ name: String, _ algorithm: String) -> String? {
      guard let sum = sums?[name], sum["algorithm"]?.string == algorithm else { return nil }
      return sum["hash"]?.string?.lowercased()
    }
    self.init(
      size: file.size("fileSize"), sha256: hash("file", "SHA_256"), md5: hash("file", "MD5"),
      composite: hash("composite", "MD5"))
  }
}
