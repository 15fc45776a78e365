import AssetHistory
import BAPackKit
import Planning
import Proposing
import Reporting
import SourceDiagnostics
import SystemIO

/// The input of a plan: the packs with their history, and the checks of the packs of proposals.
struct PlanSearch {
  private let project: Project
  private let documents: [ManifestDocument]
  private let input: ManifestInput
  private let history: HistoryOptions
  private let reader: InventoryReader
  private let options: Plan.Options
  private let console: Console

  /// - Parameters:
  ///   - documents: The manifests, without errors.
  ///   - reader: Reads archives of the project, for the sizes of their files.
  init(
    _ project: Project, _ documents: [ManifestDocument], _ input: ManifestInput,
    _ history: HistoryOptions, reader: InventoryReader, _ options: Plan.Options, _ console: Console
  ) {
    self.project = project
    self.documents = documents
    self.input = input
    self.history = history
    self.reader = reader
    self.options = options
    self.console = console
  }

  /// Searches for proposals.
  func result(weights: String?, released: [Inventory]) throws(PackError) -> PlanResult {
    let manifests = documents.compactMap(\.manifest)
    let ids = manifests.map(\.assetPackID)
    if let id = options.pinned.sorted().first(where: { !ids.contains($0) }) {
      throw PackError(
        .missing, "no pack has the ID '\(id)'",
        remedy: Spelling.nearest(to: id, among: ids).map { .advice("did you mean '\($0)'?") })
    }
    var options = options
    options.takenIDs = takenIDs
    options.weights = try weights.map { (path) throws(PackError) in try table(at: path) }
    guard !documents.isEmpty else {
      throw PackError(.missing, "there are no packs", remedy: "'ba-package init' proposes packs")
    }
    let (roots, areTags) = try roots()
    try check(options.weights, against: roots.first?.history.releases.map(\.name) ?? [])
    let measured = try packedToday()
    let before = try findings(in: documents)
    let plan = try console.showing("Searching") { work throws(PackError) in
      try Plan(
        roots, manifests, measuredBy: measured, options, released: released, search: work,
        .unstoppable
      ) { packs throws(PackError) in
        try faults(of: packs, besides: before)
      }
    }
    return PlanResult(plan, choice: history.hasRange ? nil : areTags ? .tags : .commits)
  }

  // MARK: Input

  /// The file names in the folders of the manifests, without extensions: new manifests have other
  /// names.
  private var takenIDs: Set<String> {
    var taken: Set<String> = []
    for folder in Set(documents.map { FilePath($0.source.name).folder.text }) {
      let path = folder.isEmpty ? "." : folder
      guard let list = try? FileDescriptor.open(path, for: .directory).list() else { continue }
      for item in list.items {
        let name = FilePath(list.fileName(of: item).bytes).text.lowercased()
        if name.hasSuffix(".json") { taken.insert(String(name.dropLast(5))) }
      }
    }
    return taken
  }

  /// Returns the source roots with their histories, which begin with the first release that
  /// contains a file of a pack; and whether the releases are tags.
  private func roots() throws(PackError) -> (roots: [Plan.Root], areTags: Bool) {
    let packs = documents.compactMap { document in
      document.manifest.map { manifest in
        HistoryOptions.Rooted(
          manifest: manifest, place: document.source.name,
          root: SourceRoot.path(
            for: document, given: input.sourceRoot, defaultRoot: project.defaultSourceRoot.text))
      }
    }
    let (roots, areTags) = try console.showing("Reading the history") { work throws(PackError) in
      try history.read(packs, keepsOtherPaths: true, work)
    }
    let starts = roots.map { $0.history.releases.firstIndex { !$0.files.isEmpty } }
    let releases = roots.first?.history.releases.count ?? 0
    guard let start = starts.compactMap(\.self).min(), start + 1 < releases else {
      throw PackError(
        .missing, "fewer than two releases contain files of the packs",
        remedy: "commit the files of each release, and add a tag to the commit")
    }
    return (
      try roots.map { (root) throws(PackError) in
        Plan.Root(
          packs: root.packs, history: root.history.since(start),
          present: try files(below: root.path))
      }, areTags
    )
  }

  /// Returns the files in the source root that a pack can select.
  private func files(below root: String) throws(PackError) -> Set<[UInt8]> {
    let all = Manifest(
      assetPackID: "all", downloadPolicy: .onDemand, fileSelectors: [.directory(".")],
      platforms: [])
    let document = ManifestDocument(
      parsing: Array(all.text(TextComments(start: [])).utf8), named: "all")
    let selection = try Selection.resolve(
      document, in: SourceRoot(opening: root, console.work), console.work
    ).selection
    return Set(
      selection.indices.filter(selection.isFile).map {
        FilePath(selection.sourceBytes(at: $0)).normalized.bytes
      })
  }

