import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import Converting

/// Workspaces, which name projects.
@Suite struct XcodeWorkspaceTests {
  @Test func `a workspace with one project is converted, and several are an error`() throws {
    let folder = try TemporaryFolder()
    for name in ["Game", "Tools"] {
      try folder.makeFile("Apps/\(name)/\(name).txt")
      try folder.makeFile(
        "Apps/\(name)/\(name).xcodeproj/project.pbxproj",
        OnDemandProjectTests.project([("\(name).txt", "t")]))
    }
    let list = "W/All.xcworkspace/contents.xcworkspacedata"
    let head = "<?xml version=\"1.0\"?>\n<Workspace version = \"1.0\">"
    let game = "<FileRef\n location = \"group:Game/Game.xcodeproj\">\n</FileRef>"
    try folder.makeFile(
      "Apps/All.xcworkspace/contents.xcworkspacedata",
      "\(head)\(game)<!-- <FileRef location=\"group:No.xcodeproj\"/> -->"
        + "<Group location = \"container:\" name = \"x\"><FileRef "
        + "location='group:Tools/Tools.xcodeproj'/></Group></Workspace>")
    let both = try OnDemandProjectTests.convert(folder.path("Apps/All.xcworkspace"))
    #expect(both.findings.map(\.id.name) == ["odr.several-projects"])
    let message = both.messages.joined()
    #expect(message.contains("Apps/Game/Game.xcodeproj"))
    #expect(message.contains("Apps/Tools/Tools.xcodeproj") && !message.contains("No.xcodeproj"))
    #expect(both.manifests.isEmpty)
    try folder.makeFile(
      "Apps/All.xcworkspace/contents.xcworkspacedata", "\(head)\(game)</Workspace>")
    for path in ["Apps/All.xcworkspace", "Apps"] {
      let one = try OnDemandProjectTests.convert(folder.path(path))
      #expect(OnDemandProjectTests.packs(one) == ["t, on demand: Game.txt"], "\(one.messages)")
    }
    // A project elsewhere is named, and not opened.
    try folder.makeFile(
      list, "\(head)<FileRef location=\"group:../Apps/Game/Game.xcodeproj\"/></Workspace>")
    let other = try OnDemandProjectTests.convert(folder.path("W/All.xcworkspace"))
    #expect(other.findings.map(\.id.name) == ["odr.several-projects"])
  }
}
