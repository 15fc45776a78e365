import BlockCodecs
import SourceDiagnostics
import SystemIO
import TerminalText

/// The rules about differences between a pack and its digest, its manifest or its source files.
enum ComparisonRules {
  static let all: [Rule] = [
    digest, notSelected, missing, surplus, differs, manifestDiffers,
  ]

  static let digest = Rule(
    "archive.digest",
    what: "The SHA-256 digest of the file differs from the expected one.",
    why: "The file was changed, or it is another file.",
    example: .init(
      wrong: "another file with the same name", right: "the file with this digest"))

  static func digest(_ actual: [UInt8], expected: [UInt8]) -> Finding? {
    guard actual != expected else { return nil }
    return digest.finding(
      .init(whole: "the SHA-256 is \(hexadecimal(actual)), not \(hexadecimal(expected))"), at: nil)
  }

  /// An entry that no selector can select.
  static let notSelected = Rule(
    "archive.not-selected",
    what: "The pack contains an entry that no selector of its manifest can select.",
    why: "The archive was changed after packing, or it belongs to another manifest.",
    example: .init(
      wrong: #"Contents/a.txt, Contents/b.txt with {"file": "a.txt"}"#,
      right: #"Contents/a.txt with {"file": "a.txt"}"#))

  static func notSelected(_ path: AssetPath, _ findings: inout Ledger) {
    findings.add(notSelected) {
      notSelected.finding(
        .init(
          whole: "no selector of the manifest can select '\(path.shown)'"), at: nil)
    }
  }

  static let missing = Rule(
    "archive.missing",
    what: "The pack lacks a file or folder that the manifest selects.",
    why: """
      The pack is older than its source files, or was made from other files. If the manifest in \
      the pack names the file, the archive is damaged: a wrong length may include the file in the \
      contents of the entry before it.
      """,
    example: .init(
      wrong: "a pack that was made before 'b.txt' was added", right: "a new pack"))

  /// Reports a file that the manifest in the pack names.
  static func missing(_ path: AssetPath, _ findings: inout Ledger) {
    findings.add(missing) {
      missing.finding(
        .init(whole: "the pack lacks '\(path.shown)', which its manifest names"), at: nil)
    }
  }

  /// Reports a file that the manifest of the comparison selects.
  static func missing(ofSource path: AssetPath, _ findings: inout Ledger) {
    findings.add(missing) {
      missing.finding(
        .init(whole: "the pack lacks '\(path.shown)', which the manifest selects"), at: nil)
    }
  }

  /// An entry that the manifest does not select.
  static let surplus = Rule(
    "archive.surplus",
    what: "The pack contains a file or folder that the manifest does not select.",
    why: "The pack is older than its source files, or was made from other files.",
    example: .init(
      wrong: "a pack that was made before 'b.txt' was removed", right: "a new pack"))

  static func surplus(_ path: AssetPath, _ findings: inout Ledger) {
    findings.add(surplus) {
      surplus.finding(.init(whole: "the manifest does not select '\(path.shown)'"), at: nil)
    }
  }

  static let differs = Rule(
    "archive.differs",
    what: "A file in the pack differs from its source file.",
    why: "The source file or the pack was changed after packing.",
    example: .init(
      wrong: "a pack that was made before 'b.txt' was edited", right: "a new pack"))

  /// A difference between a file in the pack and its source.
  enum Difference {
    case kind(PackEntry.Kind)
    case executable(Bool)
    case size(UInt64, of: UInt64)
    case bytes(from: UInt64)
    /// Owner, mode and times, in a pack that keeps the metadata of the source files.
    case metadata([String])

    fileprivate var phrase: String {
      switch self {
      case .kind(let kind): "is \(kind.phrase), but its source is not"
      case .executable(true): "is executable, but its source is not"
      case .executable(false): "is not executable, but its source is"
      case .size(let own, let source): "has \(own) bytes, but its source has \(source)"
      case .bytes(let place): "differs from its source at byte \(place)"
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

  static let manifestDiffers = Rule(
    "archive.manifest-differs",
    what: "The manifest in the pack differs from the given manifest.",
    why: "The manifest was changed after packing, or the pack belongs to another manifest.",
    example: .init(
      wrong: "different selectors", right: "the same manifest"))

  static func manifestDiffers(in keys: [String]) -> Finding? {
    guard !keys.isEmpty else { return nil }
    return manifestDiffers.finding(
      .init(whole: "the pack's manifest differs in '\(keys.joined(separator: "', '"))'"), at: nil)
  }
}
