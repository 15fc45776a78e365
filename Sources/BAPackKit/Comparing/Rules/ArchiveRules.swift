import AssetArchive
import SourceDiagnostics
import SystemIO
import TerminalText

/// What can be wrong with a finished pack.
enum ArchiveRules {
  static let all: [Rule] = [
    damaged, shortBlock, entry, path, duplicate, misplaced, size, length, recorded, field,
    similarNames, outside, noContents, noManifest, invalidManifest,
  ]

  /// The bytes are an Apple Archive.
  static let damaged = Rule(
    "archive.damaged",
    what: "The bytes are not an Apple Archive, from a certain place on.",
    why: "A download that broke off or a changed byte does this. No device can unpack the pack.",
    example: .init(
      wrong: "a file that was cut off", right: "the file as it was packed"))

  static func damaged(_ error: PackError, in pack: String) -> Finding {
    // The finding stands behind the name of the pack already.
    damaged.finding(error, saying: error.phrase(behind: pack), at: nil)
  }

  /// Only the last block may be short.
  static let shortBlock = Rule(
    "archive.short-block",
    what: "A block that is not full has others behind it.",
    why: "Apple's reader with random access refuses such a container.",
    example: .init(
      wrong: "1,048,576 + 5 + 1,048,576 bytes", right: "1,048,576 + 1,048,576 + 5 bytes"))

  static func shortBlock(at place: UInt64) -> Finding {
    shortBlock.finding(
      "a block that is not full has others behind it (at byte \(place) of the file)", at: nil)
  }

  /// A pack holds files and folders.
  static let entry = Rule(
    "archive.entry",
    what: """
      An entry is neither a file nor a folder, lacks what makes it one, or is a file where a \
      folder has to be.
      """,
    why: "Asset packs hold files and folders. Links and devices have no meaning in an app.",
    example: .init(
      wrong: "a symbolic link", right: "the file that it leads to"))

  /// The path of an entry leads nowhere else.
  static let path = Rule(
    "archive.path",
    what: "The path of an entry is not one that may be unpacked.",
    why: """
      Absolute paths, '..' and the like lead out of the folder that a pack is unpacked into. \
      Control characters, names of more than 255 bytes and what is not UTF-8 do not survive \
      everywhere.
      """,
    example: .init(
      wrong: "Contents/../evil", right: "Contents/levels.json"))

  /// A control character: selection forbids it, unpacking allows it.
  static func path(of entry: PackEntry, _ findings: inout Ledger) {
    if PackPath.holdsControlCharacter(entry.storedPath.bytes) {
      findings.add(path, "has a path that \(PathFault.controlCharacter)", of: entry)
    }
  }

  /// Each path is there once.
  static let duplicate = Rule(
    "archive.duplicate",
    what: "Two entries have the same path.",
    why: "Which of them an app gets is not defined.",
    example: .init(
      wrong: "Contents/a, Contents/a", right: "Contents/a, Contents/b"))

  /// A folder comes before what is in it.
  static let misplaced = Rule(
    "archive.misplaced",
    what: "An entry comes before its folder has come, or lies below a file.",
    why: "Each folder has an entry of its own in front of what is in it.",
    example: .init(
      wrong: "Contents/a/b", right: "Contents/a, Contents/a/b"))

  /// The contents of an entry are in the archive.
  static let size = Rule(
    "archive.size",
    what: "An entry claims more bytes than the archive holds.",
    why: "What comes behind it cannot be found.",
    example: .init(
      wrong: "1 EiB in a file of 100 bytes", right: "the size of the contents"))

  /// Adds a finding of the rule that a fault of an entry breaks.
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

  /// No entry is swallowed by the contents of another.
  static let length = Rule(
    "archive.length", .always(.warning),
    what: "The contents of a file end in whole entries that should come behind it.",
    why: """
      Most likely the length of the contents was changed, by a damaged byte for instance, and now \
      reaches to the end of a later entry: then the entries in between are missing, and the file \
      is too long. It is no proof, because a file may hold such entries of its own.
      """,
    example: .init(
      wrong: "Contents/a (with Contents/b in its contents), Contents/c",
      right: "Contents/a, Contents/b, Contents/c"))

