import Arguments
import SourceDiagnostics
import TestSupport
import Testing

/// `app add-extension`.
@Suite final class AddExtensionCommandTests {
  private let folder: TemporaryFolder
  private let project: String

  init() throws {
    folder = try TemporaryFolder()
    project = folder.path("Game.xcodeproj")
    try folder.makeFile("Game.xcodeproj/project.pbxproj", Self.text)
  }

  private static let file = "Game.xcodeproj/project.pbxproj"

  private static let text = """
    // !$*UTF8*$!
    {
    \tarchiveVersion = 1;
    \tobjectVersion = 56;
    \tobjects = {
    \t\tC1 = {
    \t\t\tisa = XCBuildConfiguration;
    \t\t\tbuildSettings = {
    \t\t\t\tCURRENT_PROJECT_VERSION = 1;
    \t\t\t\tGENERATE_INFOPLIST_FILE = YES;
    \t\t\t\tMARKETING_VERSION = 1.0;
    \t\t\t\tPRODUCT_BUNDLE_IDENTIFIER = com.example.game;
    \t\t\t};
    \t\t\tname = Release;
    \t\t};
    \t\tL1 = {
    \t\t\tisa = XCConfigurationList;
    \t\t\tbuildConfigurations = (
    \t\t\t\tC1,
    \t\t\t);
    \t\t};
    \t\tT1 = {
    \t\t\tisa = PBXNativeTarget;
    \t\t\tbuildConfigurationList = L1;
    \t\t\tbuildPhases = (
    \t\t\t);
    \t\t\tname = Game;
    \t\t\tproductType = "com.apple.product-type.application";
    \t\t};
    \t\tG1 = {
    \t\t\tisa = PBXGroup;
    \t\t\tchildren = (
    \t\t\t);
    \t\t\tsourceTree = "<group>";
    \t\t};
    \t\tP1 = {
    \t\t\tisa = PBXProject;
    \t\t\tbuildConfigurationList = L1;
    \t\t\tmainGroup = G1;
    \t\t\ttargets = (
    \t\t\t\tT1,
    \t\t\t);
    \t\t};
    \t};
    \trootObject = P1;
    }

    """

  private func run(_ words: String...) -> Captured {
    Captured(["app", "add-extension", project, "--no-project"] + words)
  }

  private func current() throws -> String {
    String(decoding: try folder.contents(Self.file), as: UTF8.self)
  }

  @Test func `without a terminal nothing is written`() throws {
    let result = run("--app-group-id", "group.a")
    #expect(result.ending == .status(.usage))
    #expect(
      result.output.hasPrefix("This adds the extension 'Downloader' to the app 'Game':\n"))
    #expect(result.messages.contains("use --yes to write the files, or --diff to print"))
    #expect(try current() == Self.text)
  }

  @Test func `a diff is printed, and nothing is written`() throws {
    let result = run("--app-group-id", "group.a", "--diff")
    #expect(result.ending == .status(.done), "\(result.messages)")
    #expect(result.output.contains("\n+\t\t\t\tINFOPLIST_FILE = \"Game-Info.plist\";\n"))
    #expect(result.output.contains("\n+\t\t\tdependencies = (\n"))
    #expect(!result.output.contains(".orig"))
    #expect(try current() == Self.text)
  }

  @Test func `the files are written, and a second run writes nothing`() throws {
    let first = run("--app-group-id", "group.a", "--yes", "--format", "json")
    #expect(first.ending == .status(.done), "\(first.messages)")
    let result = try #require(JSONValue(parsing: first.output))
    #expect(result["app"] == .string("Game"))
    #expect(result["extension"] == .string("Downloader"))
    #expect(result["written"] == .bool(true))
    #expect(result["changed"] == .array([.string(project + "/project.pbxproj")]))
    #expect(try folder.contents(Self.file + ".orig") == Array(Self.text.utf8))
    // The group is in the files now.
    let second = run("--yes")
    #expect(second.ending == .status(.done), "\(second.messages)")
    #expect(
      second.messages
        == "The project has the extension 'Downloader' already. No file was written.\n")
    let check = Captured("app", "check", project, "--no-project")
    #expect(check.ending == .status(.done), "\(check.output)\(check.messages)")
  }

  @Test func `the group is required, and an app has no keys for two hostings`() throws {
    let without = run("--yes")
    #expect(without.ending == .status(.failed))
    #expect(without.messages.contains("the app group is unknown"))
    let unknown = run("--yes", "--app-group-id", "group.a", "--hosting", "self")
    #expect(unknown.ending == .status(.failed))
    #expect(unknown.messages.contains("the keys of the app are unknown"))
    #expect(run("--yes", "--diff").ending == .status(.usage))
    let wrong = run("--yes", "--app-group-id", "com.example.game")
    #expect(wrong.ending == .status(.failed))
    #expect(
      wrong.messages.contains("the app group 'com.example.game' does not begin with 'group.'"))
    #expect(try current() == Self.text)
  }

  @Test func `changes that Git has no commit of require an option`() throws {
    let git = "git -c user.name=a -c user.email=a@example.com"
    #expect(
      try Peer.run("git init -q . && git add . && \(git) commit -q -m a", in: folder.path) == 0)
    try folder.makeFile(Self.file, Self.text + "// changed\n")
    let refused = run("--app-group-id", "group.a", "--yes")
    #expect(refused.ending == .status(.failed))
    #expect(refused.messages.contains("project.pbxproj' has changes that are not committed"))
    #expect(refused.messages.contains("commit them, or use --force"))
    let forced = run("--app-group-id", "group.a", "--yes", "--force")
    #expect(forced.ending == .status(.done), "\(forced.messages)")
    #expect(try current().hasSuffix("// changed\n"))
    // A repository that Git rejects.
    try folder.remove(".git/HEAD")
    try folder.makeFile(Self.file, Self.text)
    try folder.remove("Downloader")
    let unknown = run("--app-group-id", "group.a", "--yes")
    #expect(unknown.ending == .status(.failed))
    #expect(unknown.messages.contains("Git cannot compare"))
    #expect(unknown.messages.contains("use --force to change it"))
  }
}
