import BAPackKit
import BlockCodecs
import Foundation
import Reporting
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@Suite("Page of a report")
struct ReportPageTests {
  private func page(of packs: [MadePack]) throws -> String {
    let report = Report(packs.inventory)
    return String(
      decoding: try ReportPage(of: report, madeBy: "ba-package 0.1.0").html(), as: UTF8.self)
  }

  /// Returns the texts between two texts.
  private func part(_ text: String, _ start: String, _ end: String) -> [String] {
    var found: [String] = []
    var rest = Substring(text)
    while let first = rest.range(of: start) {
      rest = rest[first.upperBound...]
      guard let last = rest.range(of: end) else { break }
      found.append(String(rest[..<last.lowerBound]))
      rest = rest[last.upperBound...]
    }
    return found
  }

  @Test func `the policy contains exactly the digests of the script and the style of the page`()
    throws
  {
    let html = try page(of: MadePack.seeded(3))
    let policy = try #require(part(html, "Content-Security-Policy\" content=\"", "\"").first)
    #expect(policy.hasPrefix("default-src 'none'"))
    func source(_ text: String) throws -> String {
      "'sha256-" + Data(try sha256(of: Array(text.utf8))).base64EncodedString() + "'"
    }
    let style = try #require(part(html, "<style>", "</style>").first)
    let script = try #require(part(html, "<script type=\"module\">", "</script>").first)
    #expect(try policy.contains("style-src " + source(style)))
    #expect(try policy.contains("script-src " + source(script)))
    #expect(!policy.contains("unsafe"))
  }

  @Test func `the page loads no resources, and contains no inline styles or scripts`() throws {
    let html = try page(of: hostilePacks())
    let tags = part(try #require(part(html, "<body>", "<script type").first), "<", ">")
    #expect(tags.count > 100)
    // As bytes, because comparing characters takes seconds.
    let text = Array(tags.joined(separator: "\n").utf8)
    for token in [" src=", "url(", "@import", " style=", " onclick=", "javascript:", "http:"] {
      #expect(text.firstRange(of: Array(token.utf8)) == nil, "\(token)")
    }
    #expect(part(html, " href=\"", "\"").allSatisfy { $0.hasPrefix("#") || $0.hasPrefix("data:") })
  }

  @Test func `hostile names are text, in the page and in its data`() throws {
    let html = try page(of: hostilePacks())
    #expect(html.components(separatedBy: "<script").count == 3)
    #expect(html.components(separatedBy: "</script").count == 3)
    #expect(!html.contains("<img"))
    #expect(!html.contains("<!--"))
    let data = try #require(part(html, "id=\"data\">", "</script>").first)
    #expect(!data.contains("<"))
    for scalar in html.unicodeScalars where scalar != "\n" {
      #expect(scalar.value >= 0x20 && scalar.value != 0x2028 && scalar.value != 0x202E)
    }
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(data.utf8)) }
  }

  @Test(arguments: UInt64(1)...20)
  func `the data of the page contains every file in its folder`(seed: UInt64) throws {
    let packs = MadePack.seeded(seed)
    let html = try page(of: packs)
    #expect(try html == page(of: packs))
    let data = try #require(part(html, "id=\"data\">", "</script>").first)
    let root = try #require(
      try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any])
    let names = try #require(root["folderName"] as? [String])
    let parents = try #require(root["folderParent"] as? [Int])
    let folders = try #require(root["folder"] as? [Int])
    let files = try #require(root["name"] as? [String])
    let stored = try #require(root["stored"] as? [UInt64])
    var found: [String: UInt64] = [:]
    for (file, name) in files.enumerated() {
      var path = name
      var folder = folders[file]
      while folder >= 0 {
        #expect(parents[folder] < folder)
        path = names[folder] + "/" + path
        folder = parents[folder]
      }
      found[path] = stored[file]
    }
    var expected: [String: UInt64] = [:]
    for pack in packs {
      for file in pack.files {
        expected[pack.id + "/" + String(decoding: file.path, as: UTF8.self)] = file.stored
      }
    }
    #expect(found == expected)
  }

  @Test func `without scripts, the page contains the totals, packs and downloads`() throws {
    var pack = MadePack(id: "tutorial", archive: 52_300_000)
    pack.policy = .essential([.firstInstallation])
    pack.files = [
      .init(path: Array("a/b.png".utf8), size: 60_000_000, stored: 52_000_000, contents: 1)
    ]
    let html = try page(of: [pack])
    let body = try #require(part(html, "<main", "</main>").first)
    #expect(body.contains("52.3 MB"))
    #expect(body.contains("60.0 MB"))
    #expect(body.contains("tutorial"))
    #expect(body.contains("All platforms"))
    #expect(body.contains("<noscript>"))
  }
}
