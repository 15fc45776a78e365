import BAPackKit
import SystemIO
import TerminalText

/// The IDs of a project's packs, as operands of commands.
struct ProjectIDs: Sendable {
  /// The IDs, each with the path that it represents.
  private let known: [(id: String, path: String)]

  init(_ known: [(id: String, path: String)]) { self.known = known }

  /// Whether a word may be an ID or a pattern of IDs: no file and no pattern of files.
  ///
  /// A folder, such as that of the pack's files, does not hide an ID.
  static func mayBe(_ word: String, besides suffix: String) -> Bool {
    word != "-" && !word.utf8.contains(slash) && !word.lowercased().hasSuffix(suffix)
      && (try? FileStatus(ofFileAt: word)).map { $0.kind == .directory } ?? true
      && MatchingFiles(word)?.paths.isEmpty ?? true
  }

  /// Returns the paths of an ID, or of a pattern of IDs.
  func paths(_ word: String) -> [String] {
    guard let pattern = try? NamePattern(parsing: FileName(word)) else { return [] }
    return known.filter {
      $0.id == word || pattern.matches(Array($0.id.utf8)[...], dotIsOrdinary: true)
    }
    .map(\.path)
  }

  /// Returns the ID with the most similar spelling; nil if none is similar.
  func nearest(to word: String) -> String? {
    Spelling.nearest(to: word, among: known.map(\.id))
  }

  /// Returns the error for a word that is neither a file nor an ID.
  func unknown(_ word: String) -> PackError {
    let isPattern = (try? NamePattern(parsing: FileName(word)))?.literal == nil
    let near = nearest(to: word)
    return PackError(
      .missing,
      "there is no file '\(word)', and no pack of the project has "
        + (isPattern ? "an ID that matches" : "this ID"),
      remedy: near.map { .advice("did you mean '\($0)'?") })
  }
}

/// Operands that are packs: archives, folders, patterns, and the IDs of a project.
///
/// In the output folder of the project, packs without a manifest are left out.
struct PackOperands: Sendable {
  private let ids: ProjectIDs?
  /// The packs without a manifest.
  let stale: Set<FileIdentity>
  private let project: ProjectDocument?
  private let console: Console

  /// Reads the project file if an operand is an ID or a folder; nil after errors, which have been
  /// reported.
  init?(
    _ options: ManifestOptions, _ console: Console, otherwise nothing: String
  ) throws(PackError) {
    if options.operands.contains(where: Self.requiresProject) {
      guard let input = try options.opened(console, otherwise: nothing) else { return nil }
      self.init(input, for: options.operands, console)
    } else {
      // A project file with errors does not matter for a folder.
      let hasFolder = options.operands.contains(where: PackInput.isFolder)
      self.init(hasFolder ? (try? options.opened(console)) : nil, for: options.operands, console)
    }
  }

  /// Reads the manifests of the project if an operand is an ID or a folder.
  init(_ input: ManifestInput?, for operands: [String], _ console: Console) {
    let isNeeded = operands.contains { Self.requiresProject($0) || PackInput.isFolder($0) }
    let outputs = (isNeeded ? input : nil).flatMap { ProjectOutputs(quietly: $0, console.work) }
    project = input?.run.document
    self.console = console
    ids = outputs.map { outputs in
      ProjectIDs(
        zip(outputs.documents, outputs.paths).map { ($0.assetPackID ?? "", $1) })
    }
    let found = outputs.flatMap { outputs in
      outputs.folder.flatMap {
        try? StaleArchives(in: $0, besides: outputs.paths, console.work).archives
      }
    }
    stale = Set((found ?? []).compactMap { try? FileStatus(ofFileAt: $0).identity })
  }

  private static func requiresProject(_ operand: String) -> Bool {
    ProjectIDs.mayBe(operand, besides: ".aar") && !PackInput.isFolder(operand)
  }

