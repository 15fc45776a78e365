import AppSide
import Foundation
import SourceDiagnostics
import TestSupport
import Testing

@testable import Converting

/// Comparisons of property lists with other parsers.
///
/// If the environment variable `PROPERTY_LISTS` names a folder, all files in it are compared, too.
@Suite(.world) struct PropertyListPeerTests {
  private static let peer = Checkout.file("Tests/World/property-list-peer").path

  private enum Form: String { case old, xml, binary }

  /// Returns a value in the form that the peer compares.
  private static func plain(_ value: PlacedValue) -> JSONValue {
    switch value.kind {
    case .array(let elements): .array(elements.map(plain))
    case .dictionary(let members):
      .object(members.map { .init($0.key, plain($0.value)) })
    case .data(let bytes): .object([.init("data", .string(Data(bytes).base64EncodedString()))])
    case .date(let text): .string(text)
    case .null: .null
    default: .string(value.text ?? "")
    }
  }

  private static func line(_ bytes: [UInt8], _ form: Form, _ name: String = "") -> String {
    var findings = Ledger()
    let read = PropertyListText.read(SourceText(bytes, named: "p"), into: &findings)
    let compared = JSONValue.object([
      .init("form", .string(form.rawValue)), .init("name", .string(name)),
      .init("bytes", .string(Data(bytes).base64EncodedString())),
      .init("refused", .bool(read == nil)), .init("ours", read.map(plain) ?? .null),
    ])
    return JSONWriter.string(compared, .compact)
  }

  private static func differences(_ lines: [String]) throws -> String {
    let folder = try TemporaryFolder()
    try folder.makeFile("cases", lines.joined(separator: "\n"))
    let answer = try Peer.ask(peer, [folder.path("cases")])
    #expect(answer.status == 0, "\(answer.errors)")
    return answer.output
  }

  /// Returns a random text in the NeXTSTEP format.
  private static func old(_ random: inout Seeded, _ depth: Int) -> String {
    let words = ["a", "B-1", "x/y.z", "\"a b\"", "'c\"'", #""\"\\\n\U00e9\101""#, "\"\"", "_$:"]
    switch random.next(below: depth > 3 ? 3 : 6) {
    case 0, 1: return words[random.next(below: words.count)]
    case 2: return "<\(String(random.next() % 65_536, radix: 16).leftPadded)>"
    case 3, 4:
      let members = (0..<random.next(below: 4)).map {
        "k\($0) /* x */ = \(old(&random, depth + 1));"
      }
      return "{ " + members.joined(separator: "\n") + " }"
    default:
      let elements = (0..<random.next(below: 4)).map { _ in old(&random, depth + 1) + ", " }
      return "(" + elements.joined() + ")"
    }
  }

  /// Returns a random value of any kind.
  private static func any(_ random: inout Seeded, _ depth: Int) -> Any {
    switch random.next(below: depth > 3 ? 6 : 8) {
    case 0: return "text & <é> \(random.next(below: 9))"
    case 1: return Int(truncatingIfNeeded: random.next()) >> random.next(below: 60)
    case 2: return Double(random.next(below: 1000)) / 8
    case 3: return random.next(below: 2) == 0
    case 4: return Data((0..<random.next(below: 40)).map { UInt8($0) })
    case 5: return Date(timeIntervalSince1970: Double(random.next(below: 2_000_000_000)))
    case 6: return (0..<random.next(below: 5)).map { _ in any(&random, depth + 1) }
    default:
      return Dictionary(
        uniqueKeysWithValues: (0..<random.next(below: 5)).map {
          ("k\($0)", any(&random, depth + 1))
        })
    }
  }

  @Test func `the NeXTSTEP format is parsed like other parsers do`() throws {
    var random = Seeded(seed: 11)
    let project = try Data(
      contentsOf: Checkout.file("Examples/Lantern/Lantern.xcodeproj/project.pbxproj"))
    var lines = [Self.line(Array(project), .old)]
    for _ in 0..<5000 {
      lines.append(Self.line(Array("{ x = \(Self.old(&random, 0)); }".utf8), .old))
    }
    #expect(try Self.differences(lines) == "")
  }

  @Test func `XML and binary lists are parsed like other parsers do`() throws {
    var random = Seeded(seed: 12)
    var lines: [String] = []
    let folder = try TemporaryFolder()
    for index in 0..<500 {
      let value = ["x": Self.any(&random, 0)]
      for (form, format) in [
        (Form.xml, PropertyListSerialization.PropertyListFormat.xml), (.binary, .binary),
      ] {
        let data = Array(
          try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0))
        lines.append(Self.line(data, form))
        guard index < 60 else { continue }
        // The list that plistutil converts to the other format has the same value.
        try folder.makeFile("in", data)
        let other = form == .xml ? "bin" : "xml"
        #expect(try Peer.run("plistutil -i in -o out -f \(other)", in: folder.path) == 0)
        let made = try folder.contents("out")
        var findings = Ledger()
        let values = [data, made].map {
          PropertyListText.read(
            SourceText($0, named: "p"), into: &findings
          ).map(Self.plain)
        }
        #expect(findings.isEmpty)
        #expect(values[0].map(Self.sorted) == values[1].map(Self.sorted))
      }
    }
    #expect(try Self.differences(lines) == "")
  }

  /// Returns a value with sorted keys, because a binary list may have any order.
  private static func sorted(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let members):
      .object(members.map { .init($0.key, sorted($0.value)) }.sorted { $0.key < $1.key })
    case .array(let elements): .array(elements.map(sorted))
    default: value
    }
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["PROPERTY_LISTS"] != nil))
  func `files from other sources are parsed like other parsers do`() throws {
    let folder = ProcessInfo.processInfo.environment["PROPERTY_LISTS"] ?? ""
    var lines: [String] = []
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() {
      guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)"), !data.isEmpty
      else { continue }
      let bytes = Array(data)
      let form: Form =
        switch PropertyListText.format(of: bytes) {
        case .xml: .xml
        case .binary: .binary
        default: .old
        }
      lines.append(Self.line(bytes, form, name))
    }
    #expect(try Self.differences(lines) == "")
  }
}

extension String {
  /// The digits with one more if their number is odd.
  fileprivate var leftPadded: String { count.isMultiple(of: 2) ? self : "0" + self }
}