  static func length(
    _ suspicion: SwallowedEntries.Suspicion, in entry: PackEntry, contentsAt start: UInt64
  ) -> Finding {
    let entries = suspicion.count == 1 ? "the whole entry" : "\(suspicion.count) whole entries from"
    return length.finding(
      .init(
        whole:
          "the contents of '\(entry.archivePath)' end in \(entries) '\(suspicion.first.shown)' "
          + (suspicion.count == 1 ? "" : "on ")
          + "(from byte \(start + suspicion.offset) of the decoded archive): "
          + "their length may be damaged"), at: nil)
  }

  /// The contents are those that the entry records.
  static let recorded = Rule(
    "archive.recorded",
    what: "The contents of a file are not those whose size or digest its entry records.",
    why: "The contents were changed after they were archived.",
    example: .init(
      wrong: "SIZ 5 with 1 byte of contents", right: "SIZ 1 with 1 byte of contents"))

  static func recorded(
    _ faults: [String], of entry: PackEntry, _ findings: inout Ledger
  ) {
    for fault in faults { findings.add(recorded, fault, of: entry) }
  }

  /// An entry has the fields that Apple's packager writes.
  static let field = Rule(
    "archive.field", .always(.warning),
    what: "An entry has a field that packs do not have, such as extended attributes.",
    why: "Apple's packager does not write it, so nobody knows what a device does with it.",
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
          whole: "the entry '\(entry.archivePath)' has the field \(fields)"
            + (others > 0 ? " and \(others) more" : "")), at: nil)
    }
  }

  /// Names in one folder differ by more than case and Unicode normalisation.
  static let similarNames = Rule(
    "archive.similar-names", .always(.warning),
    what: "Two paths differ only by case or by Unicode normalisation.",
    why: "File systems of Apple's platforms may treat them as one. Then one file hides the other.",
    example: .init(
      wrong: "Contents/Icon.png, Contents/icon.png", right: "Contents/icon.png"))

  static func similarNames(
    _ entry: PackEntry, isPlain: Bool, _ findings: inout Ledger
  ) {
    findings.add(similarNames) {
      // If letters beyond ASCII are written in two ways, both look the same.
      let name =
        isPlain
        ? entry.archivePath.shown
        : codePoints(String(decoding: entry.storedPath.bytes, as: UTF8.self))
      return similarNames.finding(
        .init(
          whole: "'\(name)' differs from another path only by case or Unicode normalisation"),
        at: nil)
    }
  }

  /// Everything lies in `Contents`, but for the manifest.
  static let outside = Rule(
    "archive.outside-contents",
    what: "A file or folder lies outside 'Contents'.",
    why:
      "A pack holds 'Contents' and 'Manifest.json', and nothing else. An app never sees the rest.",
    example: .init(
      wrong: "notes.txt", right: "Contents/notes.txt"))

  /// There is a folder `Contents`.
  static let noContents = Rule(
    "archive.no-contents",
    what: "The pack has no folder 'Contents'.",
    why: "An app sees what is in it, and nothing else.",
    example: .init(
      wrong: "Manifest.json", right: "Contents, Contents/a, Manifest.json"))

  static func noContents(in contents: Bool) -> Finding? {
    contents ? nil : noContents.finding("the pack has no folder 'Contents'", at: nil)
  }

  /// There is a manifest.
  static let noManifest = Rule(
    "archive.no-manifest",
    what: "The pack has no 'Manifest.json'.",
    why: "It says which pack this is and when it is downloaded.",
    example: .init(
      wrong: "Contents/Manifest.json", right: "Manifest.json"))

  /// Why a pack has no usable manifest: it is missing, or has errors.
  static func noManifest(_ document: ManifestDocument?) -> Finding? {
    guard let document else {
      return noManifest.finding("the pack has no 'Manifest.json'", at: nil)
    }
    guard document.manifest == nil else { return nil }
    let count = document.findings.count(.error)
    return invalidManifest.finding(
      "'Manifest.json' is invalid: \(count) \(count == 1 ? "error" : "errors")", at: nil)
  }

  /// The manifest is valid.
  static let invalidManifest = Rule(
    "archive.invalid-manifest",
    what: "The manifest in the pack has errors.",
    why: "A pack with an invalid manifest is refused at the latest when it is uploaded.",
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
