import BAPackKit
import FoundationEssentials
package import SourceDiagnostics
import SystemIO
import TerminalText

/// A former report as one side of a comparison: its packs and files, with their sizes and digests.
package struct ReportDocument: Sendable {
  /// What the first member of a report says.
  static let format = "asset-pack-report"
  /// The form of reports that this program writes, and the highest that it reads.
  static let version = 1

  /// The packs; nil if `findings` has an error.
  package let inventory: Inventory?
  /// What is wrong with the text.
  package let findings: Ledger

  /// Whether a text that begins so may be a report.
  package static func begins(_ start: [UInt8]) -> Bool {
    let signs = start.prefix(64).filter { !($0 == 0x20 || (0x09...0x0D).contains($0)) }
    let format = format.utf8.filter { $0 != 0x20 }
    return signs.starts(with: Array(#"{"format":""#.utf8) + format)
  }

  /// Reads a report; messages use the name.
  package init(parsing bytes: [UInt8], named name: String) {
    var limits = JSONLimits()
    // A report of a million files.
    limits.size = 1 << 30
    let json = JSONDocument(parsing: SourceText(bytes, named: name), limits: limits)
    var reader = Reader(findings: json.findings)
    let packs = reader.packs(of: json.root)
    findings = reader.findings
    inventory =
      reader.findings.hasErrors ? nil : Inventory(reader.name ?? name, packs)
  }

  private struct Reader {
    var findings: Ledger
    var name: String?

    /// A finding of a value that is not what reports have.
    private mutating func refuse(_ node: JSONNode, _ words: Finding.Message) {
      if node.kind != .invalid { findings.add(.wrongType(node, words)) }
    }

    mutating func packs(of root: JSONNode?) -> [InventoryPack] {
      guard let root else { return [] }
      guard root.kind == .object else {
        refuse(root, "a report is an object")
        return []
      }
      var packs: [InventoryPack] = []
      var hasPacks = false
      for member in root.members {
        switch member.key.string {
        case "format" where member.value.string != ReportDocument.format:
          refuse(member.value, "'format' of a report is '\(ReportDocument.format)'")
        case "version":
          let version = member.value.number.flatMap { Int($0) }
          guard version != ReportDocument.version else { continue }
          refuse(member.value, "this program reads reports of version \(ReportDocument.version)")
        case "name": name = member.value.string
        case "packs":
          hasPacks = true
          if member.value.kind != .array { refuse(member.value, "'packs' takes an array") }
          for element in member.value.elements {
            if let pack = pack(element) { packs.append(pack) }
          }
        default: break
        }
      }
      if !hasPacks, !root.isDamaged { refuse(root, "a report has 'packs'") }
      return packs
    }

    private mutating func pack(_ node: JSONNode) -> InventoryPack? {
      guard node.kind == .object else {
        refuse(node, "a pack is an object")
        return nil
      }
      guard let id = node["id"]?.string else {
        refuse(node["id"] ?? node, "a pack has an 'id', a string")
        return nil
      }
      var pack = InventoryPack(PackID(id), place: node["place"]?.string ?? id)
      if let policy = node[Manifest.key(of: \.downloadPolicy)] {
        pack.policy = DownloadPolicy.read(policy, into: &findings)
      }
      for platform in node["platforms"].map({ Array($0.elements) }) ?? [] {
        guard let known = platform.string.flatMap(Platform.init) else {
          refuse(platform, "a platform is one of those that packs have")
          continue
        }
        pack.platforms.append(known)
      }
      if let language = node["language"] {
        pack.language = language.string.flatMap { LanguageTag($0) }
        if pack.language == nil { refuse(language, "'language' is a language tag") }
      }
      pack.userInfo = node[Manifest.key(of: \.userInfo)]?.value
      pack.version = node["version"]?.number.flatMap { Int($0) }
      pack.downloadSize = size(node["downloadSize"], "downloadSize")
      pack.sha256 = digest(node["sha256"])
      guard let files = node["files"] else { return pack }
      if files.kind != .array { refuse(files, "'files' takes an array") }
      var contents = PackContents()
      for file in files.elements { add(file, to: &contents, of: &pack) }
      contents.sort()
      pack.contents = contents
      return pack
    }

    /// Members are looked for once: there may be a million files.
    private mutating func add(
      _ node: JSONNode, to contents: inout PackContents, of pack: inout InventoryPack
    ) {
      var path: [UInt8]?
      var size: UInt64?
      var stored: UInt64?
      var uncompressed: UInt64?
      var shared: UInt64?
      var digest: [UInt8]?
      for member in node.members {
        switch member.key.string {
        case "path": if path == nil { path = member.value.string.map { Array($0.utf8) } }
        case "pathBase64":
          let bytes = member.value.string.flatMap { Data(base64Encoded: $0) }
          guard let bytes else {
            refuse(member.value, "'pathBase64' is the bytes of a path in Base64")
            return
          }
          path = Array(bytes)
        case "size": size = self.size(member.value, "size")
        case "stored": stored = self.size(member.value, "stored")
        case "uncompressed": uncompressed = self.size(member.value, "uncompressed")
        case "shared": shared = self.size(member.value, "shared")
        case "sha256": digest = self.digest(member.value)
        default: break
        }
      }
      guard let path, contents.hasRoom(for: path[...]) else {
        refuse(node, "a file is an object with a 'path'")
        return
      }
      if size == nil { pack.knowsSizes = false }
      // Either all files have a share, or none.
      let share: PackContents.StoredShare? =
        stored.flatMap { stored in
          contents.count == 0 || contents.share(at: contents.count - 1) != nil
            ? .init(stored: stored, uncompressed: uncompressed ?? 0, shared: shared ?? 0) : nil
        }
      contents.append(path[...], size: size ?? 0, share: share, digest: digest)
    }

    private mutating func size(_ node: JSONNode?, _ key: String) -> UInt64? {
      guard let node else { return nil }
      let number = node.number.flatMap { UInt64($0) }
      if number == nil { refuse(node, "'\(key)' takes a number of bytes") }
      return number
    }

    private mutating func digest(_ node: JSONNode?) -> [UInt8]? {
      guard let node else { return nil }
      let digest = node.string.flatMap { [UInt8](hexadecimal: $0, count: 32) }
      if digest == nil { refuse(node, "'sha256' takes 64 hexadecimal digits") }
      return digest
    }
  }
}
