package import BAPackKit
import SourceDiagnostics
package import SystemIO
import TerminalText

/// A built app in a folder or an archive: the app itself, its extensions and its libraries.
package struct AppProduct: Sendable {
  /// An extension, and the folder of the app that contains it.
  package struct Extension: Sendable {
    package var place: String
    package var bundle: CodeBundle
  }

  /// A text in a program, with the path of the program.
  package typealias TextVisitor = (ArraySlice<UInt8>, FilePath) -> Void

  package let tree: BundleTree
  package private(set) var app: CodeBundle
  package private(set) var extensions: [Extension] = []
  /// The libraries of the app, by their paths.
  package private(set) var libraries: [FilePath: Program] = [:]
  /// The data of engines that was not searched for texts, as parts of a sentence.
  private(set) var unsearched: [String] = []

  /// The maximum numbers of extensions and libraries that are read.
  private static let mostExtensions = 64
  private static let mostLibraries = 500

  /// Reads a product; `visit` receives the texts in its programs and in the data of engines.
  package init(
    _ tree: BundleTree, _ work: Work, visit: TextVisitor? = nil
  ) throws(PackError) {
    self.tree = tree
    app = try Self.findApp(tree)
    extensions = Self.findExtensions(in: app, tree)
    try readLists(work)
    try readPrograms(work, visit ?? { _, _ in })
    if let visit { try searchEngineData(work, visit) }
  }

  // MARK: Search

  /// Returns the app of a product; its own folder, or the only one in it.
  private static func findApp(_ tree: BundleTree) throws(PackError) -> CodeBundle {
    let name = tree.path.shown
    if tree.path.hasSuffix(".dSYM") {
      throw PackError(
        .invalidValue, "'\(name)' has only debug information, without code and property list",
        remedy: "specify the app")
    }
    let own = bundle(at: FilePath(""), in: tree)
    if let own, tree.path.hasSuffix(".app") { return own }
    var found: Set<FilePath> = []
    for file in tree.sizes.keys where file.name == "Info.plist" {
      let names = file.components
      guard let end = names.firstIndex(where: { FilePath($0.bytes).hasSuffix(".app") }) else {
        continue
      }
      let folder = FilePath(joining: names[...end])
      if !found.contains(folder), bundle(at: folder, in: tree) != nil { found.insert(folder) }
    }
    let apps = found.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    guard let first = apps.first else {
      // The property list of an archive of Xcode is not the one of an app.
      if let own, !tree.path.hasSuffix(".xcarchive") { return own }
      throw PackError(
        .missing, "there is no app in '\(name)'",
        remedy: tree.isArchive
          ? "an .ipa has its app in the folder 'Payload'"
          : AppInput.remedy)
    }
    guard apps.count == 1 else {
      let list = apps.prefix(8).map { "'\($0.shown)'" }.joined(separator: ", ")
      throw PackError(
        .ambiguous, "there are \(apps.count) apps in '\(name)': \(list)",
        remedy: "specify one of them")
    }
    return bundle(at: first, in: tree) ?? CodeBundle(first, isDeep: false)
  }

  /// Returns the bundle in a folder; nil if the folder has no property list.
  private static func bundle(at folder: FilePath, in tree: BundleTree) -> CodeBundle? {
    [false, true].map { CodeBundle(folder, isDeep: $0) }.first { tree.has($0.infoPath) }
  }

  /// Returns all extensions in an app, in the order of their paths.
  private static func findExtensions(in app: CodeBundle, _ tree: BundleTree) -> [Extension] {
    let depth = app.contents.components.count
    var folders: Set<FilePath> = []
    for file in tree.sizes.keys {
      let names = file.components
      guard names.count > depth + 2, names[..<depth].elementsEqual(app.contents.components),
        FilePath(names[depth + 1].bytes).hasSuffix(".appex")
      else { continue }
      folders.insert(FilePath(joining: names[...(depth + 1)]))
    }
    let sorted = folders.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    return sorted.prefix(mostExtensions).map { folder in
      Extension(
        place: folder.components[depth].shown,
        bundle: bundle(at: folder, in: tree) ?? CodeBundle(folder, isDeep: app.isDeep))
    }
  }

  // MARK: Reading

  private mutating func change(
    _ body: (inout CodeBundle) throws(PackError) -> Void
  ) throws(PackError) {
    try body(&app)
    for index in extensions.indices { try body(&extensions[index].bundle) }
  }

  /// Reads property lists and profiles.
  private mutating func readLists(_ work: Work) throws(PackError) {
    var texts: [FilePath: [UInt8]] = [:]
    var wanted: Set<FilePath> = []
    try change { bundle throws(PackError) in
      wanted.formUnion([bundle.infoPath, bundle.profilePath])
    }
    try tree.read(wanted, atMost: BundleTree.largestText, work) { path, bytes throws(PackError) in
      texts[path] = bytes
    }
    let tree = tree
    try change { bundle throws(PackError) in
      bundle.readLists(texts, in: tree)
    }
  }

  /// Reads the programs of the bundles, and the libraries of the app.
  private mutating func readPrograms(_ work: Work, _ visit: TextVisitor) throws(PackError) {
    let libraryPaths = findLibraries()
    var wanted = libraryPaths
    try change { bundle throws(PackError) in
      wanted.formUnion([bundle.programPath, bundle.debugPath])
    }
    var programs: [FilePath: Result<Program, Unreadable>?] = [:]
    let own = Set([app.programPath, app.debugPath]).union(libraryPaths)
    try tree.read(wanted, atMost: BundleTree.largestProgram, work) {
      path, bytes throws(PackError) in
      programs[path] = .some(
        bytes.map { bytes in
          Result { () throws(Unreadable) in
            try Program(bytes) { text in if own.contains(path) { visit(text, path) } }
          }
        })
    }
    for path in libraryPaths {
      if case .success(let program)?? = programs[path] { libraries[path] = program }
    }
    let tree = tree
    try change { bundle throws(PackError) in
      bundle.readProgram(programs, in: tree)
    }
  }

  /// Visits the texts in the data of engines, in the order of the paths.
  private mutating func searchEngineData(
    _ work: Work, _ visit: TextVisitor
  ) throws(PackError) {
    var found: [FilePath: EngineData] = [:]
    for path in tree.sizes.keys where path.components.starts(with: app.folder.components) {
      if let kind = EngineData(ofFileNamed: path.name.shown) { found[path] = kind }
    }
    let sorted = found.keys.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    var reasons: [(path: FilePath, reason: String)] = []
    var wanted: Set<FilePath> = []
    for path in sorted {
      let size = (tree.sizes[path] ?? nil) ?? .max
      if found[path] == .closed {
        reasons.append((path, "whose format is not read"))
      } else if size > EngineData.largest || wanted.count == EngineData.mostFiles {
        reasons.append((path, "which is too large or damaged"))
      } else {
        wanted.insert(path)
      }
    }
    try tree.read(wanted, atMost: EngineData.largest, work) { path, bytes throws(PackError) in
      let reason =
        bytes.map { found[path]?.search($0) { visit($0, path) } }
        ?? "which is too large or damaged"
      if let reason { reasons.append((path, reason)) }
    }
    unsearched = Self.sentences(reasons)
  }

  /// Returns `texts in 'Data/game.pak', whose format is not read`; files with the same ending and
  /// reason are one sentence.
  private static func sentences(_ reasons: [(path: FilePath, reason: String)]) -> [String] {
    let sorted = reasons.sorted { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
    let groups = Dictionary(grouping: sorted) { each in
      "\(each.path.name.shown.split(separator: ".").last ?? "") \(each.reason)"
    }
    return groups.values.map { group in
      let (path, reason) = group[0]
      let others = group.count == 1 ? "" : " and \(Quantity.count(group.count - 1, "other file"))"
      return "texts in '\(path.shown)'\(others), \(reason)"
    }.sorted()
  }

  /// Returns the paths of the libraries in the app's folder of frameworks.
  private func findLibraries() -> Set<FilePath> {
    let start = app.contents.appending(FileName("Frameworks")).components
    var found: Set<FilePath> = []
    for file in tree.sizes.keys {
      let names = file.components
      guard names.count > start.count, names[..<start.count].elementsEqual(start) else { continue }
      let first = FilePath(names[start.count].bytes)
      let stem = Array(first.bytes.dropLast(".framework".utf8.count))
      if names.count == start.count + 1
        ? first.hasSuffix(".dylib")
        : first.hasSuffix(".framework") && file.name.bytes == stem
      {
        found.insert(file)
      }
    }
    guard found.count > Self.mostLibraries else { return found }
    return Set(
      found.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.prefix(Self.mostLibraries))
  }
}

extension CodeBundle {
  fileprivate mutating func readLists(_ texts: [FilePath: [UInt8]], in tree: BundleTree) {
    if let bytes = texts[infoPath] {
      do throws(Unreadable) {
        info = try InfoList(
          SourceText(bytes, named: tree.path.appending(infoPath).text))
      } catch {
        damages.append(Damage(part: .propertyList, file: infoPath, reason: error))
      }
    } else {
      damages.append(missing(.propertyList, infoPath, tree))
    }
    if let bytes = texts[profilePath] {
      do throws(Unreadable) {
        profile = try ProvisioningProfile(bytes)
      } catch {
        damages.append(Damage(part: .profile, file: profilePath, reason: error))
      }
    } else if tree.has(profilePath) {
      damages.append(missing(.profile, profilePath, tree))
    }
  }

  private func missing(_ part: Part, _ file: FilePath, _ tree: BundleTree) -> Damage {
    let reason: Finding.Message =
      tree.links.contains(file)
      ? "it is a symbolic link, which is not followed"
      : tree.sizes[file] == nil ? "it is missing" : "it is too large or damaged"
    return Damage(
      part: part, file: file,
      reason: Unreadable(SourceSpan(0, 0), reason, remedy: "build the app again"))
  }

  fileprivate mutating func readProgram(
    _ programs: [FilePath: Result<Program, Unreadable>?], in tree: BundleTree
  ) {
    // Without a property list, the name of the program is only a guess.
    guard info != nil else { return }
    switch programs[programPath] {
    case .none: damages.append(missing(.program, programPath, tree))
    case .some(.none): unread.append(programPath)
    case .some(.some(.success(let read))): program = read
    case .some(.some(.failure(let error))):
      damages.append(Damage(part: .program, file: programPath, reason: error))
    }
    if case .success(let code)?? = programs[debugPath] {
      isDebugBuild = true
      program?.add(codeOf: code)
    }
  }
}
