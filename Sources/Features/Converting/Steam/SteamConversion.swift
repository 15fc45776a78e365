import BAPackKit
import SourceDiagnostics
import SystemIO

extension Conversion {
  /// Converts the build script of a depot or an app.
  init(
    ofSteamScript bytes: [UInt8], at path: FilePath, _ options: ConversionOptions
  ) throws(PackError) {
    self.init()
    supportedParts = [.contentRoot]
    let script = SteamScript(parsing: bytes, named: path.text, &findings)
    let folders = NamedFolders(of: path)
    let app = SteamApp(script: script, path: path, folders: folders)
    let depots = app.depots(&findings, options.work)
    for depot in depots {
      findings.turn(to: depot.depot.source)
      var options = options
      // The specified ID is that of a single pack, or the prefix of each of several.
      if let id = options.assetPackID, depots.count > 1 {
        options.assetPackID = "\(id)-\(GeneratedPackID.from(depot.name))"
      }
      let conversion = SteamDepotConversion(depot, of: app, options)
      if let manifest = try conversion.convert(&findings) { manifests.append(manifest) }
    }
  }
}

/// A script with its path and the folders that it may access.
struct SteamApp {
  var script: SteamScript
  var path: FilePath
  var folders: NamedFolders

  /// A depot with its script and a name for its pack.
  struct Found {
    var depot: SteamScript.Depot
    var path: FilePath
    var name: String
  }

  private static let mostReferences = 1000

  /// Returns the depots of the script and of the scripts that it names, in its order.
  func depots(_ findings: inout Ledger, _ work: Work) -> [Found] {
    let name = path.name.withoutExtension
    var depots: [Found] = []
    var references = script.references[...]
    func read(upTo place: Int) {
      while let reference = references.first, reference.place <= place {
        references = references.dropFirst()
        depots += self.read(reference.path, &findings, work)
      }
    }
    if references.count > Self.mostReferences {
      findings.add(
        SteamRules.mapping(
          "the app has more than \(Self.mostReferences) depots", at: references.last?.number.span),
        about: script.source)
      references = []
    }
    for (place, depot) in script.depots.enumerated() {
      read(upTo: place)
      depots.append(
        Found(
          depot: depot, path: path,
          name: script.isApp ? "depot-\(depot.number?.text ?? "")" : name))
    }
    read(upTo: .max)
    return depots
  }

  /// Reads the depot of another script; returns nil if the file may not be read or contains none.
  private func read(
    _ word: KeyValues.Word, _ findings: inout Ledger, _ work: Work
  ) -> [Found] {
    func refuse(_ why: Finding.Message) -> [Found] {
      findings.add(
        SteamFileRules.depotScript(word.text, why, at: word.span), about: script.source)
      return []
    }
    let written = SteamPath(word.text)
    if case .drive = written.start { return refuse("it is on a drive of another computer") }
    let names = Array(repeating: "..", count: written.ups) + written.names
    let start = written.start == .top ? FilePath("/") : path.folder
    guard let found = folders.find(names.map { FileName($0) }, from: start) else {
      return refuse("the file does not exist")
    }
    guard folders.contain(found) else {
      return refuse("it is outside the folder of the app script and the current folder")
    }
    if found.name != written.names.last.map({ FileName($0) }) {
      findings.add(
        SteamFileRules.letterCase(word.text, is: found.text, at: word.span), about: script.source)
    }
    do throws(PackError) {
      let bytes = try readText(found, atMost: KeyValues.largestText, work)
      let other = SteamScript(parsing: bytes, named: found.text, &findings)
      if other.isApp { return refuse("it is the script of an app") }
      return other.depots.map {
        Found(depot: $0, path: found, name: found.name.withoutExtension)
      }
    } catch {
      return refuse(.init(whole: error.message))
    }
  }
}

extension FileName {
  /// The name before its last dot, as text.
  fileprivate var withoutExtension: String {
    let end = bytes.lastIndex(of: UInt8(ascii: ".")) ?? 0
    return String(decoding: end > 0 ? bytes[..<end] : bytes[...], as: UTF8.self)
  }
}

/// The conversion of one depot to a manifest.
struct SteamDepotConversion {
  private let found: SteamApp.Found
  private let app: SteamApp
  private let options: ConversionOptions
  private var depot: SteamScript.Depot { found.depot }

