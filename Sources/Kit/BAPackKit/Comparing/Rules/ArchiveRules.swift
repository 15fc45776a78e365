import AssetArchive
import SourceDiagnostics
import SystemIO
import TerminalText

/// The rules about archives.
enum ArchiveRules {
  static let all: [Rule] = [
    damaged, shortBlock, entry, path, duplicate, misplaced, size, length, recorded, field,
    similarNames, outside, noContents, noManifest, invalidManifest,
  ]

  /// A file that is not a valid Apple Archive.
  static let damaged = Rule(
    "archive.damaged",
    what: "The file is not an Apple Archive, or a part of it is damaged.",
    why: "Devices cannot extract the pack. Often, a copy or a download was incomplete.",
    example: .init(
      wrong: "an incomplete download", right: "the archive that 'pack' wrote"))

  static func damaged(_ error: PackError, in pack: String) -> Finding {
    // A finding is printed after the name of the pack.
    damaged.finding(error, message: error.phrase(after: pack), at: nil)
  }

  /// A block before the last one that is not full.
  static let shortBlock = Rule(
    "archive.short-block",
    what: "A block before the last one is not full.",
    why: "Apple's random-access reader rejects such an archive.",
    example: .init(
      wrong: "1,048,576 + 5 + 1,048,576 bytes", right: "1,048,576 + 1,048,576 + 5 bytes"))

  static func shortBlock(at place: UInt64) -> Finding {
    shortBlock.finding(
      "a block before the last one is not full (at byte \(place) of the file)", at: nil)
  }

  /// The kind of an entry.
  static let entry = Rule(
    "archive.entry",
    what: """
      An entry is neither a file nor a folder, lacks a required field, or is a file although its \
      path requires a folder.
      """,
    why: "Asset packs contain only files and folders. Apps cannot use links or devices.",
    example: .init(
      wrong: "a symbolic link", right: "the target of the link"))

  static let path = Rule(
    "archive.path",
    what: "The path of an entry is not safe to extract.",
    why: """
      Absolute paths and '..' can write outside the output folder. Some file systems do not \
      support control characters, names of more than 255 bytes, and bytes that are not UTF-8.
      """,
    example: .init(
      wrong: "Contents/../../levels.json", right: "Contents/levels.json"))

  /// Reports a control character, which packing rejects and extraction allows.
  static func path(of entry: PackEntry, _ findings: inout Ledger) {
    if PackPath.holdsControlCharacter(entry.storedPath.bytes) {
      findings.add(path, "has a path that \(PathFault.controlCharacter)", of: entry)
    }
  }

  /// A path that occurs twice.
  static let duplicate = Rule(
    "archive.duplicate",
    what: "Two entries have the same path.",
    why: "It is undefined which of the two an app receives.",
    example: .init(
      wrong: "Contents/a, Contents/a", right: "Contents/a, Contents/b"))

  /// The order of folders and their contents.
  static let misplaced = Rule(
    "archive.misplaced",
    what: "An entry comes before its folder, or is inside a file.",
    why: "The entry of each folder comes before the entries of its contents.",
    example: .init(
      wrong: "Contents/a/b", right: "Contents/a, Contents/a/b"))

  /// The size of an entry in relation to the archive.
  static let size = Rule(
    "archive.size",
    what: "The size of an entry exceeds the size of the archive.",
    why: "The entries after it cannot be read.",
    example: .init(
      wrong: "1 EiB in a file of 100 bytes", right: "the size of the contents"))

  /// Adds a finding of the rule for a fault of an entry.
  static func fault(_ fault: EntryFault, of entry: PackEntry, _ findings: inout Ledger) {
    let rule: Rule =
      switch fault {
      case .otherKind, .folderWithContents, .fileWithoutContents, .notAFolder, .tooMany:
        Self.entry
      case .unsafePath, .notUTF8: path
      case .outsideContents: outside
      case .duplicate: duplicate
      case .noParent, .belowFile: misplaced
      case .largerThanArchive: size
      }
    findings.add(rule, "\(fault)", of: entry)
  }

  /// Entries inside the contents of a file.
  static let length = Rule(
    "archive.length", .always(.warning),
    what: "The contents of a file end with complete entries of the archive.",
    why: """
      Probably the length of the contents is damaged and includes later entries. Then these \
      entries are missing from the pack, and the file is too long. This is not certain, because a \
      file may contain such entries itself.
      """,
    example: .init(
      wrong: "Contents/a (with Contents/b in its contents), Contents/c",
      right: "Contents/a, Contents/b, Contents/c"))

