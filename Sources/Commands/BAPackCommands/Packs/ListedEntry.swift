import BAPackKit
import Reporting
import SourceDiagnostics
import SystemIO
import TerminalText

/// A line of the result: an entry of a pack.
struct ListedEntry: Described {
  let pack: String
  let id: PackID?
  /// The path under which it is listed.
  let path: ArraySlice<UInt8>
  let entry: PackEntry
  let digest: String?
  /// Whether the digests of the pack omit files.
  let isPart: Bool

  static let table = Table<Self>(written: "an entry") {
    Key("pack", written: \.pack, .text, "The path of the archive.")
    Key(
      Manifest.key(of: \.assetPackID), written: \.id, .packID,
      "The ID of the pack, with '--digests'.")
    Key(
      DigestList.partKey, written: { $0.isPart ? true : nil }, .flag,
      "Whether the list has only some of the files, with '--digests'.")
    Key.path("path", written: { $0.path.isEmpty ? [UInt8(ascii: ".")] : $0.path }, "The path.")
    Key.path("archivePath", written: \.entry.bytesInArchive, "The path in the archive.")
    Key("type", written: \.entry.kind, .word, "The type of the entry.")
    Key("size", written: \.entry.size, .bytes, "The size of the file in bytes.")
    Key("mode", written: \.entry.octalMode, .text, "The permissions in octal digits.")
    Key("uid", written: \.entry.userID, .count, "The ID of the owner.")
    Key("gid", written: \.entry.groupID, .count, "The ID of the group.")
    Key("modified", written: \.entry.modified, .moment, "The time of the last change.")
    Key("created", written: \.entry.created, .moment, "The time of the creation.")
    Key.path(
      "linkTarget", written: { $0.entry.linkTarget?.bytes }, "The target of a symbolic link.")
    Key("sha256", written: \.digest, .text, "The SHA-256 digest of a file, with '--digests'.")
  }
}

/// A line of the result with `--duplicates`: files with equal contents.
struct EqualFiles: Described {
  let digest: [UInt8]
  let size: UInt64
  let files: [(pack: String, path: AssetPath)]

  static let table = Table<Self>(written: "equal files") {
    Key("sha256", written: \.digest, .sha256, "The SHA-256 digest of the contents.")
    Key("size", written: \.size, .bytes, "The size of one file in bytes.")
    Key("files", written: \.files, .list(of: .object(file)), "The files.")
  }

  private static let file = Table<(pack: String, path: AssetPath)>(written: "a file") {
    Key("pack", written: \.pack, .text, "The path of the archive.")
    Key.path("path", written: \.path, "The path of the file.")
  }
}
