import BAPackKit
import Foundation
import SourceDiagnostics
import TestSupport
import Testing

@testable import BAPackCommands

@Suite("Remedies")
struct RemedyTests {
  @Test(arguments: RemedyPhrase.all.map(\.remedy))
  func `texts of the library contain no options and commands, texts of the program do`(
    _ remedy: Remedy
  ) {
    let naming = #/(^|\W)--?[a-z]|ba-package|download-manifest/#
    #expect(!remedy.description.contains(naming))
    #expect(remedy.phrase.contains(naming))
  }

  @Test
  func `each remedy of a library has a text in the program`() throws {
    let names = try FileManager.default.subpathsOfDirectory(
      atPath: Checkout.file("Sources").path)
    var codes: [String] = []
    for name in names where name.hasSuffix(".swift") && !name.hasSuffix("Console/Remedies.swift") {
      let text = try String(contentsOf: Checkout.file("Sources/\(name)"), encoding: .utf8)
      codes += text.matches(of: #/Remedy\(\s*"([a-z-]+)", "/#).map { String($0.1) }
    }
    #expect(codes.sorted() == RemedyPhrase.all.compactMap(\.remedy.code).sorted())
  }

  @Test
  func `several remedies are printed in one line, and names in them are escaped`() {
    let error = PackError(
      .exists, "'x' already exists", remedies: [.replaceExisting, "remove it", .listPack("a\nb")])
    #expect(
      error.remedyText
        == #"""
        use --force to replace it, or remove it, or 'ba-package list a\x0Ab' lists the contents
        """#)
    #expect(PackError(.exists, "x").remedyText == nil)
  }
}
