import BAPackKit
import Glibc
import SystemIO

/// The files and the folder that a run writes.
extension PackRun {
  /// Throws, before any work, if an output already exists or is an input of this run.
  func checkOutputs(_ packs: [PlannedPack]) throws(PackError) {
    guard archives.isWritten else { return }
    // An output that is no input of its pack may be an input of another pack of this run.
    let outputs = packs.map { identity($0.path) }
    let existing = Set(outputs.compactMap(\.self))
    var sources = Set(input.paths.compactMap(identity))
    for pack in packs { sources.formUnion(pack.plan.sources(among: existing)) }
    for (pack, output) in zip(packs, outputs) {
      do throws(Failure) {
        try AtomicFile.check(
          pack.path, replacing: replaces, makingFolder: !archives.isFile)
      } catch {
        guard let folder = archives.folder, error.path != pack.path else {
          throw PackError(error, while: .writing)
        }
        guard error.code == ENOTDIR, let kind = try? FileStatus(ofFileAt: folder).kind,
          kind != .directory
        else { throw folderRefusal(error) }
        throw PackError(
          .exists, "'\(folder)' exists and is not a folder",
          remedy: "specify a folder with -o, or an archive that ends in '.aar'")
      }
      if isBuild, !settings.rebuildsAll, output != nil { try checkIsOwn(pack) }
      if let output, sources.contains(output) {
        throw PackError(
          .exists, "cannot replace '\(pack.path)': packing reads this file",
          remedy: .specifyAnotherOutput)
      }
    }
  }

  /// Throws if an existing file is not a pack with the ID of its manifest.
  private func checkIsOwn(_ pack: PlannedPack) throws(PackError) {
    let id = pack.plan.manifest.assetPackID
    if ArchiveRecord.describes(pack.path) { return }
    let found = PackReader.assetPackID(ofFileAt: pack.path, console.work)
    try console.work.checkCancellation()
    guard found != id else { return }
    throw PackError(
      .exists,
      found.map { "'\(pack.path)' is the pack '\($0)', not '\(id)'" }
        ?? "'\(pack.path)' is not a pack",
      remedy: "move the file, or replace it with --force")
  }

  private func identity(_ path: String) -> FileIdentity? {
    try? FileStatus(ofFileAt: path).identity
  }

  /// Reports the packs in the output folder that have no manifest, because they would be published
  /// with the others.
  func reportStale(besides ids: [String], _ report: PackReport) {
    guard let folder = archives.folder,
      let stale = try? StaleArchives(
        in: folder, besides: ids.map(archives.path), console.work)
    else { return }
    if packsWholeProject {
      if !stale.archives.isEmpty {
        console.summary(
          StaleArchives.text(stale.archives, in: folder, of: input.run.document))
      }
      return
    }
    // In other folders, and with given manifests, the archives may have other manifests.
    if input.run.document == nil, !stale.renamed.isEmpty {
      report.renamed(stale.renamed.map { OutputPlace($0).name.shown }, in: folder)
    }
    if hasSeveralSources, !stale.unrecorded.isEmpty {
      report.unrecorded(stale.unrecorded.map { OutputPlace($0).name.shown }, in: folder)
    }
  }

  /// Whether the manifests are those of the whole project, of a folder or of a pattern.
  ///
  /// Only then are packs without a manifest stale: single manifests do not determine the other
  /// packs.
  private var hasSeveralSources: Bool {
    input.operands.isEmpty
      || input.operands.contains { word in
        PackInput.isFolder(word) || MatchingFiles(word)?.paths.isEmpty == false
      }
  }

  /// Creates the folder for the outputs, and removes it if it is empty after `body`.
  func withOutputFolder(_ body: () throws(PackError) -> Void) throws(PackError) {
    guard let path = archives.folder else { return try body() }
    let folder = try explaining(folderRefusal) { () throws(Failure) in try OutputFolder(path) }
    try withExtendedLifetime(folder) { (_) throws(PackError) in try body() }
  }

  /// Returns the reason why the folder for the outputs does not exist and cannot be created.
  private func folderRefusal(_ error: Failure) -> PackError {
    PackError(
      error,
      remedy: error.code == ENOENT
        ? "one of its parent folders was deleted: use another folder with -o"
        : "use another folder with -o")
  }
}
