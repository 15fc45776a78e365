import BAPackKit
import Foundation
import Reporting
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

/// The model of a pack, from which every expectation is computed.
struct PackModel: Equatable {
  var policy =
    #"{"essential": {"installationEventTypes": ["firstInstallation", "subsequentUpdate"]}}"#
  var platforms: [String] = []
  var language: String?
  var userInfo: String?
  var files: [String: [UInt8]] = [:]
  var settings = PackSettings(blockSize: 16_384, threads: 1)

  static func == (left: PackModel, right: PackModel) -> Bool {
    left.policy == right.policy && Set(left.platforms) == Set(right.platforms)
      && left.language == right.language && left.userInfo == right.userInfo
      && left.files == right.files
  }
}

/// Packs of several releases in a folder, created by packing files.
final class Releases {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Packs a release into a separate folder, and returns its path.
  func release(_ name: String, _ packs: [String: PackModel]) throws -> String {
    try folder.makeFolder(name)
    for (id, pack) in packs { _ = try release(name, id, pack) }
    return folder.path(name)
  }

  private func release(_ name: String, _ id: String, _ pack: PackModel) throws {
    let root = "source-\(name)/\(id)"
    try folder.makeFile(root + "/Keep/" + id, "kept")
    for (path, bytes) in pack.files { try folder.makeFile(root + "/" + path, bytes) }
    try folder.makeFile("manifests-\(name)/\(id).json", manifest(id, pack, root))
    let document = ManifestDocument(
      parsing: try folder.contents("manifests-\(name)/\(id).json"), named: id)
    let source = try SourceRoot(opening: folder.path(root), .unstoppable)
    let selection = try Selection.resolve(document, in: source, .unstoppable).selection
    let plan = try PackPlan(
      try #require(document.manifest, "\(document.findings.map { "\($0.message)" })"), selection,
      from: source, settings: pack.settings)
    _ = try PackSeries.Job(plan, to: folder.path("\(name)/\(id).aar")).pack(.unstoppable)
  }

  private func manifest(_ id: String, _ pack: PackModel, _ root: String) -> String {
    var text = #"{"assetPackID": "\#(id)", "downloadPolicy": \#(pack.policy), "#
    text += #""fileSelectors": [{"directory": "."}], "sourceRoot": "../\#(root)", "#
    text += #""platforms": [\#(pack.platforms.map { #""\#($0)""# }.joined(separator: ", "))]"#
    if let language = pack.language { text += #", "language": "\#(language)""# }
    if let userInfo = pack.userInfo { text += #", "userInfo": \#(userInfo)"# }
    return text + "}"
  }

  /// Returns an inventory as the command reads it.
  func inventory(_ path: String, threads: Int = 2) throws -> Inventory {
    var reader = InventoryReader()
    reader.threads = threads
    var findings = Ledger()
    let inventory = try reader.read([path], &findings, .unstoppable)
    return try #require(inventory, "\(findings.map(\.message))")
  }

  /// Compares two releases.
  func comparison(
    _ old: [String: PackModel], _ new: [String: PackModel], threads: Int = 2
  ) throws -> Comparison {
    let (before, now) = (try release("old", old), try release("new", new))
    return try Comparison(
      from: inventory(before, threads: threads), to: inventory(now, threads: threads),
      threads: threads, .unstoppable)
  }
}

extension Comparison {
  /// The changes of files, one per line and in order: `level: changed a/b`.
  var lines: [String] {
    changes.flatMap { change in
      change.files.map { file in
        let what =
          switch file.kind {
          case .added: "added"
          case .removed: "removed"
          case .changed: "changed"
          case .renamed(let from): "renamed \(from.text) ->"
          case .moved(let pack): "moved from \(pack)"
          case .unknown: "unknown"
          }
        let breaks = file.breakage.map { " BREAKS \($0.rawValue)" } ?? ""
        return "\(change.id): \(what) \(file.path.shown)\(breaks)"
      }
    }
  }
}
