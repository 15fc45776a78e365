import SourceDiagnostics
import SystemIO

/// The checks that read the contents of files.
///
/// Only the first bytes of files are read.
enum ContentChecks {
  /// Returns the kinds of files to detect in an archive.
  static func kinds(for hosting: Hosting?) -> FileStarts.Kinds {
    hosting == .apple ? [.macPrograms, .manifests, .pointers] : [.manifests, .pointers]
  }

  static func check(
    _ pack: inout SelectedPack, _ hosting: Hosting?, _ work: Work
  ) throws(PackError) {
    guard let root = pack.root else { return }
    var findings = pack.findings
    switch root.storage {
    case .folder(let tree): try check(pack, hosting, FileOpener(tree), &findings, work)
    case .list(let tree): try check(pack, hosting, FileOpener(tree), &findings, work)
    case .archive(_, _, let starts): check(pack, hosting, starts, &findings)
    }
    pack.findings = findings
  }

  private static func check(
    _ pack: SelectedPack, _ hosting: Hosting?, _ opener: FileOpener,
    _ findings: inout Ledger, _ work: Work
  ) throws(PackError) {
    let inspection = FileInspection(
      selection: pack.selection, document: pack.document, checksPrograms: hosting == .apple)
    let places = pack.document.locations
    for suspect in try inspection.suspects(opener, work) {
      let entry = pack.selection[suspect.index]
      if suspect.isManifest { JunkRules.junk(manifest: entry, pack.document, &findings) }
      if let kind = suspect.pointer { ContentRules.pointer(kind, entry, places, &findings) }
      if suspect.isProgram { ContentRules.macProgram(entry, for: hosting, places, &findings) }
    }
  }

  /// Checks the files of an archive, which were examined when the archive was listed.
  private static func check(
    _ pack: SelectedPack, _ hosting: Hosting?, _ starts: FileStarts,
    _ findings: inout Ledger
  ) {
    let places = pack.document.locations
    for index in pack.selection.indices where pack.selection.isFile(at: index) {
      let entry = pack.selection.records[index].entryIndex
      if let start = starts.manifests[entry],
        PackagingManifest.isAnother(start, than: pack.document)
      {
        JunkRules.junk(manifest: pack.selection[index], pack.document, &findings)
      }
      if let kind = starts.pointers[entry] {
        ContentRules.pointer(kind, pack.selection[index], places, &findings)
      }
      if starts.macPrograms.contains(entry) {
        ContentRules.macProgram(pack.selection[index], for: hosting, places, &findings)
      }
    }
  }
}
