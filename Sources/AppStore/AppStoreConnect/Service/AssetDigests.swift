import SourceDiagnostics

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

  /// The number of parts in the composite digest; nil if it contains no number.
  var count: UInt64? {
    composite.flatMap { $0.split(separator: "-").dropFirst().first }.flatMap { UInt64($0) }
  }

  /// The part size in all uploads that were observed.
  private static let usualPartSize: UInt64 = 5 << 20

  /// The possible part sizes, most likely first.
  var partSizes: [UInt64] {
    guard let size, size > 0 else { return [] }
    guard let count else { return [size, Self.usualPartSize] }
    guard count > 0, count <= size else { return [] }
    guard count > 1 else { return [size] }
    // All parts but the last have the full size; this bounds the size from below and above.
    let bounds = (size - 1) / count + 1..<(size - 1) / (count - 1) + 1
    return Self.round(in: bounds)
  }

  /// Returns the roundest numbers in a range: multiples of large powers of two and of ten.
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
