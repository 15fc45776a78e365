import Glibc
import SourceDiagnostics
package import SystemIO

/// The manifests in a folder and its subfolders: files named `*.json` that appear to be manifests.
///
/// Files and folders whose names begin with a dot are skipped. Links to folders are not followed.
package struct ManifestFolder: Sendable {
  /// The paths of the manifests, in byte order.
  package private(set) var manifests: [String] = []
  /// The paths of other JSON files.
  package private(set) var others: [String] = []

  /// The maximum depth of the search.
  fileprivate static let deepest = 64

  /// Searches a folder.
  ///
  /// A file that cannot be read is listed as a manifest, so that reading it reports the reason.
  package init(_ path: String) throws(Failure) {
    try search(in: FileDescriptor.open(path, for: .directory), path, depth: 1)
  }

  private mutating func search(
    in folder: borrowing FileDescriptor, _ path: String, depth: Int
  ) throws(Failure) {
    let listing = try folder.list()
    for item in listing.items {
      let bytes = listing.name(of: item)
      guard bytes.first != UInt8(ascii: ".") else { continue }
      let isJSON = Array(bytes.suffix(5)).map { $0 | 0x20 } == Array(".json".utf8)
      guard isJSON || item.kind == .directory || item.kind == .unknown else { continue }
      guard let name = String(validating: bytes, as: UTF8.self) else {
        if isJSON { others.append(path + "/" + shownBytes(bytes)) }
        continue
      }
      let below = path.utf8.last == slash ? path + name : path + "/" + name
      var kind = item.kind
      if kind == .unknown { kind = try folder.status(of: item, in: listing).kind }
      if kind == .directory {
        guard depth < Self.deepest else { continue }
        do throws(Failure) {
          try search(in: folder.open(FileName(bytes), for: .directory), below, depth: depth + 1)
        } catch {
          manifests.append(below)
        }
      } else if isJSON {
        add(below)
      }
    }
  }

  private mutating func add(_ path: String) {
    do throws(Failure) {
      let file = try FileDescriptor.open(path, for: .reading)
      let status = try file.status()
      guard status.kind == .file else {
        if status.kind != .directory { others.append(path) }
        return
      }
      guard status.size <= UInt64(JSONLimits().size) else {
        others.append(path)
        return
      }
      if Self.looksLikeManifest(try file.readToEnd(atMost: JSONLimits().size)) {
        manifests.append(path)
      } else {
        others.append(path)
      }
    } catch {
      manifests.append(path)
    }
  }

  /// Whether a text contains two of the keys that every manifest has, at the top level.
  ///
  /// The third key may be misspelled, and the text may be damaged. A list of packs, a record or a
  /// level of a game is not a manifest.
  static func looksLikeManifest(_ bytes: [UInt8]) -> Bool {
    // Texts without these keys do not need to be parsed.
    guard requiredKeys.count(where: { bytes.holds(Array($0.utf8)) }) >= 2 else { return false }
    let keys = rootKeys(bytes)
    return requiredKeys.count { keys.contains($0) } >= 2
  }

  /// Whether a file is a document of ba-package other than a manifest: a project file, a record, a
  /// report, a download manifest, a schema, or the JSON output of a command.
  ///
  /// A pattern such as `**/*.json` also matches these files.
  static func isOwnDocument(_ path: String) -> Bool {
    let names: [FileName] = [ProjectPlace.fileName, FileName(PackSizes.fileName)]
    if names.contains(FilePath(path).name) { return true }
    guard let file = try? FileDescriptor.open(path, for: .reading),
      (try? file.status())?.kind == .file,
      let start = try? file.readToEnd(atMost: FileFormat.startSize)
    else { return false }
    let form = FileFormat(start)
    if form == .downloadManifest { return true }
    let beginning = Array(start.filter { !($0 == 0x20 || (0x09...0x0D).contains($0)) }.prefix(128))
    func begins(with text: String) -> Bool { beginning.starts(with: Array(text.utf8)) }
    // Records and reports. A manifest with such a key has a mistake that must be reported.
    if begins(with: #"{"format":"#) { return form != .manifest }
    // Bills of materials, SARIF and schemas.
    if begins(with: #"{"$schema":"#),
      ["cyclonedx.org/", "/sarif-", "json-schema.org/"].contains(where: {
        beginning.holds(Array($0.utf8))
      })
    {
      return true
    }
    let keys = rootKeys(start)
    return requiredKeys.count { keys.contains($0) } < 2
      && ownKeys.contains { keys.isSuperset(of: $0) }
  }

  /// The keys that distinguish other documents of ba-package from manifests with mistakes: project
  /// files, accepted breakage, and the JSON output of commands.
  private static let ownKeys: [Set<String>] = [
    ["packs"], ["accepted"], ["old", "new"], ["events", "device"], ["project", "settings"],
    ["path", "archivePath"], ["path", "fileSize"], ["path", "source", "selector"],
    ["path", "severity"],
  ]

  /// Returns the keys of the object at the beginning of a text.
  private static func rootKeys(_ bytes: [UInt8]) -> Set<String> {
    let document = JSONDocument(parsing: SourceText(bytes, named: ""))
    guard let root = document.root, root.kind == .object else { return [] }
    return Set(root.members.compactMap(\.key.string))
  }

  private static let requiredKeys = Manifest.jsonShape.keys.filter { $0.presence == .required }
    .map(\.name)
}

/// The files whose paths match a pattern such as `Packs/**/*.json`, for callers that are not
/// started by a shell.
///
/// The syntax is that of a `filePattern`: `*` and `?` match within a name, `**` matches any
/// folders.
package struct MatchingFiles: Sendable {
  /// The paths, in byte order.
  ///
  /// A folder that cannot be read is included, so that reading it reports the reason.
  package private(set) var paths: [String] = []

  /// The paths that may be manifests.
  package var manifests: [String] { paths.filter { !ManifestFolder.isOwnDocument($0) } }

  private let pattern: PathPattern

  /// Searches for files; nil if the text is not a pattern, or is the name of a file.
  package init?(_ text: String) {
    guard text.utf8.contains(where: { Array("*?[".utf8).contains($0) }),
      (try? FileStatus(ofFileAt: text)) == nil, var pattern = try? PathPattern(forFiles: text)
    else { return nil }
    let prefix = pattern.literalPrefix
    guard prefix.count < pattern.components.count else { return nil }
    pattern.removeFirst(prefix.count)
    self.pattern = pattern
    let start = FilePath(joining: prefix).text
    let folder = FilePath(text).isAbsolute ? "/" + start : start
    search(in: folder, pattern.start, depth: 1)
  }

  private mutating func search(in folder: String, _ frontier: PathPattern.Frontier, depth: Int) {
    let listing: DirectoryListing
    do throws(Failure) {
      listing = try FileDescriptor.open(folder.isEmpty ? "." : folder, for: .directory).list()
    } catch {
      if error.code != ENOENT { paths.append(folder) }
      return
    }
    for item in listing.items {
      let name = listing.name(of: item)
      let path = FilePath(folder).appending(FileName(name)).text
      if pattern.accepts(frontier, name),
        (try? FileStatus(ofFileAt: path))?.kind != .directory
      {
        paths.append(path)
      }
      let next = pattern.advance(frontier, over: name)
      // A link to a folder may be a loop.
      guard pattern.canGoOn(next), depth < ManifestFolder.deepest,
        item.kind == .directory || item.kind == .unknown || item.kind == .symbolicLink,
        let kind = try? FileStatus(ofFileAt: path).kind, kind == .directory,
        item.kind != .symbolicLink || !pattern.crossesFolders
      else { continue }
      search(in: path, next, depth: depth + 1)
    }
  }
}
