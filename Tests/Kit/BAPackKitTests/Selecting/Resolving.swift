import BAPackKit
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

/// The result of selectors (as JSON) in a folder.
func resolve(
  _ selectors: String, in folder: borrowing TemporaryFolder, leavingOut outputs: [String] = []
) throws -> Selection.Resolution {
  try Selection.resolve(
    document(selectors), in: SourceRoot(opening: folder.path, .unstoppable),
    leavingOut: RunOutputs(outputs), .unstoppable)
}

func document(_ selectors: String, id: String = "Pack", more: String = "") -> ManifestDocument {
  ManifestDocument(
    parsing: Array(
      """
      {"assetPackID": "\(id)", "downloadPolicy": {"onDemand": {}}, \(more)
       "platforms": [], "fileSelectors": [\(selectors)]}
      """.utf8), named: "m.json")
}

extension Selection.Resolution {
  /// The entries as `path` for files and `path/` for folders, in order.
  var paths: [String] {
    selection.map { entry in
      String(decoding: entry.destination.bytes, as: UTF8.self) + (entry.kind == .file ? "" : "/")
    }
  }

  /// The findings as `severity id: message`, in order.
  var lines: [String] {
    findings.map { "\($0.severity.rawValue) \($0.id.name): \($0.message)" }
  }
}
