import BAPackKit
import FoundationEssentials
import SourceDiagnostics
import SystemIO
import TerminalText

/// The report for programs, and for a later comparison: one JSON object, with a line for each file.
///
/// Names are exact: a path that is no UTF-8 is shown with its odd bytes as `\xFF`, and `pathBase64` beside it has its
/// bytes. What is not known is left out.
package struct ReportJSON {
  private let report: Report

  /// Prepares a report.
  package init(of report: Report) { self.report = report }

  /// The text; equal reports have equal bytes.
  package var bytes: [UInt8] {
    var text = Text()
    text.add("format", .string(ReportDocument.format))
    text.add("version", .integer(ReportDocument.version))
    text.add("name", .string(report.inventory.name))
    text.add("totals", totals)
    text.begin("packs")
    for pack in report.inventory.packs { Self.add(pack, to: &text) }
    text.end()
    text.add("kinds", lines: report.kinds.map(Self.value))
    text.add("costs", lines: (report.costs + report.olderSystemCosts).map(Self.value))
    text.add("duplicates", lines: report.duplicates.map(value))
    text.add("largest", lines: report.largest.map { .object(members(of: $0)) })
    text.add("notCompressed", lines: report.uncompressed.map(Self.value))
    text.add("languages", lines: report.families.map(Self.value))
    text.add("findings", lines: JSONLinesRenderer.values(report.findings))
    if let comparison = report.comparison {
      text.add("changes", Verdict(comparison, breaks: comparison.breaks).json)
    }
    if !report.history.isEmpty { text.add("history", lines: report.history.map(Self.value)) }
    return text.finished()
  }

  // MARK: The layout

  /// Members of one object, each on a line; of long arrays each element.
  private struct Text {
    private var bytes = Array("{".utf8)
    private var separator = ""

    private mutating func begin() {
      bytes += Array((separator + "\n").utf8)
      separator = ","
    }

    mutating func add(_ key: String, _ value: JSONValue) {
      begin()
      bytes += JSONWriter.bytes(.string(key), .compact) + Array(":".utf8)
      bytes += JSONWriter.bytes(value, .compact)
    }

    mutating func begin(_ key: String) {
      begin()
      bytes += JSONWriter.bytes(.string(key), .compact) + Array(":[".utf8)
      separator = ""
    }

    mutating func addElement(_ value: JSONValue) {
      begin()
      bytes += JSONWriter.bytes(value, .compact)
    }

    /// An object whose last member is a long array, which ``closeElement()`` finishes.
    mutating func openElement(_ members: [JSONValue.Member], _ key: String) {
      addElement(.object(members))
      bytes.removeLast()
      bytes += Array(",".utf8) + JSONWriter.bytes(.string(key), .compact) + Array(":[".utf8)
      separator = ""
    }

    mutating func end() {
      bytes += Array("]".utf8)
      separator = ","
    }

    mutating func closeElement() {
      end()
      bytes += Array("}".utf8)
    }

    mutating func add(_ key: String, lines: [JSONValue]) {
      begin(key)
      for line in lines { addElement(line) }
      end()
    }

    consuming func finished() -> [UInt8] { bytes + Array("\n}\n".utf8) }
  }

  // MARK: Packs and files

  private static func add(_ pack: InventoryPack, to text: inout Text) {
    var members: [JSONValue.Member] = [.init("id", .string(pack.id.text))]
    func add(_ key: String, _ value: JSONValue?) {
      if let value { members.append(.init(key, value)) }
    }
    add(Manifest.key(of: \.downloadPolicy), pack.policy?.jsonValue)
    add("platforms", .array(pack.platforms.map { .string($0.rawValue) }))
    add("language", pack.language.map { .string($0.description) })
    add(Manifest.key(of: \.userInfo), pack.userInfo)
    add("version", pack.version.map { .integer($0) })
    add("downloadSize", pack.downloadSize.map { .integer($0) })
    add("sha256", pack.sha256.map { .string(hexadecimal($0)) })
    add("unpackedSize", pack.unpackedSize.map { .integer($0) })
    if let container = pack.form?.container {
      add("compression", .string(container.compression))
      add("blockSize", .integer(container.blockSize))
    }
    add("place", .string(pack.place))
    guard let contents = pack.contents else {
      text.addElement(.object(members))
      return
    }
    add("fileCount", .integer(contents.count))
    text.openElement(members, "files")
    for file in 0..<contents.count {
      var members = Self.path(contents[file])
      if pack.knowsSizes { members.append(.init("size", .integer(contents.size(at: file)))) }
      if let share = contents.share(at: file) {
        members.append(.init("stored", .integer(share.stored)))
        members.append(.init("uncompressed", .integer(share.uncompressed)))
        if share.shared > 0 { members.append(.init("shared", .integer(share.shared))) }
      }
      if let digest = contents.digest(at: file) {
        members.append(.init("sha256", .string(hexadecimal(digest))))
      }
      text.addElement(.object(members))
    }
    text.closeElement()
  }

  private static func path(_ bytes: ArraySlice<UInt8>, _ key: String = "path") -> [JSONValue.Member]
  {
    if let text = String(validating: bytes, as: UTF8.self) { return [.init(key, .string(text))] }
    return [
      .init(key, .string(shownBytes(bytes))),
      .init(key + "Base64", .string(Data(bytes).base64EncodedString())),
    ]
  }

  private func members(of place: Report.FilePlace) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = [.init("pack", .string(report.pack(of: place).id.text))]
    members += Self.path(report.path(of: place))
    members.append(.init("size", .integer(report.size(of: place))))
    if let stored = report.stored(of: place) { members.append(.init("stored", .integer(stored))) }
    return members
  }

  // MARK: What was summed up

  private var totals: JSONValue {
    let totals = report.totals
    var members: [JSONValue.Member] = [
      .init("packs", .integer(totals.packs)), .init("files", .integer(totals.files)),
    ]
    if let unpacked = totals.unpacked { members.append(.init("unpacked", .integer(unpacked))) }
    if let hosted = totals.hosted { members.append(.init("hosted", .integer(hosted))) }
    members += [
      .init("firstLaunch", Self.value(totals.firstLaunch)),
      .init("device", Self.value(totals.device)),
      .init("duplicates", .integer(totals.duplicates)),
    ]
    return .object(members)
  }

  private static func value(_ size: PackSize) -> JSONValue {
    .object([
      .init("download", .integer(size.download)), .init("unpacked", .integer(size.unpacked)),
    ])
  }

  private static func value(_ sum: Report.KindSum) -> JSONValue {
    .object(
      [
        .init("kind", .string(sum.kind.rawValue)), .init("files", .integer(sum.files)),
        .init("size", .integer(sum.size)),
      ] + (sum.stored.map { [.init("stored", .integer($0))] } ?? []))
  }

  private static func value(_ cost: DeviceCost) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("platforms", .array(cost.platforms.map { .string($0.rawValue) })),
      .init("language", cost.language.map { .string($0.description) } ?? .null),
      .init("localizedPacks", .bool(cost.knowsLocalizedPacks)),
      .init("beforeLaunch", value(cost.beforeLaunch)),
      .init("inBackground", value(cost.inBackground)), .init("onRequest", value(cost.onRequest)),
    ]
    if let update = cost.update { members.append(.init("update", .integer(update))) }
    if let update = cost.updateOnRequest {
      members.append(.init("updateOnDemand", .integer(update)))
    }
    return .object(members)
  }

  private func value(_ duplicate: Duplicate) -> JSONValue {
    .object([
      .init("sha256", .string(hexadecimal(duplicate.digest))),
      .init("size", .integer(duplicate.size)), .init("cost", .integer(duplicate.cost)),
      .init("copies", .array(duplicate.copies.map { .object(members(of: $0)) })),
    ])
  }

  private static func value(_ files: UncompressedFiles) -> JSONValue {
    .object([
      .init("suffix", .string(files.suffix)), .init("files", .integer(files.files)),
      .init("size", .integer(files.size)), .init("stored", .integer(files.stored)),
      .init("uncompressed", .integer(files.uncompressed)), .init("reason", .string(files.reason)),
    ])
  }

  private static func value(_ family: LanguageFamily) -> JSONValue {
    let languages = zip(family.languages, family.counts).map { language, count in
      JSONValue.object([
        .init("language", .string(language.description)), .init("files", .integer(count)),
      ])
    }
    let gaps = family.gaps.map { gap in
      JSONValue.object(
        path(gap.path[...]) + [
          .init(
            "lacking",
            .array(gap.lacking.map { .string(family.languages[$0].description) }))
        ])
    }
    return .object([
      .init("packs", .string(family.name)), .init("files", .integer(family.files)),
      .init("languages", .array(languages)), .init("gaps", .array(gaps)),
    ])
  }

  private static func value(_ point: HistoryPoint) -> JSONValue {
    var members: [JSONValue.Member] = [.init("name", .string(point.name))]
    for (key, value) in [
      ("hosted", point.hosted), ("firstLaunch", point.firstLaunch), ("update", point.update),
    ] {
      if let value { members.append(.init(key, .integer(value))) }
    }
    return .object(members)
  }
}
