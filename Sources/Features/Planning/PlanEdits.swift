package import BAPackKit
package import Proposing
import SourceDiagnostics
import SystemIO

/// The files that a proposal changes and creates.
package struct PlanEdits: Sendable {
  package private(set) var changes = FileChanges()

  /// Determines the changes of the manifests of today's packs, and the new manifests.
  ///
  /// Only selectors change; all other bytes of a manifest are unchanged.
  ///
  /// - Parameters:
  ///   - packs: The packs of a proposal.
  ///   - reasons: The reasons for its new packs.
  ///   - documents: The manifests of today's packs, in their order.
  package init(
    _ packs: PlannedPacks, _ reasons: [Plan.Reason] = [], of documents: [ManifestDocument]
  ) throws(PackError) {
    for pack in packs.packs where pack.isChanged {
      if let today = pack.today {
        changes.edits.append(try Self.edit(pack, documents[today]))
      } else if let parent = pack.parent {
        changes.newFiles.append(Self.file(pack, beside: documents[parent], reasons))
      }
    }
  }

  private static func edit(
    _ pack: PlannedPacks.Pack, _ document: ManifestDocument
  ) throws(PackError) -> FileChanges.Edit {
    guard let text = document.text(adding: pack.added, removing: Set(pack.removed)) else {
      throw PackError(
        .conflict, "cannot change the selectors of '\(document.source.name)'",
        remedy: "change them yourself")
    }
    return .init(
      path: FilePath(document.source.name), before: document.source.bytes, after: text)
  }

  private static func file(
    _ pack: PlannedPacks.Pack, beside document: ManifestDocument, _ reasons: [Plan.Reason]
  ) -> ProposedFiles.Text {
    let reason = reasons.first { $0.pack == pack.manifest.assetPackID }
    let text = pack.manifest.text(TextComments(start: reason.map { [$0.sentence] } ?? []))
    let name = FileName((pack.manifest.assetPackID + ".json").utf8)
    return .init(
      path: FilePath(document.source.name).folder.appending(name), bytes: Array(text.utf8))
  }
}

extension Plan.Reason {
  /// The facts as a sentence.
  package var sentence: String {
    let from = parents.map { "'\($0)'" }.joined(separator: " and ")
    let updates = changes == 1 ? "1 update" : "\(changes) updates"
    return "From \(from): these files changed in \(updates), the others there in \(changesOfRest)."
  }
}
