import BAPackKit
package import SystemIO

extension ReleaseSource {
  /// Creates a source of local packs.
  package init(local releases: [Release], memory: UInt64 = PackReader.defaultMemory, _ work: Work) {
    self.init(releases) { pack, paths in
      try? PackOutline.digests(of: paths, in: pack.place, memory: memory, work)
    }
    // A saved device may have packs that no release of this run contains.
    download = { pack in
      guard pack.contents == nil, !pack.place.isEmpty, !RemoteServer.isAddress(pack.place) else {
        return .success(pack)
      }
      do throws(PackError) {
        return .success(pack.with(try PackOutline(reading: pack.place, memory: memory, work)))
      } catch {
        return .failure(ReleaseFailure(error))
      }
    }
    inspect = download
  }
}

extension ReleasedPack {
  /// Returns the pack with the values of its archive.
  func with(_ outline: PackOutline) -> ReleasedPack {
    var pack = self
    pack.contents = outline.contents
    pack.offered.size.unpacked = outline.contents.unpackedSize
    pack.offered.language = pack.offered.language ?? outline.offered.language
    pack.offered.platforms = outline.offered.platforms
    for rule in outline.platformRules where !pack.rules.contains(rule) { pack.rules.append(rule) }
    return pack
  }
}

extension PackOutline {
  /// The semantic rules that apply because of the pack's platforms.
  var platformRules: [SemanticRule] { manifest.platforms.isEmpty ? [.platformNone] : [] }

  /// Returns the SHA-256 of files in an archive, in the order of the paths; nil if a file is
  /// missing.
  fileprivate static func digests(
    of paths: [AssetPath], in archive: String, memory: UInt64, _ work: Work
  ) throws(PackError) -> [[UInt8]]? {
    var places = Dictionary(paths.enumerated().map { ($1, $0) }) { first, _ in first }
    var digests = [[UInt8]](repeating: [], count: paths.count)
    var reader = try PackReader(opening: archive, memory: memory)
    while !places.isEmpty, let entry = try reader.nextEntry() {
      guard entry.kind == .file, let file = entry.pathInContents,
        let place = places.removeValue(forKey: file)
      else { continue }
      digests[place] = try reader.contentDigest(work)
    }
    return places.isEmpty ? digests : nil
  }
}