  init(_ found: SteamApp.Found, of app: SteamApp, _ options: ConversionOptions) {
    self.found = found
    self.app = app
    self.options = options
  }

  /// Returns the manifest; nil and an error if it would not match the depot.
  func convert(_ findings: inout Ledger) throws(PackError) -> ConvertedManifest? {
    let errors = findings.count(.error)
    let id = options.assetPackID ?? GeneratedPackID.from(found.name)
    reportAssumptions(id, &findings)
    var root = contentRoot(&findings)
    let above = raise(&root, &findings)
    let files = try contents(of: root, &findings)
    var items: [SteamItem] = []
    for item in depot.items {
      if let item = SteamItem(item, below: root.written, above: above, &findings) {
        items.append(item)
      }
    }
    let hasMapping = depot.items.contains { if case .mapping = $0 { true } else { false } }
    if !depot.isDamaged, !hasMapping {
      findings.add(SteamRules.mapping("the depot has no 'FileMapping'", at: depot.place))
    }
    guard !depot.isDamaged, findings.count(.error) == errors else { return nil }
    let (selectors, meant) = try selectors(of: items, from: files, in: root, id, &findings)
    guard findings.count(.error) == errors else { return nil }
    var converted = ConvertedManifest(
      Manifest(
        assetPackID: id, downloadPolicy: options.downloadPolicy ?? .onDemand,
        fileSelectors: selectors,
        platforms: options.platforms.isEmpty ? Platform.allCases : options.platforms,
        language: options.language),
      sourceRoot: root.folder, files: meant, at: .init(depot.source, depot.place))
    converted.unread = files?.unread ?? []
    if let files, meant != nil {
      let winner = depot.contentRoot ?? app.script.contentRoot
      let (depot, paths) = (depot, files.paths)
      converted.secondReading = {
        SteamReading(depot, root: winner?.word.text, above: above, paths).meantFiles()
      }
    }
    return converted
  }

  /// Reports the values that the conversion assumes, because the user does not specify them.
  private func reportAssumptions(_ id: String, _ findings: inout Ledger) {
    if options.assetPackID == nil {
      findings.add(ConversionRules.madeID(id, from: found.name, at: depot.place))
    }
    if options.downloadPolicy == nil {
      findings.add(ConversionRules.assumedPolicy(id, at: depot.place))
    }
    if options.platforms.isEmpty {
      findings.add(ConversionRules.assumedPlatforms(id, at: depot.place))
    }
  }

  /// Returns the files of the content root; nil if they are not available.
  private func contents(
    of root: Root, _ findings: inout Ledger
  ) throws(PackError) -> ContentFiles? {
    guard let folder = root.folder, root.isOpen else { return nil }
    do throws(PackError) {
      return try ContentFiles(
        in: SourceRoot(opening: folder.text, options.work), leavingOut: options.outputs,
        options.work)
    } catch {
      if error.kind == .interrupted { throw error }
      findings.add(
        ConversionRules.unavailable(.init(whole: error.message), at: root.place ?? depot.place))
      return nil
    }
  }

  /// Returns the selectors, and their files if they are available.
  private func selectors(
    of items: [SteamItem], from files: ContentFiles?, in root: Root, _ id: String,
    _ findings: inout Ledger
  ) throws(PackError) -> ([FileSelector], [ConvertedManifest.MeantFile]?) {
    guard let files else { return (items.flatMap { $0.selectorsFromScript(&findings) }, nil) }
    var selecting = SteamSelecting(items, from: files)
    guard selecting.hasFiles else {
      findings.add(
        ConversionRules.unavailable(
          "no mapping matches a file in '\(path: root.folder?.text ?? ".")'; using only the text "
            + "of the script", at: depot.place))
      return (items.flatMap { $0.selectorsFromScript(&findings) }, nil)
    }
    let selectors = try selecting.selectors(&findings)
    if selecting.meant.isEmpty {
      findings.add(SteamFileRules.selectsNothing(in: id, at: depot.place))
    }
    for phrase in files.unread {
      findings.add(SteamFileRules.unread(phrase, at: root.place ?? depot.place))
    }
    return (selectors, selecting.meant)
  }

  // MARK: The content root

  private struct Root {
    /// The path in this process; nil for a folder on another computer.
    var folder: FilePath?
    /// Whether the folder may be read.
    var isOpen = true
    /// The path as the script writes it.
    var written: SteamPath?
    /// The place in the script.
    var place: SourceSpan?
  }

