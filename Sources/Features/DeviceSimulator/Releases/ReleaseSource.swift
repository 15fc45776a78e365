package import BAPackKit

/// The reason why a request to a source failed.
package struct ReleaseFailure: Error, Sendable, Equatable {
  /// The reason in a few words.
  package let reason: String

  package init(_ reason: String) { self.reason = reason }
}

/// The source of releases: the server, and the bytes of files.
package struct ReleaseSource: Sendable {
  /// Returns the manifest of a release for a platform.
  package var manifest: @Sendable (Int, Platform) -> Result<Release, ReleaseFailure>
  /// Downloads a pack, and returns it with its files, if they are known.
  package var download: @Sendable (ReleasedPack) -> Result<ReleasedPack, ReleaseFailure>
  /// Returns a pack with its files, if they are available; does not change a device.
  package var inspect: @Sendable (ReleasedPack) -> Result<ReleasedPack, ReleaseFailure>
  /// Returns the digests of files of a pack, in the order of the paths; nil if the files cannot be
  /// read.
  package var digests: @Sendable (ReleasedPack, [AssetPath]) -> [[UInt8]]?

  package init(
    manifest: @escaping @Sendable (Int, Platform) -> Result<Release, ReleaseFailure>,
    download: @escaping @Sendable (ReleasedPack) -> Result<ReleasedPack, ReleaseFailure> = {
      .success($0)
    },
    inspect: (@Sendable (ReleasedPack) -> Result<ReleasedPack, ReleaseFailure>)? = nil,
    digests: @escaping @Sendable (ReleasedPack, [AssetPath]) -> [[UInt8]]? = { _, _ in nil }
  ) {
    self.manifest = manifest
    self.download = download
    self.inspect = inspect ?? download
    self.digests = digests
  }

  /// Creates a source of known releases in which no request fails.
  package init(
    _ releases: [Release],
    digests: @escaping @Sendable (ReleasedPack, [AssetPath]) -> [[UInt8]]? = { _, _ in nil }
  ) {
    self.init(
      manifest: { number, _ in
        releases.indices.contains(number)
          ? .success(releases[number]) : .failure(ReleaseFailure("the release does not exist"))
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
