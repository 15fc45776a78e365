import AppSide
import SourceDiagnostics
import SystemIO

/// An item with tags in an asset catalog, such as an image, data or an atlas.
struct CatalogItem {
  var tags: [String]
  /// The item's folder, relative to the source root: `Art.xcassets/hero.imageset`.
  var path: FilePath
  /// The name that the app uses, with the folders that provide a namespace: `Cave/bat`.
  var name: String
  /// The item's files, as paths relative to its folder.
  var files: [FilePath]
  /// The text that contains the tags.
  var source: SourceText
  var span: SourceSpan

  /// The kind of the item: `imageset`.
  var kind: String {
    let name = path.name.shown
    return name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? ""
  }
}

/// A cache of which asset catalogs contain tags.
struct TaggedCatalogs {
  private var known: [FilePath: Bool] = [:]

  /// Returns whether resources or catalogs with tags were added after these counts.
  mutating func hasTags(
    _ project: TaggedProject, after counts: TaggedProject.Counts, in folder: ResourceFolder
  ) -> Bool {
    project.resources.count > counts.resources
      || project.catalogs[counts.catalogs...].contains { contains($0, in: folder) }
  }

  private mutating func contains(
    _ catalog: TaggedProject.Resource, in folder: ResourceFolder
  ) -> Bool {
    guard let path = folder.path(of: catalog.place) else { return false }
    if let answer = known[path] { return answer }
    let answer = AssetCatalog.mentionsTags(at: path, in: folder)
    known[path] = answer
    return answer
  }
}

/// Reads the tags in an asset catalog.
struct AssetCatalog {
  private static let tagsKey = "on-demand-resource-tags"

  private let folder: ResourceFolder
  private var items: [CatalogItem] = []
  private var findings: Ledger

  /// Returns whether a `Contents.json` in the catalog at a path contains the key of tags.
  static func mentionsTags(at path: FilePath, in folder: ResourceFolder) -> Bool {
    guard case .folder(let files) = folder.inspect(path) else { return false }
    return files.contains { file in
      file.name == "Contents.json"
        && folder.text(path.appending(file))?.bytes.firstRange(of: Array(tagsKey.utf8)) != nil
    }
  }

  /// Returns the items with tags in the catalog at a path, in the order of their names.
  static func items(
    at path: FilePath, in folder: ResourceFolder, into findings: inout Ledger
  ) -> [CatalogItem] {
    var catalog = AssetCatalog(folder: folder, findings: Ledger())
    catalog.read(path)
    findings.add(contentsOf: catalog.findings)
    return catalog.items
  }

  private init(folder: ResourceFolder, findings: Ledger) {
    self.folder = folder
    self.findings = findings
  }

  /// Tags of a folder, which apply to all its contents.
  private struct Given {
    var tags: [String]
    var source: SourceText
    var span: SourceSpan
  }

  private mutating func read(_ path: FilePath) {
    let found = folder.inspect(path)
    if found == .tooLarge {
      findings.add(
        OnDemandFileRules.tooLarge(path.text, at: nil), about: SourceText([], named: path.text))
    }
    guard case .folder(let files) = found else { return }
    var given: [FilePath: Given] = [:]
    var namespaces: Set<FilePath> = []
    let texts = files.filter { $0.name == "Contents.json" }
    for text in texts {
      guard let source = folder.text(path.appending(text)) else { continue }
      // Errors in texts without tags and names are not reported here.
      func contains(_ word: String) -> Bool { source.bytes.firstRange(of: Array(word.utf8)) != nil }
      guard contains(Self.tagsKey) || contains("provides-namespace") else { continue }
      let document = JSONDocument(parsing: source)
      if !document.isWellFormed { findings.add(contentsOf: document.findings) }
      let properties = document.root?["properties"]
      if properties?["provides-namespace"]?.bool == true { namespaces.insert(text.folder) }
      let tags = properties?[Self.tagsKey]
      guard let tags, tags.count > 0 else { continue }
      given[text.folder] = Given(
        tags: tags.elements.compactMap(\.string), source: source, span: tags.span)
    }
    guard !given.isEmpty else { return }
    var contents: [FilePath: [FilePath]] = [:]
    for file in files where file.name != "Contents.json" {
      // An item has all files below it: an atlas is one item with all its contents.
      guard let item = Self.item(of: file) else { continue }
      contents[item, default: []].append(file)
    }
    for text in texts {
      guard let item = Self.item(of: text), item == text.folder,
        let tags = tags(of: item, given)
      else { continue }
      items.append(
        CatalogItem(
          tags: tags.tags, path: path.appending(item), name: Self.name(of: item, namespaces),
          files: (contents[item] ?? []).map {
            FilePath(joining: $0.components.dropFirst(item.components.count))
          }, source: tags.source, span: tags.span))
    }
  }

  /// Returns the name of an item, after those of its folders that provide a namespace.
  private static func name(of item: FilePath, _ namespaces: Set<FilePath>) -> String {
    let folders = item.components.indices.dropFirst().compactMap { count -> String? in
      let folder = FilePath(joining: item.components.prefix(count))
      return namespaces.contains(folder) ? folder.name.shown : nil
    }
    let name = item.name.shown
    let own = String(name.prefix(upTo: name.lastIndex(of: ".") ?? name.endIndex))
    return (folders + [own]).joined(separator: "/")
  }

  /// Returns the item of a file: the outermost folder that has a kind, such as 'imageset'.
  private static func item(of file: FilePath) -> FilePath? {
    let folders = file.components.dropLast()
    guard let end = folders.firstIndex(where: { $0.bytes.contains(UInt8(ascii: ".")) }) else {
      return nil
    }
    return FilePath(joining: folders[...end])
  }

  /// Returns the tags of an item and of its enclosing folders, with the place of the innermost.
  private func tags(of item: FilePath, _ given: [FilePath: Given]) -> Given? {
    var found: Given?
    for count in 0...item.components.count {
      let place = count == 0 ? FilePath(".") : FilePath(joining: item.components.prefix(count))
      guard var next = given[place] else { continue }
      next.tags = (found?.tags ?? []) + next.tags.filter { found?.tags.contains($0) != true }
      found = next
    }
    return found
  }
}