  /// Returns the folder of the files, from the script or from the user.
  private func contentRoot(_ findings: inout Ledger) -> Root {
    let own = depot.contentRoot
    let apps = app.script.contentRoot
    let winner = own ?? apps
    let place = winner.flatMap { $0.source == depot.source ? $0.word.span : nil }
    if let own, let apps, own.word.text != apps.word.text {
      findings.add(
        SteamFileRules.contentRoot(wins: own.word.text, over: apps.word.text, at: own.word.span))
    }
    let written = winner.map { SteamPath($0.word.text) }
    if let given = options.contentRoot {
      return Root(
        folder: replacing(own, apps, by: given, &findings), written: written, place: place)
    }
    guard let winner, let written else { return Root(folder: found.path.folder) }
    if case .drive = written.start {
      findings.add(
        ConversionRules.unavailable(
          "'\(path: winner.word.text)' is a folder on another computer", at: place ?? depot.place))
      return Root(folder: nil, isOpen: false, written: written, place: place)
    }
    // A root is relative to the script that contains it.
    let folder = winner.source == depot.source ? found.path.folder : app.path.folder
    let path = written.path(from: folder)
    let names = Array(repeating: "..", count: written.ups) + written.names
    let start = written.start == .top ? FilePath("/") : folder
    let there = app.folders.find(names.map { FileName($0) }, from: start)
    guard app.folders.contain(there ?? path) else {
      findings.add(
        SteamFileRules.outside(
          winner.word.text, "the script's folder and the current folder",
          at: place ?? depot.place, fixes: [Fix([Remedy.specifyContentRoot])]))
      return Root(folder: nil, isOpen: false, written: written, place: place)
    }
    guard let there else {
      findings.add(
        ConversionRules.unavailable(
          "there is no folder '\(path: path.text)'", at: place ?? depot.place))
      return Root(folder: path, isOpen: false, written: written, place: place)
    }
    return Root(folder: there, written: written, place: place)
  }

  /// Sets the source root to the folder above the content root at which mappings with `..` start,
  /// if that folder may be read; returns the names of the folders between the two.
  private func raise(_ root: inout Root, _ findings: inout Ledger) -> [String] {
    let ups =
      depot.items.map { item -> Int in
        guard case .mapping(let mapping) = item else { return 0 }
        let path = SteamPath(mapping.localPath.text)
        return path.start == .here ? path.ups : 0
      }.max() ?? 0
    guard ups > 0, root.isOpen, let folder = root.folder,
      let real = try? realPath(of: folder.text)
    else { return [] }
    let names = FilePath(real).components
    guard names.count >= ups else { return [] }
    let raised = FilePath([slash] + FilePath(joining: names.dropLast(ups)).bytes)
    guard app.folders.contain(raised) else { return [] }
    findings.add(
      SteamFileRules.contentRoot(
        raisedTo: raised.text, from: folder.text, at: root.place ?? depot.place))
    root.folder = raised
    return names.suffix(ups).map(\.text)
  }

  /// Returns the folder that the user named, for the root of an app or a depot.
  ///
  /// A depot's root below the app's keeps its relative path.
  private func replacing(
    _ own: SteamScript.ContentRoot?, _ apps: SteamScript.ContentRoot?, by given: FilePath,
    _ findings: inout Ledger
  ) -> FilePath {
    guard let own else { return given }
    guard let apps else {
      let written = SteamPath(own.word.text)
      let isDrive = if case .drive = written.start { true } else { false }
      let folder = written.path(from: found.path.folder)
      if isDrive || folder.withLinksFollowed != given.withLinksFollowed {
        // If both are written in the same way, the folders of the scripts differ.
        let replaced = own.word.text == given.text ? folder.text : own.word.text
        findings.add(
          SteamFileRules.contentRoot(replaced: replaced, by: given.text, at: own.word.span))
      }
      return given
    }
    guard let names = SteamPath(own.word.text).names(below: SteamPath(apps.word.text)) else {
      findings.add(
        SteamFileRules.contentRoot(
          differs: own.word.text, from: apps.word.text, at: own.word.span))
      return given
    }
    let folders = NamedFolders(of: app.path, and: [given])
    return folders.find(names.map { FileName($0) }, from: given)
      ?? names.reduce(given) { $0.appending(FileName($1)) }
  }
}