  static func length(
    _ suspicion: SwallowedEntries.Suspicion, in entry: PackEntry, contentsAt start: UInt64
  ) -> Finding {
    let entries =
      suspicion.count == 1
      ? "the complete entry" : "\(suspicion.count) complete entries, the first"
    return length.finding(
      .init(
        whole:
          "the contents of '\(entry.archivePath)' end with \(entries) '\(suspicion.first.shown)' "
          + "(at byte \(start + suspicion.offset) of the decoded archive): "
          + "their length may be damaged"), at: nil)
  }

  static let recorded = Rule(
    "archive.recorded",
    what: "The contents of a file do not match the size or digest in its entry.",
    why: "The contents were changed after packing.",
    example: .init(
      wrong: "SIZ 5 with 1 byte of contents", right: "SIZ 1 with 1 byte of contents"))

  static func recorded(
    _ faults: [String], of entry: PackEntry, _ findings: inout Ledger
  ) {
    for fault in faults { findings.add(recorded, fault, of: entry) }
  }

  static let field = Rule(
    "archive.field", .always(.warning),
    what: "An entry has an unusual field, such as extended attributes.",
    why: "Apple's packager does not write this field. The effect on devices is undocumented.",
    example: .init(
      wrong: "XAT", right: "TYP PAT UID GID MOD FLG CTM MTM DAT"))

  static func field(of entry: PackEntry, _ findings: inout Ledger) {
    if entry.otherFields.isEmpty { return }
    findings.add(field) {
      let most = 8
      let others = entry.otherFields.count - most
      let fields = entry.otherFields.prefix(most).joined(separator: ", ")
      return field.finding(
        .init(
          whole: "the entry '\(entry.archivePath)' has unusual fields: \(fields)"
            + (others > 0 ? " and \(others) more" : "")), at: nil)
    }
  }

  /// Paths that differ only by case or Unicode normalization.
  static let similarNames = Rule(
    "archive.similar-names", .always(.warning),
    what: "Two paths differ only by case or by Unicode normalization.",
    why: "Some file systems of Apple's platforms treat both as one path and keep only one file.",
    example: .init(
      wrong: "Contents/Icon.png, Contents/icon.png", right: "Contents/icon.png"))

  static func similarNames(
    _ entry: PackEntry, isPlain: Bool, _ findings: inout Ledger
  ) {
    findings.add(similarNames) {
      // Two spellings of a non-ASCII letter look the same.
      let name =
        isPlain
        ? entry.archivePath.shown
        : codePoints(String(decoding: entry.storedPath.bytes, as: UTF8.self))
      return similarNames.finding(
        .init(
          whole: "'\(name)' differs from another path only by case or Unicode normalization"),
        at: nil)
    }
  }

  /// Entries outside `Contents`.
  static let outside = Rule(
    "archive.outside-contents",
    what: "A file or folder is outside 'Contents'.",
    why: "A pack contains only 'Contents' and 'Manifest.json'. Apps cannot access other entries.",
    example: .init(
      wrong: "notes.txt", right: "Contents/notes.txt"))

  /// A pack without a folder `Contents`.
  static let noContents = Rule(
    "archive.no-contents",
    what: "The pack has no folder 'Contents'.",
    why: "Apps can access only the files in this folder.",
    example: .init(
      wrong: "Manifest.json", right: "Contents, Contents/a, Manifest.json"))

  static func noContents(in contents: Bool) -> Finding? {
    contents ? nil : noContents.finding("the pack has no folder 'Contents'", at: nil)
  }

  /// A pack without a manifest.
  static let noManifest = Rule(
    "archive.no-manifest",
    what: "The pack has no 'Manifest.json'.",
    why: "This file contains the ID of the pack and its download policy.",
    example: .init(
      wrong: "Contents/Manifest.json", right: "Manifest.json"))

  /// Returns a finding if the manifest of a pack is missing or has errors.
  static func noManifest(_ document: ManifestDocument?) -> Finding? {
    guard let document else {
      return noManifest.finding("the pack has no 'Manifest.json'", at: nil)
    }
    guard document.manifest == nil else { return nil }
    let count = document.findings.count(.error)
    return invalidManifest.finding(
      "'Manifest.json' is invalid: \(count) \(count == 1 ? "error" : "errors")", at: nil)
  }

  static let invalidManifest = Rule(
    "archive.invalid-manifest",
    what: "The manifest in the pack has errors.",
    why: "App Store Connect rejects a pack with an invalid manifest.",
    example: .init(
      wrong: #"{"assetPackID": ""}"#, right: "a manifest without errors"))
}

extension Ledger {
  /// Adds a finding about an entry.
  fileprivate mutating func add(
    _ rule: Rule, _ phrase: @autoclosure () -> String, of entry: PackEntry
  ) {
    add(rule) {
      rule.finding(
        .init(
          whole:
            "the entry '\(entry.archivePath)' \(phrase()) "
            + "(at byte \(entry.fileOffset) of the file)"),
        at: nil)
    }
  }
}
