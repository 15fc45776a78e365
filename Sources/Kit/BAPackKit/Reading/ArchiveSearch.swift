package import SystemIO

/// The paths of archives in folders.
package enum ArchiveSearch {
  /// Returns the paths of files that may be archives in a folder and its subfolders, in order.
  package static func archives(
    in path: String, called names: Set<String> = []
  ) throws(Failure) -> [String] {
    var search = Search(names: names)
    try search.search(in: FileDescriptor.open(path, for: .directory))
    return search.paths
  }

  /// Returns the archives at a path: the file itself, or the archives in a folder.
  ///
  /// - Throws: ``PackError`` if the folder contains no archive.
  package static func packs(at path: String) throws(PackError) -> [String] {
    let found = try mapFailure(.reading) { () throws(Failure) -> [String]? in
      guard try FileStatus(ofFileAt: path).kind == .directory else { return nil }
      return try archives(in: path)
    }
    guard found?.isEmpty == true else { return found ?? [path] }
    throw PackError(
      .missing, "there are no packs in '\(path)'", remedy: "specify a folder with packs (*.aar)")
  }

  private struct Search {
    let names: Set<String>
    var paths: [String] = []

    init(names: Set<String>) { self.names = names }

    mutating func search(
      in folder: borrowing FileDescriptor
    ) throws(Failure) {
      let listing = try folder.list()
      for item in listing.items {
        let name = listing.fileName(of: item)
        var kind = item.kind
        if kind == .unknown { kind = try folder.status(of: name).kind }
        if kind == .directory {
          guard !name.bytes.starts(with: ".".utf8) else { continue }
          try search(in: folder.open(name, for: .directory))
        } else if isMatch(FilePath(name.bytes).text) {
          paths.append(folder.location.appending(name).text)
        }
      }
    }

    private func isMatch(_ name: String) -> Bool {
      names.contains(name) || name.lowercased().hasSuffix(".aar") && !name.hasPrefix(".")
    }
  }
}
