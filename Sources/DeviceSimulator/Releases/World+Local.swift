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
    // A device that was kept may know of packs that no release of this run has.
    download = { pack in
      guard pack.contents == nil, !pack.place.isEmpty, !RemoteServer.isAddress(pack.place) else {
        return .success(pack)
      }
      do throws(PackError) {
        return .success(pack.with(try PackOutline(reading: pack.place, memory: memory)))
      } catch {
        return .failure(Trouble(error))
      }
    }
  }
}

extension ReleasedPack {
  /// The pack, with what its archive says.
  func with(_ outline: PackOutline) -> ReleasedPack {
    var pack = self
    pack.contents = outline.contents
    pack.offered.size.unpacked = outline.contents.unpackedSize
    pack.offered.language = pack.offered.language ?? outline.offered.language
    return pack
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
