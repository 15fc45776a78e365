package import BAPackKit
package import SourceDiagnostics
import SystemIO

/// Rules for changes that break released apps, and for lists of accepted breaks.
package enum ChangeRules {
  package static let all: [Rule] =
    Breakage.allCases.map(\.rule) + [accepted, acceptedUntil, unusedAcceptance]

  /// Returns the finding of a break; its severity is error if `isError` is true.
  package static func finding(
    _ found: Break, isError: Bool, at span: SourceSpan?
  ) -> Finding {
    var subject = "'\(found.pack)'"
    if let path = found.path { subject = "'\(path.shown)' in \(subject)" }
    let what = found.what.map { " (\($0))" } ?? ""
    var finding = found.breakage.rule.finding(
      .init(whole: "\(subject): \(found.breakage.phrase)\(what)"), at: span,
      notes: [.init(whole: found.breakage.reason)])
    if isError { finding.severity = .error }
    return finding
  }

  /// An entry in a list of accepted breaks must be valid.
  static let accepted = Rule(
    "accept.value",
    what: "An entry in a list of accepted breaks is invalid.",
    why: """
      Each entry specifies the kind of break, the pack, a reason and a last day. An invalid entry \
      accepts no break.
      """,
    example: .init(
      wrong: #"{"breaks": "path-removed", "pack": "cave", "reason": "unused", "until": "soon"}"#,
      right:
        #"{"breaks": "path-removed", "pack": "cave", "reason": "unused", "until": "2027-01-31"}"#))

  static func value(_ message: Finding.Message, at span: SourceSpan?) -> Finding {
    accepted.finding(message, at: span)
  }

  /// An entry in a list of accepted breaks must not be expired.
  static let acceptedUntil = Rule(
    "accept.until", .always(.warning),
    what: "An accepted break has expired.",
    why: """
      A break is accepted while old app versions that it affects are still in use. After the last \
      day, it is reported again.
      """,
    example: .init(wrong: #""until": "2020-01-31""#, right: #""until": "2099-01-31""#))

  static func until(_ day: String, at span: SourceSpan?) -> Finding {
    acceptedUntil.finding("this break was accepted until \(day) and is reported again", at: span)
  }

  /// An entry in a list of accepted breaks must match a break.
  static let unusedAcceptance = Rule(
    "accept.unused", .always(.warning),
    what: "An entry in a list of accepted breaks matches no break.",
    why: "An unused entry may accept another break later without a review.",
    example: .init(
      wrong:
        #"{"breaks": "pack-removed", "pack": "none", "reason": "unused", "until": "2027-01-31"}"#,
      right: "the list without that entry"))

  static func unused(at span: SourceSpan?) -> Finding {
    unusedAcceptance.finding("this entry matches no break and can be removed", at: span)
  }
}

extension Breakage {
  /// A short description of the break, which follows the name of the pack or file.
  package var phrase: String {
    switch self {
    case .pathRemoved: "was removed"
    case .pathCase: "differs in case"
    case .pathAmbiguous: "is in several packs with different contents"
    case .packRemoved: "was removed"
    case .platformDropped: "is no longer offered on all of its platforms"
    case .languageDropped: "is no longer offered for all of its languages"
    case .policyWeakened: "is no longer downloaded automatically"
    }
  }

  /// The rule that explains the break.
  package var rule: Rule {
    Rule(
      .init(stringLiteral: "change." + rawValue),
      .usually(.warning, .error, when: "the comparison fails for breaking changes"),
      what: what, why: why, example: .init(wrong: example.wrong, right: example.right))
  }

  private var what: String {
    switch self {
    case .pathRemoved:
      "A path that released apps may request is missing on some devices."
    case .pathCase: "The case of a path changed."
    case .pathAmbiguous:
      """
      A path is in two packs that a device may have together, with different contents.
      """
    case .packRemoved: "A pack that released apps may request was removed."
    case .platformDropped: "A pack is no longer offered on one of its platforms."
    case .languageDropped:
      "A pack is no longer offered to some devices because of its language."
    case .policyWeakened: "A pack or file that was downloaded automatically must be requested."
    }
  }

  private var why: String {
    switch self {
    case .pathRemoved, .pathCase, .packRemoved:
      """
      Released apps also download new packs, but they request the packs and paths that existed \
      when they were built. Keep the pack or path while these app versions are in use, or accept \
      the break with a reason.
      """
    case .pathAmbiguous:
      """
      All packs on a device share one directory tree. Which of two packs provides a file is \
      undocumented.
      """
    case .platformDropped, .languageDropped:
      "Devices delete packs that they are no longer offered. Released apps do not find them."
    case .policyWeakened:
      """
      Released apps rely on the automatic download and never request the pack or file. A device \
      downloads a missing pack when the app is installed or updated. Until then, a file that \
      moved to such a pack is missing.
      """
    }
  }

  private var example: (wrong: String, right: String) {
    switch self {
    case .pathRemoved: ("Levels/map.json -> (none)", "Levels/map.json -> Levels/map.json")
    case .pathCase: ("Levels/Map.json -> Levels/map.json", "Levels/Map.json -> Levels/Map.json")
    case .pathAmbiguous: ("map.json in cave and forest", "cave/map.json, forest/map.json")
    case .packRemoved: ("level-cave -> (none)", "level-cave -> level-cave")
    case .platformDropped: (#"["iOS", "macOS"] -> ["iOS"]"#, #"["iOS"] -> ["iOS", "macOS"]"#)
    case .languageDropped: (#"no language -> "fr""#, #""fr" -> no language"#)
    case .policyWeakened: ("essential -> onDemand", "essential -> prefetch")
    }
  }
}
