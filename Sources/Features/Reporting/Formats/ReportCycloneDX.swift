import BAPackKit
import BlockCodecs
import FoundationEssentials
import SourceDiagnostics
package import SystemIO
import TerminalText

/// A bill of materials in CycloneDX 1.6 format: each pack, and each of its files with its digest.
///
/// It does not depend on the host or the time: the serial number is computed from the contents, and
/// a time is included only if one was given.
package struct ReportCycloneDX {
  private let report: Report
  /// The name and version of the program that creates the document.
  private let tool: (name: String, version: String)
  private let time: Moment?

  /// Creates the document of a report.
  package init(of report: Report, tool: String, version: String, at time: Moment? = nil) {
    self.report = report
    self.tool = (tool, version)
    self.time = time
  }

  /// Returns the document; equal reports have equal bytes.
  package func bytes() throws(Failure) -> [UInt8] {
    let components = report.inventory.packs.map(component)
    var digests: [UInt8] = []
    for component in components {
      digests += try sha256(of: JSONWriter.bytes(component, .compact))
    }
    var metadata: [JSONValue.Member] = []
    if let time { metadata.append(.init("timestamp", .string("\(time)"))) }
    metadata += [
      .init(
        "tools",
        .object([
          .init(
            "components",
            .array([
              .object([
                .init("type", .string("application")), .init("name", .string(tool.name)),
                .init("version", .string(tool.version)),
              ])
            ]))
        ])),
      .init(
        "component",
        .object([
          .init("type", .string("application")), .init("bom-ref", .string("asset-packs")),
          .init("name", .string(report.inventory.name)),
        ])),
    ]
    return JSONWriter.bytes(
      .object([
        .init("$schema", .string("http://cyclonedx.org/schema/bom-1.6.schema.json")),
        .init("bomFormat", .string("CycloneDX")), .init("specVersion", .string("1.6")),
        // UUID version 8 has application-defined bits.
        .init(
          "serialNumber",
          .string("urn:uuid:" + uuid(try sha256(of: digests).prefix(16), version: 8))),
        .init("version", .integer(1)), .init("metadata", .object(metadata)),
        .init("components", .array(components)),
      ]))
  }

  private func component(_ pack: InventoryPack) -> JSONValue {
    let reference = "pack:" + percentEncoded(pack.id.text.utf8, keeping: "/")
    var members: [JSONValue.Member] = [
      .init("type", .string("data")), .init("bom-ref", .string(reference)),
      .init("name", .string(pack.id.text)),
    ]
    if let version = pack.version { members.append(.init("version", .string("\(version)"))) }
    if let digest = pack.sha256 { members.append(.init("hashes", Self.hashes(digest[...]))) }
    var properties: [(String, String)] = []
    if let policy = pack.policy {
      properties.append((Manifest.key(of: \.downloadPolicy), policy.name))
    }
    for platform in pack.platforms { properties.append(("platform", platform.rawValue)) }
    if let language = pack.language { properties.append(("language", language.description)) }
    if let size = pack.downloadSize { properties.append(("downloadSize", "\(size)")) }
    if let contents = pack.contents, contents.count > 0 {
      let files = (0..<contents.count).map { file in
        Self.component(contents, file, in: reference, knowsSize: pack.hasSizes)
      }
      members.append(.init("components", .array(files)))
    }
    if !properties.isEmpty { members.append(.init("properties", Self.properties(properties))) }
    return .object(members)
  }

  private static func component(
    _ contents: PackContents, _ file: Int, in pack: String, knowsSize: Bool
  ) -> JSONValue {
    let path = contents[file]
    var members: [JSONValue.Member] = [
      .init("type", .string("file")),
      .init("bom-ref", .string("\(pack)#\(percentEncoded(path.bytes, keeping: "/"))")),
      .init("name", .string(path.exact)),
    ]
    if let digest = contents.digest(at: file) { members.append(.init("hashes", hashes(digest))) }
    if knowsSize {
      members.append(.init("properties", properties([("size", "\(contents.size(at: file))")])))
    }
    return .object(members)
  }

  private static func hashes(_ digest: ArraySlice<UInt8>) -> JSONValue {
    .array([
      .object([
        .init("alg", .string("SHA-256")), .init("content", .string(hexadecimal(digest))),
      ])
    ])
  }

  private static func properties(_ values: [(name: String, value: String)]) -> JSONValue {
    .array(
      values.map {
        .object([
          .init("name", .string("ba-package:" + $0.name)), .init("value", .string($0.value)),
        ])
      })
  }
}
