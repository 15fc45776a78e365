import SystemIO
import TestSupport
import Testing

@testable import BAPackKit

@Suite struct RepeatedPathsTests {
  private func search(_ paths: [String]) -> RepeatedPaths {
    var search = RepeatedPaths(PathForms(on: .macOS), among: paths.count)
    for path in paths { search.add(AssetPath(unchecked: path.utf8)) }
    search.finish()
    return search
  }

  @Test(arguments: [0, 1, 2, 15, 16, 17, 10_000])
  func `paths that all differ are not repeated`(count: Int) {
    let paths = (0..<count).map { "folder \($0 % 7)/file \($0)" }
    let search = search(paths)
    #expect(search.isEmpty)
    #expect(!paths.contains { search.contains(AssetPath(unchecked: $0.utf8)) })
  }

  @Test func `every path that may be the same file on a Mac is found`() {
    let pairs = [
      ("a/b", "a/b"), ("Icon.png", "icon.PNG"), ("\u{E9}t\u{E9}", "e\u{301}te\u{301}"),
      ("STRASSE", "stra\u{DF}e"), ("\u{212A}elvin", "kelvin"), ("", ""),
    ]
    let others = (0..<1000).map { "other/\($0)" }
    for (one, second) in pairs {
      let search = search([one] + others + [second])
      for path in [one, second] {
        #expect(search.contains(AssetPath(unchecked: path.utf8)), "\(path)")
      }
      #expect(!others.contains { search.contains(AssetPath(unchecked: $0.utf8)) })
    }
  }
}
