package import BAPackKit
package import SourceDiagnostics
import SystemIO

/// What breaks apps that are out already when packs change, and lists of what is accepted.
package enum ChangeRules {
  package static let all: [Rule] =
    Breakage.allCases.map(\.rule) + [accepted, acceptedUntil, acceptedInVain]

  /// Something that breaks; an error where that was asked for.
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

  /// An entry in a list of accepted breakage says something that cannot be.
  static let accepted = Rule(
    "accept.value",
    what: "An entry in a list of accepted breakage cannot be read.",
    why: """
      Each entry says what breaks, in which pack, why that is accepted, and until when. What \
      cannot be read accepts nothing.
      """,
    example: .init(
      wrong: #"{"breaks": "path-removed", "pack": "cave", "reason": "unused", "until": "soon"}"#,
      right:
        #"{"breaks": "path-removed", "pack": "cave", "reason": "unused", "until": "2027-01-31"}"#))

  static func value(_ message: Finding.Message, at span: SourceSpan?) -> Finding {
    accepted.finding(message, at: span)
  }

  /// An entry in a list of accepted breakage is out of date.
  static let acceptedUntil = Rule(
    "accept.until", .always(.warning),
    what: "The last day of an accepted breakage is over.",
    why: """
      Breakage is accepted while apps are out that suffer from it and are about to go. After the \
      last day it counts again, so that nobody forgets it.
      """,
    example: .init(wrong: #""until": "2020-01-31""#, right: #""until": "2099-01-31""#))

  static func until(_ day: String, at span: SourceSpan?) -> Finding {
    acceptedUntil.finding("this was accepted until \(day), and counts again", at: span)
  }

  /// An entry in a list of accepted breakage is about nothing.
  static let acceptedInVain = Rule(
    "accept.unused", .always(.warning),
    what: "An entry in a list of accepted breakage is about nothing that breaks.",
    why: "What stays in the list may accept something else later that nobody looked at.",
    example: .init(
      wrong: #"{"breaks": "pack-removed", "pack": "no-such-pack", "reason": "…", "until": "…"}"#,
      right: "the list without that entry"))

  static func unused(at span: SourceSpan?) -> Finding {
    acceptedInVain.finding("nothing of this kind breaks: the entry can go", at: span)
  }
}

extension Breakage {
  /// What happened, in a few words behind the name of what it happened to.
  package var phrase: String {
    switch self {
    case .pathRemoved: "is no longer there"
    case .pathCase: "is spelled in other case"
    case .pathAmbiguous: "is in several packs now, with different contents"
    case .packRemoved: "is no longer there"
    case .platformDropped: "is no longer for every platform that it was for"
    case .languageDropped: "is no longer for every language that it was for"
    case .policyWeakened: "no longer comes by itself"
    }
  }

  /// The rule that explains it.
  package var rule: Rule {
    Rule(
      .init(stringLiteral: "change." + rawValue),
      .usually(.warning, .error, when: "breakage was said to fail"),
      what: what, why: why, example: .init(wrong: example.wrong, right: example.right))
  }

  private var what: String {
    switch self {
    case .pathRemoved:
      "A path that apps may ask for is in no pack any more that their devices have."
    case .pathCase: "A path is spelled with other upper or lower case letters than before."
    case .pathAmbiguous: "A path is in two packs that one device may have, with different contents."
    case .packRemoved: "A pack that apps may ask for is gone."
    case .platformDropped: "A pack is no longer offered on a platform that had it."
    case .languageDropped:
      "A pack is no longer offered to people who had it, because of its language."
    case .policyWeakened: "A pack, or a file, that came by itself has to be asked for."
    }
  }

  private var why: String {
    switch self {
    case .pathRemoved, .pathCase, .packRemoved:
      """
      New packs reach apps that are out already, and those ask for what they knew when they were \
      built. Keep it until nobody uses those apps, or accept the breakage with a reason.
      """
    case .pathAmbiguous:
      "All packs on a device are one tree, and nobody documents which of two packs answers."
    case .platformDropped, .languageDropped:
      """
      Devices delete packs that they are no longer offered, and apps that are out already miss \
      them.
      """
    case .policyWeakened:
      """
      Apps that are out already rely on what came by itself, and never ask for it. A device gets a \
      pack that it does not have when the app is installed or updated: until then it misses a file \
      that moved to such a pack.
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
