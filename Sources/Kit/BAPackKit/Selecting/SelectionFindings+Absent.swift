import SourceDiagnostics
import SystemIO

/// A file, folder or pattern of a selector without a match.
struct Absent {
  var selector: Int
  /// The path; for a pattern, the folder in which it begins.
  var path: [FileName]
  var expectsFolder: Bool
  /// The pattern without a match.
  var pattern: String?
  /// A link that the pattern did not follow.
  var linkPassedBy: [UInt8]?
}

/// Another folder for which the selectors may have been written.
struct OtherRoot {
  /// The folder's path, for messages and for opening it.
  var path: FilePath
  /// The value of `sourceRoot` for this folder; nil if it is unknown or would have no effect.
  var setting: String?

  /// Returns the folders near a manifest and its source root, the most likely first.
  static func around(_ root: SourceRoot, of document: ManifestDocument) -> [OtherRoot] {
    let own = FilePath(document.source.name).folder
    let isGiven = root.path != SourceRoot.path(for: document, defaultRoot: root.defaultRoot)
    let above = parent(of: FilePath(root.path))
    let aboveSetting = document.sourceRoot.map { parent(of: FilePath($0.utf8)).text }
    var roots = [
      OtherRoot(path: own, setting: "."), OtherRoot(path: parent(of: own), setting: ".."),
      OtherRoot(path: above, setting: aboveSetting),
    ]
    if isGiven {
      for index in roots.indices { roots[index].setting = nil }
    }
    return roots
  }

  /// Returns a value of `sourceRoot` for an existing folder, instead of a value for a missing one:
  /// the value relative to the parent of the manifest's folder or to the current folder, or a
  /// similar name.
  static func existing(for document: ManifestDocument) -> String? {
    guard let written = document.sourceRoot else { return nil }
    let own = FilePath(document.source.name).folder
    let value = FilePath(written.utf8)
    func isFolder(_ path: FilePath) -> Bool {
      (try? FileStatus(ofFileAt: path.text))?.kind == .directory
    }
    var values = [FilePath("..").appending(value).text]
    if let path = relativePath(of: value.text, from: own.text) { values.append(path) }
    let folder = own.appending(value.folder)
    if let names = try? FileDescriptor.open(folder.text, for: .directory).list() {
      let known = names.items.map { FilePath(names.fileName(of: $0).bytes).text }
      if let near = Spelling.nearest(to: FilePath(value.name.bytes).text, among: known) {
        values.insert(value.folder.appending(FilePath(near)).text, at: 0)
      }
    }
    return values.first { isFolder(own.appending(FilePath($0))) }
  }

  private static func parent(of path: FilePath) -> FilePath {
    let names = path.components
    guard let last = names.last, last != ".." else { return path.appending(".." as FileName) }
    return path.folder
  }

  /// Whether the folder differs from the one with this identity and contains all missing files.
  fileprivate func holds(_ wanted: [Absent], besides root: FileIdentity) -> Bool {
    do throws(Failure) {
      let folder = try FileDescriptor.open(path.text, for: .crossing)
      if try folder.status().identity == root { return false }
      let tree = FolderTree(folder)
      return wanted.allSatisfy { absent in
        switch try? tree.lookUp(absent.path, from: tree.root) {
        case .folder: absent.expectsFolder
        case .file: !absent.expectsFolder
        case nil: false
        }
      }
    } catch {
      return false
    }
  }
}

