import Foundation
import TestSupport
import Testing

/// The language of texts: plain technical English.
extension HouseRules {
  @Test
  func `texts contain no word that has a plainer one`() throws {
    let words = try PlainWords(SourceTree.text("Tests/AllModules/HouseTests/PlainWords.txt"))
    var files = sources + tests
    for folder in [
      ".ci", "Bazel", "Benchmarks", "CMake", "Examples", "Fuzz", "Sources", "Tests", "docs",
    ] {
      files += try SourceTree.others(below: folder)
    }
    for folder in ["Benchmarks", "Examples", "Fuzz"] {
      files += try SourceTree.files(below: folder, extensions: ["swift"])
    }
    let top = try FileManager.default.contentsOfDirectory(
      atPath: Checkout.top.path(percentEncoded: false))
    for name in top.sorted() where name.hasSuffix(".md") || Self.topFiles.contains(name) {
      files.append(SourceTree.File(path: name, text: try SourceTree.text(name)))
    }
    #expect(files.count > 1000)

    var found: [String] = []
    let exceptions = ["/WebFiles.swift", "/PlainWords.txt"]
    for file in files where !exceptions.contains(where: file.path.hasSuffix) {
      let isTest = file.path.hasPrefix("Tests/")
      // A literal of a test is data.
      let texts = file.texts.filter { $0.kind != .literal || !isTest && $0.isSentence }
      found += words.occurrences(in: texts).map {
        "\(file.path):\($0.line): \"\($0.word)\": write instead \($0.advice)"
      }
    }
    #expect(found.isEmpty, "\(found.count) words:\n\(found.joined(separator: "\n"))")
  }

  private static let topFiles: Set = ["Containerfile", "Makefile", "Package.swift", "action.yml"]
}
