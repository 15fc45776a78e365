import Foundation
import TestSupport
import Testing

/// What holds for the documents of the project.
extension HouseRules {
  @Test
  func `ARCHITECTURE.md stays under 200 lines`() throws {
    #expect(try SourceTree.text("ARCHITECTURE.md").split(separator: "\n").count < 200)
  }

  @Test
  func `every local link in the documents leads somewhere`() throws {
    let documents = [
      "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "Examples/README.md",
    ]
    var broken: [String] = []
    for document in documents {
      let folder = Checkout.file(document).deletingLastPathComponent()
      for match in try SourceTree.text(document).matches(of: #/\]\(([^)#:]+)(?:#[^)]*)?\)/#) {
        let target = folder.appending(path: String(match.1)).path(percentEncoded: false)
        if !FileManager.default.fileExists(atPath: target) {
          broken.append("\(document): \(match.1)")
        }
      }
    }
    #expect(broken == [])
  }

  @Test
  func `every finding that a document or a comment names exists`() throws {
    // FINDINGS.md is made from the rules themselves, which another test holds.
    let known = Set(
      try SourceTree.text("FINDINGS.md").matches(of: #/^## (.+)$/#.anchorsMatchLineEndings())
        .map { String($0.1) })
    let families = Set(known.compactMap { $0.split(separator: ".").first.map(String.init) })
    #expect(families.count > 10)
    // Members of documents look like findings.
    var documents = try SourceTree.files(below: ".", extensions: ["md"]).map {
      ($0.path, $0.path.hasSuffix("DOCUMENTS.md") ? [] : $0.lines)
    }
    // Of code, the comments: a test may speak of what does not exist.
    documents += try SourceTree.files(below: "Sources", extensions: ["swift"]).map { file in
      (file.path, file.lines.filter { $0.contains("//") })
    }
    // Names of files look the same.
    let endings: Set<Substring> = ["json", "pbxproj", "yml"]
    var unknown: [String] = []
    var count = 0
    for (path, lines) in documents {
      for line in lines where line.utf8.contains(UInt8(ascii: ".")) {
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
}
