import SourceDiagnostics
import SystemIO

/// A path is in one pack of an app only.
enum SharedPaths {
  static let rule = Rule(
    "files.shared-path",
    what: "Two packs of an app hold a file with the same path.",
    why: """
      All packs of an app share one namespace on the device. Which of two files the app gets for a \
      path is undefined, unless both packs have a language, and not the same.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"fileSource": "a.png", "fileDestination": "icon.png"}]"#,
      right: #""fileSelectors": [{"fileSource": "a.png", "fileDestination": "Tutorial/icon.png"}]"#)
  )

  private struct Pair: Hashable {
    var first: Int
    var second: Int
  }

  /// Reports each pair of packs once, with the first paths that they share.
  static func check(_ packs: inout [SelectedPack]) {
    guard packs.count > 1 else { return }
    // Each path with the packs that hold it; a file is shared by few, so lists stay short.
    var owners: [ArraySlice<UInt8>: [Int]] = [:]
    owners.reserveCapacity(packs.reduce(0) { $0 + $1.selection.count })
    var shared: [Pair: (entry: Int, paths: [String], count: Int)] = [:]
    for (index, pack) in packs.enumerated() {
      for entry in pack.selection.indices where pack.selection.isFile(at: entry) {
        let path = pack.selection.destinationBytes(at: entry)
        for other in owners[path] ?? [] where !areTranslations(packs[other], pack) {
          let pair = Pair(first: other, second: index)
          shared[pair, default: (entry, [], 0)].count += 1
          if shared[pair, default: (entry, [], 0)].paths.count < 5 {
            shared[pair]?.paths.append(shownBytes(path))
          }
        }
        owners[path, default: []].append(index)
      }
    }
    for (pair, found) in shared.sorted(by: {
      ($0.key.second, $0.key.first) < ($1.key.second, $1.key.first)
    }) {
      packs[pair.second].add([finding(found, packs[pair.first], packs[pair.second])])
    }
  }

  private static func areTranslations(_ first: SelectedPack, _ second: SelectedPack) -> Bool {
    guard let left = first.document.manifest?.language,
      let right = second.document.manifest?.language
    else { return false }
    return left != right
  }

  private static func finding(
    _ found: (entry: Int, paths: [String], count: Int), _ first: SelectedPack,
    _ second: SelectedPack
  ) -> Diagnostic {
    let names = "the packs '\(first.name)' and '\(second.name)'"
    let message =
      found.count == 1
      ? "\(names) both hold '\(found.paths.first ?? "")'"
      : "\(names) both hold \(Diagnostic.list(found.paths))"
        + (found.count > found.paths.count ? " and \(found.count - found.paths.count) more" : "")
    let selector = second.selection[found.entry].selector ?? 0
    return rule.finding(
      .warning, message,
      at: SelectionFindings(second.document).destination(of: selector)
        ?? second.document.locations.fileSelectors,
      notes: ["'\(first.name)' is described in \(first.document.source.name)"])
  }
}
