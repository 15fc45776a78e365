import Foundation
import Proposing
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import AppSide

/// Comparisons of changed projects with other readers: `pbxproj` and `openstep-parser`.
@Suite(.world) struct ProjectPeerTests {
  private static let peer = Checkout.file("Tests/World/project-peer").path

  @Test func `other readers find exactly the new objects`() throws {
    let folder = try TemporaryFolder()
    var lines: [String] = []
    for (index, isSynchronized) in [false, true].enumerated() {
      var sample = XcodeSample()
      sample.isSynchronized = isSynchronized
      sample.scripts = ["Thin Binary"]
      sample.appSettings["INFOPLIST_FILE"] = nil
      sample.appSettings["GENERATE_INFOPLIST_FILE"] = "YES"
      let own = try TemporaryFolder()
      try sample.write(to: own)
      let addition = try XcodeSample.addition(to: own)
      let edit = try #require(addition.changes.edits.last)
      let before = try OldPropertyList.read(edit.before)
      let after = try OldPropertyList.read(edit.after)
      let old = try #require(before["objects"])
      let added = try #require(after["objects"]).members.filter { old[$0.key] == nil }.map(\.key)
      let configurations = old.members.filter {
        $0.value["buildSettings"]?["MARKETING_VERSION"] != nil
      }
      let keys = configurations.map { [$0.key, "buildSettings", "INFOPLIST_FILE"] }
      for (name, bytes) in [("before", edit.before), ("after", edit.after)] {
        try folder.makeFile("\(index)-\(name).pbxproj", bytes)
      }
      lines.append(
        JSONWriter.string(
          .object([
            .init("before", .string(folder.path("\(index)-before.pbxproj"))),
            .init("after", .string(folder.path("\(index)-after.pbxproj"))),
            .init("new", .array(added.map { .string($0) })),
            .init("keys", .array(keys.map { .array($0.map { .string($0) }) })),
          ]), .compact))
    }
    try folder.makeFile("cases", lines.joined(separator: "\n"))
    let answer = try Peer.ask(Self.peer, [folder.path("cases")])
    #expect(answer.status == 0, "\(answer.errors)")
    #expect(answer.output == "")
    #expect(answer.errors.hasSuffix("2 compared\n"))
  }
}
