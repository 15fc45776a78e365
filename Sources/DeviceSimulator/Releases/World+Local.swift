import BAPackKit

extension World {
  /// A world of packs that lie on this machine.
  package init(local releases: [Release], memory: UInt64 = PackReader.defaultMemory) {
    self.init(releases) { path, packs in
      var digests: Set<[UInt8]> = []
      for pack in packs {
        guard let digest = try? PackOutline.digest(of: path, in: pack.place, memory: memory) else {
          return nil
        }
        digests.insert(digest)
      }
      return digests.count == 1
    }
  }
}

extension PackOutline {
  /// The SHA-256 of a file in an archive; nil if it is not there.
  fileprivate static func digest(
    of path: String, in archive: String, memory: UInt64
  ) throws(PackError) -> [UInt8]? {
    var reader = try PackReader(opening: archive, memory: memory)
    let wanted = Array(path.utf8)
    while let entry = try reader.nextEntry() {
      guard entry.kind == .file, let file = entry.bytesInContents, file.elementsEqual(wanted)
      else { continue }
      return try reader.contentDigest()
    }
    return nil
  }
}
