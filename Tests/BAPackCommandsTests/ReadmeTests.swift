import Foundation
import TestSupport
import Testing

/// The lines of the README, as they stand, with the program that was built.
@Suite("README")
struct ReadmeTests {
  /// The blocks of shell lines below a heading.
  private static func blocks(below heading: String) throws -> [String] {
    let text = try String(contentsOf: Checkout.file("README.md"), encoding: .utf8)
    let start = try #require(text.range(of: "\n## \(heading)\n")).upperBound
    let section = text[start...].prefix(
      upTo: text[start...].range(of: "\n## ")?.lowerBound ?? text.endIndex)
    return section.components(separatedBy: "```sh\n").dropFirst().compactMap {
      $0.components(separatedBy: "\n```").first
    }
  }

  /// Runs the blocks with a shell that stops at the first failure, and returns what it printed.
  private func run(_ blocks: [String], in folder: String) throws -> BuiltProgram.Run {
    #expect(!blocks.isEmpty)
    let links = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: links.path("ba-package"), withDestinationPath: BuiltProgram.program)
    let path = "PATH='\(links.path)':\"$PATH\""
    let script = (["set -e", "cd '\(folder)'", path] + blocks + [":"]).joined(separator: "\n")
    // The program itself runs last, so that its run is what is measured.
    return try BuiltProgram.run(["--version"], after: script)
  }

  @Test
  func `the lines of the first pack run in an empty folder`() throws {
    let folder = try TemporaryFolder()
    let run = try run(Self.blocks(below: "A first pack"), in: folder.path)
    #expect(run.status == 0, "\(run.messages)")
    #expect(try folder.contents("tutorial.aar").count > 0)
  }

  @Test(arguments: ["A project of many packs", "In CI"])
  func `the lines about projects run in a copy of the example game`(heading: String) throws {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      at: Checkout.file("Examples/Lantern"), to: URL(filePath: folder.path("game")))
    // The game has a project file; GNU parallel is not everywhere.
    let blocks = try Self.blocks(below: heading).filter { !$0.hasPrefix("parallel ") }.map {
      $0.split(separator: "\n").filter { !$0.contains("template --project") }
        .joined(separator: "\n")
    }
    let run = try run(blocks, in: folder.path("game"))
    #expect(run.status == 0, "\(run.messages)")
  }
}
