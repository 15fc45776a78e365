/// The files of several releases: names, sizes and identities, without contents.
///
/// Each path and each content is stored once; a file of a release takes eight bytes.
package struct AssetHistory: Sendable {
  /// A file of a release.
  package struct File: Sendable, Equatable {
    /// Its index in ``AssetHistory/paths``.
    package var path: Int32
    /// Its index in ``AssetHistory/contents``.
    package var content: Int32

    package init(path: Int32, content: Int32) {
      self.path = path
      self.content = content
    }
  }

  /// The content of files.
  package struct Content: Sendable, Equatable {
    package var size: UInt64
    /// A digest of 32 bytes, which is different for different contents.
    package var digest: [UInt8]

    package init(size: UInt64, digest: [UInt8]) {
      self.size = size
      self.digest = digest
    }
  }

  /// The files of one release.
  package struct Release: Sendable {
    package var name: String
    /// The files in the order of their paths.
    package var files: [File]

    package init(name: String, files: [File]) {
      self.name = name
      self.files = files
    }
  }

  /// The paths in all releases, and others that were added, in the order of their bytes.
  package let paths: [[UInt8]]
  package let contents: [Content]
  /// The releases, the oldest first.
  package let releases: [Release]
  /// The omissions of the history, one sentence each.
  package let notes: [String]

  /// Creates a history from paths in any order; the files of the releases are sorted.
  package init(
    _ paths: [[UInt8]], _ contents: [Content], _ releases: [Release], notes: [String] = []
  ) {
    let order = paths.indices.sorted { paths[$0].lexicographicallyPrecedes(paths[$1]) }
    var places = [Int32](repeating: 0, count: paths.count)
    for (place, index) in order.enumerated() { places[index] = Int32(place) }
    self.paths = order.map { paths[$0] }
    self.contents = contents
    self.releases = releases.map { release in
      var release = release
      for index in release.files.indices {
        release.files[index].path = places[Int(release.files[index].path)]
      }
      release.files.sort { $0.path < $1.path }
      return release
    }
    self.notes = notes
  }

  /// Returns the history without the releases before one.
  package func since(_ release: Int) -> AssetHistory {
    release == 0
      ? self : AssetHistory(paths, contents, Array(releases[release...]), notes: notes)
  }

  /// Returns the history with further paths, which no release contains.
  package func adding(_ others: [[UInt8]]) -> AssetHistory {
    let known = Set(paths)
    let new = others.filter { !known.contains($0) }
    return new.isEmpty ? self : AssetHistory(paths + new, contents, releases, notes: notes)
  }
}
