import BlockCodecs
import SourceDiagnostics
import SystemIO
import TerminalText

/// Differences between a finished pack and what is expected: a digest, its manifest, its sources.
enum ComparisonRules {
  static let all: [Rule] = [
    digest, notSelected, missing, surplus, differs, manifestDiffers,
  ]

  /// The file is the one that was meant.
  static let digest = Rule(
    "archive.digest",
    what: "The file has not the SHA-256 that it should have.",
    why: "It is not the file that somebody took the digest of.",
    example: .init(
      wrong: "another file of the same name", right: "the file itself"))

  static func digest(_ actual: [UInt8], expected: [UInt8]) -> Finding? {
    guard actual != expected else { return nil }
    return digest.finding(
      .init(whole: "the SHA-256 is \(hexadecimal(actual)), not \(hexadecimal(expected))"), at: nil)
  }

  /// The manifest could have chosen what is there.
  static let notSelected = Rule(
    "archive.not-selected",
    what: "The pack holds something that its manifest's selectors could not have chosen.",
    why: "The archive was changed after it was packed, or it is not the archive of this manifest.",
    example: .init(
      wrong: #"Contents/a.txt, Contents/b.txt with {"file": "a.txt"}"#,
      right: #"Contents/a.txt with {"file": "a.txt"}"#))

  static func notSelected(_ path: AssetPath, _ findings: inout Ledger) {
    findings.add(notSelected) {
      notSelected.finding(
        .init(
          whole: "'\(path.shown)' could not have been chosen by the manifest's selectors"),
        at: nil)
    }
  }

  /// What is selected is there.
  static let missing = Rule(
    "archive.missing",
    what: "The manifest selects a file or folder that the pack does not have.",
    why: """
      The pack is older than its sources, or was made from others. Where its own manifest names \
      the file, it was lost: a damaged length may have made it part of the file in front of it.
      """,
    example: .init(
      wrong: "a pack made before 'b.txt' was added", right: "a pack made now"))

  /// A file that the pack's own manifest names.
  static func missing(_ path: AssetPath, _ findings: inout Ledger) {
    findings.add(missing) {
      missing.finding(
        .init(whole: "the pack has no '\(path.shown)', which its manifest names"), at: nil)
    }
  }

  /// A file that is selected by the manifest that the pack is compared with.
  static func missing(ofSource path: AssetPath, _ findings: inout Ledger) {
    findings.add(missing) {
      missing.finding(
        .init(whole: "the pack has no '\(path.shown)', which the manifest selects"), at: nil)
    }
  }

  /// What is there is selected.
  static let surplus = Rule(
    "archive.surplus",
    what: "The pack has a file or folder that the manifest does not select now.",
    why: "The pack is older than its sources, or was made from others.",
    example: .init(
      wrong: "a pack made before 'b.txt' was removed", right: "a pack made now"))

  static func surplus(_ path: AssetPath, _ findings: inout Ledger) {
    findings.add(surplus) {
      surplus.finding(.init(whole: "the manifest does not select '\(path.shown)'"), at: nil)
    }
  }

  /// A file is what its source is.
  static let differs = Rule(
    "archive.differs",
    what: "A file in the pack is not what its source is.",
    why: "The source was changed after packing, or the pack was.",
    example: .init(
      wrong: "a pack made before 'b.txt' was edited", right: "a pack made now"))

  /// How a file in the pack differs from its source.
  enum Difference {
    case kind(PackEntry.Kind)
    case executable(Bool)
    case size(UInt64, of: UInt64)
    case bytes(from: UInt64)
    /// Owner, mode and times, in a pack that keeps those of the sources.
    case metadata([String])

    fileprivate var phrase: String {
      switch self {
      case .kind(let kind): "is \(kind.phrase), but not in the source"
      case .executable(true): "is executable, but not in the source"
      case .executable(false): "is not executable, but is in the source"
      case .size(let own, let source): "has \(own) bytes, in the source \(source)"
      case .bytes(let place): "differs from the source from byte \(place) on"
      case .metadata(let parts): "has the \(parts.joined(separator: "; the "))"
      }
    }
  }

  static func differs(
    _ path: AssetPath, _ difference: Difference, _ findings: inout Ledger
  ) {
    findings.add(differs) {
      differs.finding(.init(whole: "'\(path.shown)' \(difference.phrase)"), at: nil)
    }
  }

  /// The manifest is the one it is compared with.
  static let manifestDiffers = Rule(
    "archive.manifest-differs",
    what: "The manifest in the pack says something else than the one it is compared with.",
    why: "The manifest was changed after packing, or the pack is another one.",
    example: .init(
      wrong: "other selectors", right: "the same manifest"))

  static func manifestDiffers(in keys: [String]) -> Finding? {
    guard !keys.isEmpty else { return nil }
    return manifestDiffers.finding(
      .init(whole: "the pack's manifest differs in '\(keys.joined(separator: "', '"))'"), at: nil)
  }
}
