import BAPackKit
import SourceDiagnostics
import TerminalText

/// The rules for the contents of an app, compared with its packs.
enum AppContentRules {
  static let all: [AppRule] = [sameBytes, onDemandResources, missingPath, packID]

  /// The minimum size of files that are compared, that of a block on a device.
  static let leastComparedSize: UInt64 = 4096

  static let sameBytes = AppRule(
    "app.same-bytes", .always(.warning),
    what: "Files are in the app and in a pack, with the same bytes.",
    answer: "users download and store these files twice", .high,
    why: "Files with less than \(leastComparedSize) bytes are not compared.",
    example: .init(
      wrong: "Game.app/Music/theme.m4a, and Music/theme.m4a in the pack 'music'",
      right: "Music/theme.m4a only in the pack 'music'"))

  static func sameBytes(_ files: [String], size: UInt64, in packs: [String]) -> Finding {
    sameBytes.finding(
      "\(Finding.list(Array(files.prefix(8))))"
        + (files.count > 8 ? " and \(files.count - 8) more files" : "")
        + " \(files.count == 1 ? "is" : "are") also in \(Finding.list(packs)): "
        + "\(Quantity.bytes(size))",
      change: "remove the files from the target, or from the packs")
  }

  static let onDemandResources = AppRule(
    "app.on-demand-resources", .always(.warning),
    what: "The app still uses On-Demand Resources.",
    answer: """
      App Store Connect can answer ITMS-90555 or ITMS-90558 ("Thinned app size is too large…"); \
      On-Demand Resources are deprecated in version 27 of the systems
      """, .medium,
    example: .init(
      wrong: "Game.app/OnDemandResources.plist", right: "no files of On-Demand Resources"))

  static func onDemandResources(_ files: [String], usesClass: Bool) -> Finding {
    let use: Finding.Message = "the program uses NSBundleResourceRequest"
    return onDemandResources.finding(
      files.isEmpty
        ? use
        : "the app has \(Finding.list(files))\(usesClass ? ", and " : "")\(usesClass ? use : "")",
      change: """
        remove the tags, set 'ENABLE_ON_DEMAND_RESOURCES' to NO, and replace the calls of \
        NSBundleResourceRequest
        """)
  }

  static let missingPath = AppRule(
    "app.missing-path", .always(.warning),
    what: "A text looks like a path in a pack, but no pack has this path.",
    answer: "the app gets the error 'No file was found at …'", .high,
    why: """
      The app can create paths at run time, and short texts of Swift are invisible in programs. A \
      path that is not found is therefore never an error, and a file that no text names may be \
      used.
      """,
    example: .init(
      wrong: "\"Voice/hello.txt\" in the app, and Voices/hello.txt in the pack",
      right: "\"Voices/hello.txt\" in the app"))

  static func missingPath(_ path: String, near: String?, at span: SourceSpan?) -> Finding {
    missingPath.finding(
      "no pack has '\(path: path)'", at: span,
      change: near.map { "did you mean '\(path: $0)'?" }
        ?? "correct the text, or add the file to a pack")
  }

  static let packID = AppRule(
    "app.pack-id", .always(.warning),
    what: "A call requests a pack with an unknown ID.",
    answer: "the app gets the error 'No asset pack with the ID … was found'", .high,
    example: .init(
      wrong: "assetPack(withID: \"tutorail\")", right: "assetPack(withID: \"tutorial\")"))

  static func packID(_ id: String, near: String?, at span: SourceSpan?) -> Finding {
    packID.finding(
      "no pack has the ID '\(id)'", at: span,
      change: near.map { "did you mean '\($0)'?" } ?? "correct the ID, or pack it, too")
  }
}