  /// Returns the archives of the packs; without packs if there are none.
  private func packedToday() throws(PackError) -> Inventory {
    let none = Inventory("", [])
    guard let output = try input.run.output() else { return none }
    let paths = documents.compactMap(\.assetPackID).map {
      FilePath(output).appending(FileName(($0 + ".aar").utf8)).text
    }.filter { (try? FileStatus(ofFileAt: $0)) != nil }
    guard !paths.isEmpty else { return none }
    var findings = Ledger()
    return try reader.read(paths, &findings, console.work) ?? none
  }

  private func table(at path: String) throws(PackError) -> InstallWeights {
    let bytes = try mapFailure(.reading) { () throws(Failure) in
      try FileDescriptor.open(path, for: .reading).readToEnd(atMost: 1 << 20)
    }
    do throws(InstallWeights.Malformed) {
      return try InstallWeights(csv: String(decoding: bytes, as: UTF8.self))
    } catch {
      throw PackError(
        .invalidValue, "cannot read line \(error.line) of '\(path)': \(error.reason)",
        remedy: "the first line names the columns, such as 'release,installs'")
    }
  }

  private func check(_ weights: InstallWeights?, against releases: [String]) throws(PackError) {
    let named = weights?.rows.compactMap(\.release) ?? []
    guard let unknown = named.first(where: { !releases.contains($0) }) else { return }
    throw PackError(
      .invalidValue, "the table of installations has the unknown release '\(unknown)'",
      remedy: .advice(
        "the releases are \(Finding.list(releases, atMost: 5))"))
  }

  // MARK: Changes

  /// The number of errors and of warnings about each manifest.
  private typealias Counts = [String: (errors: Int, warnings: Int)]

  private func findings(in documents: [ManifestDocument]) throws(PackError) -> Counts {
    let findings = try project.check(documents, .unstoppable).report.findings
    return Dictionary(
      findings.pages.map { ($0.source.name, ($0.count(.error), $0.count(.warning))) }
    ) { ($0.0 + $1.0, $0.1 + $1.1) }
  }

  /// Returns the packs of today whose changes cause findings.
  private func faults(
    of packs: PlannedPacks, besides before: Counts
  ) throws(PackError) -> Set<Int> {
    let edits = try PlanEdits(packs, of: documents).changes
    var names: [String: Int] = [:]
    for (index, document) in documents.enumerated() { names[document.source.name] = index }
    var texts = documents.map { ($0.source.name, $0.source.bytes) }
    for edit in edits.edits {
      if let index = names[edit.path.text] { texts[index].1 = edit.after }
    }
    let new = packs.packs.filter { $0.today == nil }
    for (pack, file) in zip(new, edits.newFiles) {
      names[file.path.text] = pack.parent
      texts.append((file.path.text, file.bytes))
    }
    let after = try findings(
      in: texts.map { ManifestDocument(parsing: $1, named: $0, for: project.hosting) })
    let worse = after.filter { name, counts in
      let (errors, warnings) = before[name] ?? (0, 0)
      return counts.errors > errors || counts.warnings > warnings
    }
    return Set(worse.keys.compactMap { names[$0] })
  }

  /// Adds the change of the project file to those of manifests: entries for the new manifests that
  /// no entry selects.
  func changes(_ edits: PlanEdits) throws(PackError) -> FileChanges {
    var changes = edits.changes
    guard let file = input.run.document, let settings = file.settings else { return changes }
    let outer = FilePath(file.place.folder).components
    let entries = changes.newFiles.compactMap { new -> String? in
      let names = new.path.components
      guard names.starts(with: outer) else { return nil }
      let path = FilePath(joining: names.dropFirst(outer.count))
      let isSelected = settings.packs.contains { entry in
        let folder = FilePath(entry.utf8).normalized.components
        return Additions.selects(entry, path) || path.components.starts(with: folder)
      }
      return isSelected ? nil : "./" + path.text
    }
    guard !entries.isEmpty else { return changes }
    guard
      let list = JSONDocument(parsing: file.source).root?[
        ProjectSettings.key(of: \.packs)]
    else {
      throw PackError(
        .conflict, "cannot change 'packs' in '\(file.place.path)'",
        remedy: "use a pattern there, such as 'Packs/*.json'")
    }
    var rewrite = JSONRewrite(of: list.document)
    rewrite.append(entries.map { .string($0) }, to: list)
    changes.edits.append(
      .init(
        path: FilePath(file.place.path), before: file.source.bytes, after: rewrite.text))
    return changes
  }
}
