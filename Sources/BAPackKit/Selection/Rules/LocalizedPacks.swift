import SourceDiagnostics
import SystemIO

/// The packs of one family hold the same paths in each language.
enum LocalizedPacks {
  static let rule = Rule(
    "files.localized-difference",
    what: "Localized packs whose IDs differ only by the language do not hold the same paths.",
    why: """
      An app asks for one path and gets the file in the user's language. A path that is missing in one \
      language is found out by the users of that language.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"file": "intro.fr.mp4"}], "language": "fr""#,
      right: """
        "fileSelectors": [{"fileSource": "intro.fr.mp4", "fileDestination": "intro.mp4"}],
        "language": "fr"
        """))

  /// Compares each pack with the first one of its family.
  static func check(_ packs: inout [SelectedPack]) {
    var families: [String: Int] = [:]
    for index in packs.indices {
      guard let family = family(of: packs[index]) else { continue }
      guard let first = families[family] else {
        families[family] = index
        continue
      }
      if let finding = compare(packs[first], packs[index]) { packs[index].add([finding]) }
    }
  }

  /// The ID without its language: 'intro-movie' for 'intro-movie-fr'.
  private static func family(of pack: SelectedPack) -> String? {
    guard let id = pack.document.assetPackID, let language = pack.document.manifest?.language,
      !pack.hasErrors
    else { return nil }
    let suffix = "-" + language.description.lowercased()
    guard id.lowercased().hasSuffix(suffix) else { return nil }
    return String(id.dropLast(suffix.count))
  }

  private static func compare(_ first: SelectedPack, _ second: SelectedPack) -> Diagnostic? {
    let left = paths(of: first)
    let right = paths(of: second)
    var notes: [String] = []
    for (has, lacks, name) in [(left, right, second.name), (right, left, first.name)] {
      let missing = has.subtracting(lacks).sorted()
      if missing.isEmpty { continue }
      let more = missing.count > 10 ? " and \(missing.count - 10) more" : ""
      notes.append("'\(name)' lacks \(Diagnostic.list(Array(missing.prefix(10))))\(more)")
    }
    guard !notes.isEmpty else { return nil }
    return rule.finding(
      .note, "'\(first.name)' and '\(second.name)' do not hold the same paths",
      at: second.document.locations.fileSelectors, notes: notes)
  }

  private static func paths(of pack: SelectedPack) -> Set<String> {
    Set(
      pack.selection.indices.lazy.filter { pack.selection.isFile(at: $0) }
        .map { shownBytes(pack.selection.destinationBytes(at: $0)) })
  }
}