extension SelectionFindings {
  /// Reports missing files: one by one, or in one finding if another folder contains all of them.
  mutating func addAbsent(_ record: SelectedFiles, in tree: some SourceTree) {
    // Patterns of a group were processed with the first of them.
    let absent = record.absent.sorted { $0.selector < $1.selector }
    let named = absent.filter { !$0.path.isEmpty }
    if let first = named.first, record.selection.records.isEmpty,
      let root = try? tree.status(of: tree.root).identity,
      let other = otherRoots.first(where: { $0.holds(named, besides: root) })
    {
      add(
        SourceRules.missing(
          first, and: absent.count - 1, root: rootPath, other: other, places))
      return
    }
    var near = NearestPath(in: tree)
    for absent in absent {
      if let pattern = absent.pattern {
        add(unmatched(pattern, absent, &near))
      } else {
        let path = FilePath(joining: absent.path)
        let nearest = near.search(for: absent.path, expectsFolder: absent.expectsFolder)
        add(
          SourceRules.missing(
            path.unescaped, isFolder: absent.expectsFolder, root: rootPath,
            nearest: nearest.map { FilePath(joining: $0).unescaped },
            at: places.source(of: absent.selector), places))
      }
    }
  }

  /// Returns the finding for a pattern without matches, with a suggested pattern.
  private func unmatched(
    _ text: String, _ absent: Absent, _ near: inout NearestPath<some SourceTree>
  ) -> Finding {
    let advice = PatternAdvice(on: text)
    var notes = advice.notes
    var better: String?
    if let rewritten = advice.rewritten {
      if near.findFile(matching: rewritten) { better = rewritten }
    } else if notes.isEmpty {
      var corrected = text
      if let folder = near.search(for: absent.path, expectsFolder: absent.expectsFolder) {
        let rest = FilePath(text.utf8).components.dropFirst(folder.count)
        corrected = FilePath(joining: folder.map { NamePattern.escaped($0) } + rest).unescaped
        notes.append("a similar name is '\(path: FilePath(joining: folder).shown)'")
      }
      if !corrected.utf8.elementsEqual(text.utf8), near.findFile(matching: corrected) {
        better = corrected
        notes = []
      } else {
        better = near.ignoringCase(corrected, &notes)
      }
    }
    if let link = absent.linkPassedBy {
      notes.append(
        "the link '\(path: shownBytes(link))' leaves the source root, or its target is missing")
    }
    return PatternRules.nothingSelected(
      pattern: text, better: better, notes: notes, at: places.source(of: absent.selector),
      places)
  }
}

extension NearestPath {
  fileprivate mutating func findFile(matching text: String) -> Bool {
    guard let pattern = try? PathPattern(forFiles: text) else { return false }
    return firstMatch(of: pattern).map { !$0.isFolder } ?? false
  }

  /// Returns the pattern with the case of the file names.
  ///
  /// If a change of case is insufficient, a note describes a near match.
  fileprivate mutating func ignoringCase(_ text: String, _ notes: inout [Finding.Message])
    -> String?
  {
    guard let exact = try? PathPattern(forFiles: text),
      let loose = try? PathPattern(forAnyCase: text)
    else { return nil }
    if let folder = firstMatch(of: exact) {
      let path = FilePath(joining: folder.path).shown
      notes.append("'\(path: path)' is a folder, but a pattern selects files: use '\(text)/**'")
      return nil
    }
    guard let match = firstMatch(of: loose, ignoringCase: true), !match.isFolder else { return nil }
    let path = FilePath(joining: match.path)
    let components = FilePath(text.utf8).components
    let cased: [(String) -> String] = [{ $0.lowercased() }, { $0.uppercased() }]
    let candidates = cased.flatMap { change in
      [
        change(text),
        FilePath(
          joining: components.dropLast() + components.suffix(1).map { FileName(change($0.text)) }
        )
        .unescaped,
      ]
    }
    let better = candidates.first {
      (try? PathPattern(forFiles: $0))?.matches(path.bytes) ?? false
    }
    if better == nil {
      let isOnlyHidden = (try? PathPattern(forExclusion: "./" + text))?.matches(path.bytes) ?? false
      notes.append(
        isOnlyHidden
          ? "wildcards do not match the dot at the beginning of '\(path.shown)'"
          : "patterns are case-sensitive; '\(path.shown)' exists")
    }
    return better
  }
}

extension FileName {
  /// The name of a pattern's component, which is text.
  fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension FilePath {
  /// The path as text, as in a manifest.
  fileprivate var unescaped: String { String(decoding: bytes, as: UTF8.self) }
}