  /// Returns the archives of an ID or a pattern of IDs; empty if the word is none.
  func packs(called word: String) -> [String] {
    guard let ids, ProjectIDs.mayBe(word, besides: ".aar"),
      !PackInput.isFolder(word) || (try? ArchiveSearch.archives(in: word))?.isEmpty ?? false
    else { return [] }
    return ids.paths(word)
  }

  /// Returns the ID of the project with the most similar spelling; nil if none is similar.
  func nearest(to word: String) -> String? { ids?.nearest(to: word) }

  /// Returns the archives of an operand: a file, an ID, a folder, or a pattern of one of them.
  func archives(_ operand: String) throws(PackError) -> [String] {
    var packs: [String] = []
    for path in try resolve(operand) { packs += try PackInput.packs(at: path) }
    return packs
  }

  /// Returns the operands with archives instead of IDs; nil after errors of the project file, which
  /// have been reported.
  static func resolved(
    _ options: ManifestOptions, _ console: Console, otherwise nothing: String
  ) throws(PackError) -> [String]? {
    guard let known = try PackOperands(options, console, otherwise: nothing) else { return nil }
    return try known.resolve(options.operands)
  }

  /// Returns some operands with archives instead of IDs.
  func resolve(_ operands: [String]) throws(PackError) -> [String] {
    var packs: [String] = []
    for operand in operands { packs += try resolve(operand) }
    return packs
  }

  /// Replaces an ID by its archives, and a folder with packs without a manifest by its other packs;
  /// another operand is unchanged.
  func resolve(_ operand: String) throws(PackError) -> [String] {
    let called = packs(called: operand)
    if !called.isEmpty {
      for path in called where (try? FileStatus(ofFileAt: path)) == nil {
        throw ProjectOutputs.notMade(path)
      }
      return called
    }
    if let ids, Self.requiresProject(operand) { throw ids.unknown(operand) }
    let leftOut = staleFiles(in: operand)
    guard !leftOut.isEmpty else { return [operand] }
    let kept = try mapFailure(.reading) { () throws(Failure) in
      try ArchiveSearch.archives(in: operand)
    }
    .filter { !isStale($0) }
    guard !kept.isEmpty else {
      throw PackError(
        .missing, "no pack in '\(operand)' has a manifest in the project",
        remedy: "'ba-package pack' builds the packs of the project")
    }
    return kept
  }

  /// Returns the packs without a manifest in a folder of the project, and reports them.
  @discardableResult
  func staleFiles(in folder: String) -> Set<FileIdentity> {
    guard !stale.isEmpty, PackInput.isFolder(folder),
      let found = try? ArchiveSearch.archives(in: folder).filter(isStale), !found.isEmpty
    else { return [] }
    console.warning(
      StaleArchives.text(found, in: folder, of: project)
        + "; \(found.count == 1 ? "it is" : "they are") left out")
    return Set(found.compactMap { try? FileStatus(ofFileAt: $0).identity })
  }

  private func isStale(_ path: String) -> Bool {
    (try? FileStatus(ofFileAt: path)).map { stale.contains($0.identity) } ?? false
  }
}

extension StaleArchives {
  /// The sentence about the packs without a full stop, with the command that removes them.
  static func text(
    _ paths: [String], in folder: String, of project: ProjectDocument?
  ) -> String {
    let isOne = paths.count == 1
    let option = project.flatMap { $0.place.isNamed ? " --project \($0.place.path)" : nil } ?? ""
    return "In '\(folder)' \(Quantity.count(paths.count, "pack")) \(isOne ? "has" : "have") no "
      + "manifest (\(list(paths.map { OutputPlace($0).name.shown }))): 'ba-package clean --stale"
      + "\(option)' removes \(isOne ? "it" : "them")"
  }

  /// Returns the first of some names.
  static func list(_ names: [String]) -> String {
    let most = 5
    return names.prefix(most).joined(separator: ", ") + (names.count > most ? ", …" : "")
  }
}
