import Arguments
import Foundation
import SourceDiagnostics
import TestSupport
import Testing

@testable import BAPackCommands

/// Results of commands for the example game, and the schemas that `schema` prints for them.
@Suite struct ResultSchemaTests {
  /// Returns the schema of a document, from the command.
  private func schema(of document: DocumentName) throws -> JSONValue {
    try #require(JSONValue(parsing: Captured("schema", "--for", document.rawValue).output))
  }

  /// Checks values, and that each member has a description in the schema.
  private func expect(
    _ values: [JSONValue], follow document: DocumentName,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let schema = try schema(of: document)
    #expect(!values.isEmpty, sourceLocation: location)
    for value in values {
      #expect(SchemaCheck(schema).problems(in: value) == [], sourceLocation: location)
    }
    let paths = Set(values.flatMap { $0.memberPaths })
    #expect(!paths.isEmpty, sourceLocation: location)
    for path in paths {
      guard let less = schema.removing(path.split(separator: ".")[...]) else { continue }
      #expect(
        values.contains { SchemaCheck(less).problems(in: $0) != [] },
        "without '\(path)'", sourceLocation: location)
    }
  }

  /// Runs a command and expects lines that match the schema of a document.
  private func expect(
    _ arguments: String..., follow document: DocumentName, isWhole: Bool = false,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let run = Captured(arguments + ["--format", "json"])
    let texts = isWhole ? [run.output[...]] : run.output.split(separator: "\n")
    let values = texts.compactMap { JSONValue(parsing: $0) }
    #expect(values.count == texts.count, "\(run.messages)", sourceLocation: location)
    try expect(values, follow: document, at: location)
  }

  /// Creates the example game in a temporary folder, with a manifest that has several types of
  /// selectors.
  private func game(in folder: borrowing TemporaryFolder) throws -> String {
    let game = folder.path("game")
    try FileManager.default.copyItem(at: Checkout.file("Examples/Lantern"), to: URL(filePath: game))
    try folder.makeFile(
      "game/T.json",
      #"""
      {"assetPackID": "T", "downloadPolicy": {"onDemand": {}}, "platforms": ["iOS"],
       "fileSelectors": [
         {"directorySource": "Tutorial", "directoryDestination": "Two"}, {"directory": "Tutorial"},
         {"filePattern": "Levels/**"}, {"fileExclusion": "*.png"}]}
      """#)
    return game
  }

  @Test func `results about packs match their schemas`() throws {
    let folder = try TemporaryFolder()
    let game = try game(in: folder)
    let packs = folder.path("packs")
    let tutorial = packs + "/lantern-tutorial.aar"
    let pack = ["pack", "--level", "fast", "--project", game, "-o", packs]
    func packing(_ arguments: String...) throws {
      let run = Captured(pack + arguments + ["--format", "json"])
      let values = run.output.split(separator: "\n").compactMap { JSONValue(parsing: $0) }
      try expect(values.filter { $0["cache"] == nil }, follow: .pack)
      let caches = values.filter { $0["cache"] != nil }
      #expect(caches.count == (arguments.contains("--cache") ? 1 : 0))
      if !caches.isEmpty { try expect(caches, follow: .packCache) }
    }
    try packing("--dry-run")
    try packing("--update", "--sha256", "--cache", folder.path("cache"))
    try packing("--update")
    try packing("--update", "--check")
    try expect("info", tutorial, follow: .info, isWhole: true)
    try expect("info", packs, follow: .info)
    try expect("list", packs, follow: .list)
    try expect("list", "--digests", tutorial, "Tutorial", follow: .list)
    try expect("list", "--all", tutorial, follow: .list)
    try expect(
      "extract", tutorial, "-o", folder.path("files"), follow: .extract, isWhole: true)
    // It has the files of one folder twice.
    let twice = folder.path("T.aar")
    #expect(
      Captured("pack", game + "/T.json", "--project", game, "-o", twice).ending == .status(.done))
    try expect("list", "--duplicates", twice, follow: .duplicates)
    // Truncated so that its end cannot be decoded.
    let bytes = try folder.contents("packs/lantern-voices-en.aar")
    try folder.makeFile("cut.aar", Array(bytes.dropLast(bytes.count / 3)))
    try expect("verify", folder.path("cut.aar"), follow: .findings)
  }

  @Test func `results about manifests match their schemas`() throws {
    let folder = try TemporaryFolder()
    let game = try game(in: folder)
    try expect("evaluate", game + "/T.json", "--project", game, follow: .evaluate)
    try expect("evaluate", "--excluded", game + "/T.json", "--project", game, follow: .excluded)
    try expect("explain", follow: .explain)
    try expect("project", "--project", game, follow: .settings)
    try expect("project", "--level", "best", "--project", game, follow: .settings)
    try folder.makeFile(
      "wrong.json", #"{"assetPackID": "T", "platforms": ["ios"], "assetPackID": 1}"#)
    try expect("validate", "--no-files", folder.path("wrong.json"), follow: .findings)
    let manifests = try FileManager.default.contentsOfDirectory(atPath: game + "/Packs")
      .filter { $0.hasSuffix(".json") }
    try expect(
      manifests.compactMap {
        JSONValue(parsing: String(decoding: try folder.contents("game/Packs/\($0)"), as: UTF8.self))
      }, follow: .manifest)
    try expect(
      [
        #require(
          JSONValue(
            parsing: String(decoding: folder.contents("game/ba-package.json"), as: UTF8.self)))
      ], follow: .project)
    let run = Captured("convert", game + "/Lantern.xcodeproj", "-o", folder.path("converted"))
    #expect(run.ending == .status(.done))
    let tags = try folder.contents("converted/tags.json")
    try expect(
      [#require(JSONValue(parsing: String(decoding: tags, as: UTF8.self)))], follow: .tags)
  }

  @Test(.heavy) func `results about releases match their schemas`() throws {
    let folder = try TemporaryFolder()
    let game = try game(in: folder)
    let (old, new) = (folder.path("old"), folder.path("new"))
    let pack = ["pack", "--level", "fast", "--project", game, "-o"]
    #expect(Captured(pack + [old]).ending == .status(.done))
    try FileManager.default.moveItem(
      atPath: game + "/Assets/Levels/Cave/map.json", toPath: game + "/Assets/Levels/Cave/plan.json")
    try folder.makeFile("game/Assets/Tutorial/new.txt", "new")
    try folder.remove("game/Packs/level-forest.json")
    #expect(Captured(pack + [new]).ending == .status(.done))
    try folder.makeFile(
      "accepted.json",
      #"""
      {"accepted": [{"breaks": "pack-removed", "pack": "*", "reason": "It is empty.",
                     "until": "2999-12-31"}]}
      """#)
    try expect(
      "diff", old, new, "--accept", folder.path("accepted.json"), "--budget", "total=1K",
      follow: .comparison, isWhole: true)
    try expect("report", new, "--baseline", old, follow: .report, isWhole: true)
    let accepted = String(decoding: try folder.contents("accepted.json"), as: UTF8.self)
    try expect([#require(JSONValue(parsing: accepted))], follow: .accepted)
  }

  @Test func `the check of a schema finds values that do not match`() throws {
    let schema = try schema(of: .extract)
    let right = #"{"path":"a","files":1,"directories":0,"bytes":2,"seconds":0.5,"movedTimes":0}"#
    func problems(_ text: String) throws -> [String] {
      SchemaCheck(schema).problems(in: try #require(JSONValue(parsing: text)))
    }
    #expect(try problems(right) == [])
    #expect(try problems(right.replacing("\"a\"", with: "1")) == [#"$.path: type "string""#])
    #expect(try problems(right.replacing(":1,", with: ":-1,")) == ["$.files: minimum 0"])
    #expect(try problems(right.replacing("files", with: "file")).count == 2)
    #expect(try problems("[]").first == #"$: type "object""#)
  }
}

extension JSONValue {
  /// The paths of all members, such as `groups.size`; arrays are not part of them.
  fileprivate var memberPaths: Set<String> {
    var paths: Set<String> = []
    for (name, value) in members where !name.contains(".") {
      paths.insert(name)
      paths.formUnion(value.memberPaths.map { "\(name).\($0)" })
    }
    for element in elements { paths.formUnion(element.memberPaths) }
    return paths
  }

  /// Returns the schema without a member, in all places; nil if it does not describe the member.
  fileprivate func removing(_ path: ArraySlice<Substring>) -> JSONValue? {
    guard case .object(let members) = self, let name = path.first else { return nil }
    var isChanged = false
    let changed = members.compactMap { member -> JSONValue.Member? in
      var value: JSONValue? = member.value
      switch (member.key, member.value) {
      case ("items", _): value = member.value.removing(path)
      case ("oneOf", .array(let parts)), ("anyOf", .array(let parts)), ("allOf", .array(let parts)):
        let less = parts.map { $0.removing(path) }
        value = less.contains { $0 != nil } ? .array(zip(less, parts).map { $0 ?? $1 }) : nil
      case ("properties", .object(let properties)):
        guard let index = properties.firstIndex(where: { $0.key == name }) else { return member }
        var less = properties
        if path.count == 1 {
          less.remove(at: index)
        } else if let inner = less[index].value.removing(path.dropFirst()) {
          less[index].value = inner
        } else {
          return member
        }
        value = .object(less)
      default: return member
      }
      if value != nil { isChanged = true }
      return .init(member.key, value ?? member.value)
    }
    return isChanged ? .object(changed) : nil
  }
}
