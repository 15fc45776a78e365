package import BAPackKit

/// Why something could not be had from outside.
package struct Trouble: Error, Sendable, Equatable {
  /// What happened, in a few words.
  package let reason: String

  package init(_ reason: String) { self.reason = reason }
}

/// All that is not on the device: the server, and the bytes of files.
package struct ReleaseSource: Sendable {
  /// What the server says of its packs, by the number of a release and the platform that asks.
  package var manifest: @Sendable (Int, Platform) -> Result<Release, Trouble>
  /// Downloads a pack, and tells what it then is: with its files, where they are known.
  package var download: @Sendable (ReleasedPack) -> Result<ReleasedPack, Trouble>
  /// Returns a pack with its files, if they are available; does not change a device.
  package var inspect: @Sendable (ReleasedPack) -> Result<ReleasedPack, Trouble>
  /// Returns the digests of files of a pack, in the order of the paths; nil if the files cannot be
  /// read.
  package var digests: @Sendable (ReleasedPack, [AssetPath]) -> [[UInt8]]?

  package init(
    manifest: @escaping @Sendable (Int, Platform) -> Result<Release, Trouble>,
    download: @escaping @Sendable (ReleasedPack) -> Result<ReleasedPack, Trouble> = {
      .success($0)
    },
    inspect: (@Sendable (ReleasedPack) -> Result<ReleasedPack, Trouble>)? = nil,
    digests: @escaping @Sendable (ReleasedPack, [AssetPath]) -> [[UInt8]]? = { _, _ in nil }
  ) {
    self.manifest = manifest
    self.download = download
    self.inspect = inspect ?? download
    self.digests = digests
  }

  /// A world of releases that are known, where nothing goes wrong by itself.
  package init(
    _ releases: [Release],
    digests: @escaping @Sendable (ReleasedPack, [AssetPath]) -> [[UInt8]]? = { _, _ in nil }
  ) {
    self.init(
      manifest: { number, _ in
        releases.indices.contains(number)
          ? .success(releases[number]) : .failure(Trouble("there is no such release"))
      }, digests: digests)
  }

  /// Returns whether a path has the same bytes in all packs; nil if a pack cannot be read.
  func haveSameBytes(_ path: AssetPath, _ packs: [ReleasedPack]) -> Bool? {
    var first: [[UInt8]]?
    for pack in packs {
      guard let found = digests(pack, [path]) else { return nil }
      if let first, first != found { return false }
      first = found
    }
    return true
  }
}
