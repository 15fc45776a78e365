import SourceDiagnostics

/// What `verify` finds wrong in packs, for `explain`, the reference and SARIF: one row a finding.
///
/// The examples are words and paths, because what is wrong is no text that a person wrote.
enum ArchiveRules {
  static let damaged = Rule(
    "archive.damaged",
    what: "The bytes are not an Apple Archive, from a certain place on.",
    why: "A download that broke off or a changed byte does this. No device can unpack the pack.",
    example: .init(wrong: "a file that was cut off", right: "the file as it was packed"))
  static let shortBlock = Rule(
    "archive.short-block",
    what: "A block that is not full has others behind it.",
    why: "Apple's reader with random access refuses such a container.",
    example: .init(
      wrong: "1,048,576 + 5 + 1,048,576 bytes", right: "1,048,576 + 1,048,576 + 5 bytes"))
  static let entry = Rule(
    "archive.entry",
    what: """
      An entry is neither a file nor a folder, lacks what makes it one, or is a file where a folder has \
      to be.
      """,
    why: "Asset packs hold files and folders. Links and devices have no meaning in an app.",
    example: .init(wrong: "a symbolic link", right: "the file that it leads to"))
  static let path = Rule(
    "archive.path",
    what: "The path of an entry is not one that may be unpacked.",
    why: """
      Absolute paths, '..' and the like lead out of the folder that a pack is unpacked into. Control \
      characters, names of more than 255 bytes and what is not UTF-8 do not survive everywhere.
      """,
    example: .init(wrong: "Contents/../evil", right: "Contents/levels.json"))
  static let duplicate = Rule(
    "archive.duplicate",
    what: "Two entries have the same path.",
    why: "Which of them an app gets is not defined.",
    example: .init(wrong: "Contents/a, Contents/a", right: "Contents/a, Contents/b"))
  static let misplaced = Rule(
    "archive.misplaced",
    what: "An entry comes before its folder has come, or lies below a file.",
    why: "Each folder has an entry of its own in front of what is in it.",
    example: .init(wrong: "Contents/a/b", right: "Contents/a, Contents/a/b"))
  static let size = Rule(
    "archive.size",
    what: "An entry claims more bytes than the archive holds.",
    why: "What comes behind it cannot be found.",
    example: .init(wrong: "1 EiB in a file of 100 bytes", right: "the size of the contents"))
  static let length = Rule(
    "archive.length",
    what: "The contents of a file end in whole entries that should come behind it.",
    why: """
      Most likely the length of the contents was changed, by a damaged byte for instance, and now \
      reaches to the end of a later entry: then the entries in between are missing, and the file is \
      too long. It is no proof, because a file may hold such entries of its own.
      """,
    example: .init(
      wrong: "Contents/a (with Contents/b in its contents), Contents/c",
      right: "Contents/a, Contents/b, Contents/c"))
  static let recorded = Rule(
    "archive.recorded",
    what: "The contents of a file are not those whose size or digest its entry records.",
    why: "The contents were changed after they were archived.",
    example: .init(
      wrong: "SIZ 5 with 4 bytes of contents", right: "SIZ 4 with 4 bytes of contents"))
  static let field = Rule(
    "archive.field", .always(.warning),
    what: "An entry has a field that packs do not have, such as extended attributes.",
    why: "Apple's packager does not write it, so nobody knows what a device does with it.",
    example: .init(wrong: "XAT", right: "TYP PAT UID GID MOD FLG CTM MTM DAT"))
  static let similarNames = Rule(
    "archive.similar-names", .always(.warning),
    what: "Two paths differ only by case or by Unicode normalisation.",
    why: "File systems of Apple's platforms may treat them as one. Then one file hides the other.",
    example: .init(wrong: "Icon.png, icon.png", right: "icon.png"))
  static let outside = Rule(
    "archive.outside-contents",
    what: "A file or folder lies outside 'Contents'.",
    why:
      "A pack holds 'Contents' and 'Manifest.json', and nothing else. An app never sees the rest.",
    example: .init(wrong: "notes.txt", right: "Contents/notes.txt"))
  static let noContents = Rule(
    "archive.no-contents",
    what: "The pack has no folder 'Contents'.",
    why: "An app sees what is in it, and nothing else.",
    example: .init(wrong: "Manifest.json", right: "Contents, Contents/a, Manifest.json"))
  static let noManifest = Rule(
    "archive.no-manifest",
    what: "The pack has no 'Manifest.json'.",
    why: "It says which pack this is and when it is downloaded.",
    example: .init(wrong: "Contents/Manifest.json", right: "Manifest.json"))
  static let invalidManifest = Rule(
    "archive.invalid-manifest",
    what: "The manifest in the pack has errors.",
    why: "A pack with an invalid manifest is refused at the latest when it is uploaded.",
    example: .init(wrong: #"{"assetPackID": ""}"#, right: "a manifest that 'validate' accepts"))
  static let notSelected = Rule(
    "archive.not-selected",
    what: "The pack holds something that its manifest's selectors could not have chosen.",
    why: "The archive was changed after it was packed, or it is not the archive of this manifest.",
    example: .init(
      wrong: #"Contents/b.txt with {"file": "a.txt"}"#,
      right: #"Contents/a.txt with {"file": "a.txt"}"#))
  static let digest = Rule(
    "archive.digest",
    what: "The file has not the SHA-256 that it should have.",
    why: "It is not the file that somebody took the digest of.",
    example: .init(wrong: "another file of the same name", right: "the file itself"))
  static let missing = Rule(
    "archive.missing",
    what: "The manifest selects a file or folder that the pack does not have.",
    why: """
      The pack is older than its sources, or was made from others. Where its own manifest names the \
      file, it was lost: a damaged length may have made it part of the file in front of it.
      """,
    example: .init(wrong: "a pack made before 'b.txt' was added", right: "a pack made now"))
  static let surplus = Rule(
    "archive.surplus",
    what: "The pack has a file or folder that the manifest does not select now.",
    why: "The pack is older than its sources, or was made from others.",
    example: .init(wrong: "a pack made before 'b.txt' was removed", right: "a pack made now"))
  static let differs = Rule(
    "archive.differs",
    what: "A file in the pack is not what its source is.",
    why: "The source was changed after packing, or the pack was.",
    example: .init(wrong: "a pack made before 'b.txt' was edited", right: "a pack made now"))
  static let manifestDiffers = Rule(
    "archive.manifest-differs",
    what: "The manifest in the pack says something else than the one it is compared with.",
    why: "The manifest was changed after packing, or the pack is another one.",
    example: .init(wrong: "another download policy", right: "the same manifest"))

  static let all = [
    damaged, shortBlock, entry, path, duplicate, misplaced, size, length, recorded,
    field, similarNames, outside, noContents, noManifest, invalidManifest, notSelected, digest,
    missing, surplus, differs,
    manifestDiffers,
  ]
}
