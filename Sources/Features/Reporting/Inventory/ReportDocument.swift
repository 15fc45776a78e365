import BAPackKit
package import SourceDiagnostics
import SystemIO
import TerminalText

/// An earlier report as one side of a comparison: its packs and files, with their sizes and
/// digests.
package struct ReportDocument: Sendable {
  /// The packs; nil if `findings` contains an error.
  package let inventory: Inventory?
  /// The findings of the text.
  package let findings: Ledger

  /// Whether a text with this beginning may be a report.
  package static func begins(_ start: [UInt8]) -> Bool {
    let characters = start.prefix(64).filter { !($0 == 0x20 || (0x09...0x0D).contains($0)) }
    let format = ReportedPacks.format.utf8.filter { $0 != 0x20 }
    return characters.starts(with: Array(#"{"format":""#.utf8) + format)
  }

  /// Parses a report; `name` is used in messages.
  package init(parsing bytes: [UInt8], named name: String) {
    var limits = JSONLimits()
    // The size of a report of a million files.
    limits.size = 1 << 30
    let json = JSONDocument(parsing: SourceText(bytes, named: name), limits: limits)
    var findings = json.findings
    let read = json.root.flatMap { ReportedPacks.table.read($0, into: &findings) }
    self.findings = findings
    inventory =
      findings.hasErrors ? nil : read.map { Inventory($0.name.isEmpty ? name : $0.name, $0.packs) }
  }
}

/// The part of a report that a later comparison reads.
struct ReportedPacks: Described {
  /// The value of the first member of a report.
  static let format = "asset-pack-report"
  /// The version of reports that this program reads and writes.
  static let version = 1

  var name = ""
  var packs: [InventoryPack] = []

  static let head: [Key<Self>] = [
    Key(constant: "format", format, "The format of the document."),
    Key(
      JSONKey(
        "version", .integer(in: version...version), is: .optional, "The version of the format."),
      write: { _ in .integer(version) }
    ) { node, _, findings in
      if node.number == "\(version)" { return true }
      findings.add(.wrongType(node, "this program reads reports of version \(version)"))
      return false
    },
    Key("name", \.name, .text, is: .optional, "The name of the packs, for messages."),
  ]

  static let packs = Key<Self>(
    "packs", rows: InventoryPack.table, "The packs, in the order of their IDs.",
    each: { $0.packs.forEach($1) },
    add: { pack, _, report, _ in
      var pack = pack
      pack.contents?.sort()
      if pack.place.isEmpty { pack.place = pack.id.text }
      report.packs.append(pack)
    })

  static let table = Table("a report", blank: Self()) {
    head
    packs
  }
}

extension InventoryPack: Described {
  package static let table = Table("a pack", blank: InventoryPack("", place: "")) {
    Key("id", \.id, .packID, "The ID of the pack.")
    Key(
      Manifest.key(of: \.downloadPolicy), \.policy, .policy, "The download policy of the manifest.")
    Key(
      "platforms", \.platforms, .list(of: .word), is: .optional,
      "The platforms of the manifest; empty for all platforms.")
    Key("language", \.language, .language, "The language of a localized pack.")
    Key(Manifest.key(of: \.userInfo), \.userInfo, .anything, "The data for the app.")
    Key("version", \.version, .integer, "The version in a download manifest.")
    Key("downloadSize", \.downloadSize, .bytes, "The size of the archive in bytes.")
    Key("sha256", \.sha256, .sha256, "The SHA-256 digest of the archive.")
    Key("unpackedSize", written: \.unpackedSize, .bytes, "The size of all files in bytes.")
    Key(
      "compression", written: \.form?.container?.compression, .text,
      "The compression of the archive.")
    Key("blockSize", written: \.form?.container?.blockSize, .bytes, "The size of a block in bytes.")
    Key(
      "place", \.place, .text, is: .optional, "The path of the archive or manifest, or its address."
    )
    Key("fileCount", written: \.contents?.count, .count, "The number of files.")
    Key(
      "files", rows: InventoryFile.table, is: .optional, "The files, in the order of their paths.",
      isPresent: { $0.contents != nil }, each: { $0.eachFile($1) },
      begin: { $0.contents = PackContents() }, add: { $2.add($0, at: $1, into: &$3) })
  }

  private func eachFile(_ body: (InventoryFile) -> Void) {
    guard let contents else { return }
    for file in 0..<contents.count {
      let share = contents.share(at: file)
      body(
        InventoryFile(
          path: contents[file], size: hasSizes ? contents.size(at: file) : nil,
          stored: share?.stored, uncompressed: share?.uncompressed,
          shared: share.flatMap { $0.shared > 0 ? $0.shared : nil },
          sha256: contents.digest(at: file).map { Array($0) }))
    }
  }

  private mutating func add(_ file: InventoryFile, at node: JSONNode, into findings: inout Ledger) {
    guard contents?.hasRoom(for: file.path) == true else {
      findings.add(.wrongType(node, "a file must be an object with a 'path'"))
      return
    }
    if file.size == nil { hasSizes = false }
    // Either all files have a share, or none.
    let share: PackContents.StoredShare? = file.stored.flatMap { stored in
      guard let count = contents?.count, count == 0 || contents?.share(at: count - 1) != nil else {
        return nil
      }
      return .init(
        stored: stored, uncompressed: file.uncompressed ?? 0, shared: file.shared ?? 0)
    }
    contents?.append(file.path, size: file.size ?? 0, share: share, digest: file.sha256)
  }
}

/// A file of a pack in a report.
private struct InventoryFile {
  var path = AssetPath(unchecked: [])
  var size: UInt64?
  var stored: UInt64?
  var uncompressed: UInt64?
  var shared: UInt64?
  var sha256: [UInt8]?

  static let table = Table("a file", blank: Self()) {
    Key.path("path", \.path, "The path of the file in the pack.")
    Key("size", \.size, .bytes, "The size of the file in bytes.")
    Key("stored", \.stored, .bytes, "The bytes of the archive that the file takes.")
    Key(
      "uncompressed", \.uncompressed, .bytes, "The bytes of the file in blocks without compression."
    )
    Key("shared", \.shared, .bytes, "The bytes of the file in blocks with other files.")
    Key("sha256", \.sha256, .sha256, "The SHA-256 digest of the file.")
  }
}
