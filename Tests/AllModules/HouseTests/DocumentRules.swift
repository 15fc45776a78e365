import Foundation
import TestSupport
import Testing

/// Rules for the pages of the project.
extension HouseRules {
  @Test
  func `ARCHITECTURE.md has less than 200 lines`() throws {
    #expect(try SourceTree.text("ARCHITECTURE.md").split(separator: "\n").count < 200)
  }

  /// Returns README.md and the other pages for users and contributors, by path.
  private static func pages() throws -> [(path: String, text: String)] {
    let top = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"]
    let below = try ["docs", "Examples"].flatMap {
      try SourceTree.files(below: $0, extensions: ["md"]).map(\.path)
    }
    return try (top + below).map { ($0, try SourceTree.text($0)) }
  }

  /// Returns the anchors of a page's headings, in the form of GitHub.
  private static func anchors(of text: String) -> Set<String> {
    Set(
      text.matches(of: #/^#+ (.+)$/#.anchorsMatchLineEndings()).map { match in
        String(match.1).lowercased().replacing(" ", with: "-").filter {
          $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_"
        }
      })
  }

  @Test
  func `every local link in the pages leads to a file and a heading`() throws {
    var broken: [String] = []
    for (page, text) in try Self.pages() {
      let folder = Checkout.file(page).deletingLastPathComponent()
      for match in text.matches(of: #/\]\(([^)#:]*)(?:#([^)]*))?\)/#) {
        let target =
          match.1.isEmpty ? Checkout.file(page) : folder.appending(path: String(match.1))
        guard FileManager.default.fileExists(atPath: target.path(percentEncoded: false)) else {
          broken.append("\(page): \(match.0)")
          continue
        }
        guard let heading = match.2 else { continue }
        let text = try String(contentsOf: target, encoding: .utf8)
        if !Self.anchors(of: text).contains(String(heading)) {
          broken.append("\(page): \(match.0)")
        }
      }
    }
    #expect(broken == [])
  }

  @Test
  func `the index of pages lists every page with its heading`() throws {
    let index = try SourceTree.text("docs/README.md")
    var listed: [String: String] = [:]
    for match in index.matches(of: #/^\| \[([^\]]+)\]\(([^)]+)\) \|/#.anchorsMatchLineEndings()) {
      listed["docs/" + match.2] = "# " + match.1
    }
    let pages = try Self.pages().filter {
      $0.path.hasPrefix("docs/") && $0.path != "docs/README.md"
        && !$0.path.hasPrefix("docs/reference/findings/")
    }
    let headings = Dictionary(
      uniqueKeysWithValues: pages.map { ($0.path, String($0.text.prefix { $0 != "\n" })) })
    #expect(headings.count > 25)
    #expect(listed == headings)
  }

  @Test
  func `README.md has at most 150 lines, and a guide at most 200`() throws {
    let lines = try Self.pages().map { page in
      (page.path, page.text.split(separator: "\n", omittingEmptySubsequences: false).count - 1)
    }
    #expect(lines.contains { $0.0 == "README.md" && $0.1 <= 150 })
    let long = lines.filter { page in
      page.1 > 200 && ["docs/app/", "docs/guides/"].contains(where: page.0.hasPrefix)
    }
    #expect(long.map(\.0) == [])
  }

  @Test
  func `every finding that a document or a comment names exists`() throws {
    // The reference is generated from the rules; another test checks it.
    let known = Set(
      try SourceTree.files(below: "docs/reference/findings", extensions: ["md"])
        .flatMap { $0.lines.filter { $0.hasPrefix("## ") }.map { String($0.dropFirst(3)) } })
    let families = Set(known.compactMap { $0.split(separator: ".").first.map(String.init) })
    #expect(families.count > 10)
    // Members of documents look like findings.
    var documents = try SourceTree.files(below: ".", extensions: ["md"]).map {
      ($0.path, $0.path.hasSuffix("docs/reference/documents.md") ? [] : $0.lines)
    }
    // Only comments of code are searched: a test may use the name of a missing rule.
    documents += sources.map { file in (file.path, file.lines.filter { $0.contains("//") }) }
    // Names of files have the same form.
    let endings: Set<Substring> = ["godot", "json", "pbxproj", "yml"]
    var unknown: [String] = []
    var count = 0
    for (path, lines) in documents {
      // The regular expression is slow for this amount of text.
      for line in lines where line.utf8.contains(UInt8(ascii: ".")) && Self.mayNameFinding(line) {
        for match in line.matches(
          of: #/(?:`|explain )([a-z-]+)\.([a-z]+(?:-[a-z]+)*)(?=[`\s.,)]|$)/#)
        where families.contains(String(match.1)) && !endings.contains(match.2) {
          count += 1
          let name = "\(match.1).\(match.2)"
          if !known.contains(name) { unknown.append("\(path): \(name)") }
        }
      }
    }
    #expect(count > 10)
    #expect(unknown == [])
  }

  private static func mayNameFinding(_ line: Substring) -> Bool {
    line.utf8.contains(UInt8(ascii: "`")) || line.contains("explain ")
  }
}
