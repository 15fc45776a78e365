import Arguments
import Foundation
import TestSupport
import Testing

@Suite("Folders as manifests, and unreadable manifests")
struct ManifestFolderTests {
  private func text(_ id: String) -> String {
    """
    {"assetPackID": "\(id)", "downloadPolicy": {"onDemand": {}},
     "fileSelectors": [{"file": "a.txt"}], "platforms": []}
    """
  }

  private func prepare(_ folder: borrowing TemporaryFolder) throws {
    try folder.makeFile("Packs/one.json", text("One"))
    try folder.makeFile("Packs/sub/two.JSON", "// first a comment\n" + text("Two"))
    try folder.makeFile("Packs/sub/broken.json", #"{"assetPackID": "B" "platforms": [],}"#)
    try folder.makeFile("Packs/level.json", #"{"platforms": ["stone", "wood"]}"#)
    try folder.makeFile(
      "Packs/served.json", #"{"assetPacks": [{"id": "One", "downloadPolicy": {}}]}"#)
    try folder.makeFile("Packs/empty.json", "")
    try folder.makeFile("Packs/notes.txt", text("No"))
    try folder.makeFile("Packs/.hidden/three.json", text("Three"))
    try folder.makeFile("Packs/.four.json", text("Four"))
    try folder.makeLink("Packs/again", to: "sub")
  }

  @Test
  func `a folder represents the manifests below it, with a line about ignored files`() throws {
    let folder = try TemporaryFolder()
    try prepare(folder)
    let run = Captured("validate", folder.path("Packs"), "--no-files")
    let packs = folder.path("Packs")
    #expect(
      run.messages.hasPrefix(
        "\(packs): 3 manifests; ignored: 3 other JSON files ('\(packs)/empty.json', "
          + "'\(packs)/level.json', '\(packs)/served.json')\n"))
    #expect(run.messages.contains("\(packs)/sub/broken.json:1:21: error: "))
    #expect(run.messages.contains("3 manifests: "))
    #expect(run.ending == .status(.failed))
    let none = Captured("validate", folder.path("Packs/.hidden/.."), "--no-files", "-q")
    #expect(!none.messages.contains("left out"))
  }

  @Test
  func `pack and evaluate accept folders, too`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("Packs/one.json", text("One"))
    try folder.makeFile("a.txt", "text")
    let packed = Captured(
      "pack", folder.path("Packs"), "-o", folder.path("out"), "--source-root", folder.path)
    #expect(packed.ending == .status(.done))
    #expect(FileManager.default.fileExists(atPath: folder.path("out/One.aar")))
    let evaluated = Captured("evaluate", folder.path("Packs"), "--source-root", folder.path)
    #expect(evaluated.output == "a.txt\n")
    try folder.makeFile("Packs/two.json", text("Two"))
    let both = Captured("evaluate", folder.path("Packs"), "--source-root", folder.path)
    #expect(both.output == "a.txt\na.txt\n")
    let one = Captured(
      "pack", folder.path("Packs"), "-o", folder.path("x.aar"), "--source-root", folder.path)
    #expect(one.ending == .status(.failed))
    #expect(
      one.messages.contains("is one archive, but there are 2 manifests\nhint: specify a folder"))
  }

  @Test
  func `a folder without manifests is an error`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("Packs/level.json", "{}")
    let run = Captured("validate", folder.path("Packs"), "--no-files")
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("Packs: error: the folder contains no manifest ["))
  }

  @Test
  func `a file that is given twice, through a link or a folder, counts once`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("Packs/one.json", text("One"))
    try folder.makeLink("link.json", to: "Packs/one.json")
    let one = folder.path("Packs/one.json")
    for others in [[one], [folder.path("link.json")], [folder.path("Packs")]] {
      let run = Captured(["validate", "--no-files", one] + others)
      #expect(run.ending == .status(.done))
      #expect(run.messages.contains("is the same file as '\(one)' and counts once\n"))
      #expect(run.messages.hasSuffix("1 manifest: no problems\n"))
    }
  }

  @Test(arguments: ["text", "json", "github", "sarif"], [true, false])
  func `a manifest that cannot be read is counted and reported in every format`(
    _ format: String, _ isAlone: Bool
  ) throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("one.json", text("One"))
    let lost = folder.path("lost.json")
    let run = Captured(
      ["validate", "--no-files", "--format", format]
        + (isAlone ? [lost] : [folder.path("one.json"), lost]))
    #expect(run.ending == .status(.failed))
    let count = isAlone ? "1 manifest" : "2 manifests"
    #expect(run.messages.hasSuffix("\(count): 1 error\n"))
    switch format {
    case "text":
      #expect(run.messages.contains("\(lost): error: cannot open '\(lost)': "))
    case "json":
      #expect(run.output.contains(#""severity":"error","id":"manifest.unreadable""#))
    case "github":
      #expect(run.output.hasPrefix("::error file=\(lost),title=manifest.unreadable::cannot open"))
    default:
      #expect(run.output.contains(#""executionSuccessful": false"#))
      #expect(run.output.contains(#""ruleId": "manifest.unreadable""#))
    }
  }

  @Test
  func `one missing source root for many manifests is one finding`() throws {
    let folder = try TemporaryFolder()
    for id in ["One", "Two", "Three"] { try folder.makeFile("\(id).json", text(id)) }
    let run = Captured("validate", folder.path, "--source-root", folder.path("nowhere"))
    #expect(run.messages.hasSuffix("3 manifests, not fully checked: 1 error\n"))
  }
}
