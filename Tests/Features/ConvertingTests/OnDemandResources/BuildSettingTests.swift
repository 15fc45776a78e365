import BAPackKit
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import Converting

/// Build settings that specify when packs are downloaded.
@Suite struct BuildSettingTests {
  private static let first = "ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS"
  private static let order = "ON_DEMAND_RESOURCES_PREFETCH_ORDER"

  /// Converts a project of `a.txt`, `b.txt` and `c.txt` with the tags `a`, `b` and `c`.
  private func convert(
    _ settings: String, file: String? = nil, others: [String: String] = [:],
    _ configure: (inout ConversionOptions) -> Void = { _ in }
  ) throws -> Conversion {
    let folder = try TemporaryFolder()
    for name in ["a", "b", "c"] { try folder.makeFile("\(name).txt") }
    for (name, text) in others { try folder.makeFile(name, text) }
    var text = OnDemandProjectTests.project(
      [("a.txt", "a"), ("b.txt", "b"), ("c.txt", "c")], settings: settings)
    if let file {
      try folder.makeFile("Config/App.xcconfig", file)
      text = text.replacing(
        "name = Release;", with: "name = Release; baseConfigurationReference = X;"
      )
      .replacing("children = (", with: "children = (X, ")
      .replacing(
        "L = {",
        with: """
          X = { isa = PBXFileReference; path = "Config/App.xcconfig"; sourceTree = "<group>"; };
          L = {
          """)
    }
    try folder.makeFile("Game.xcodeproj/project.pbxproj", text)
    return try OnDemandProjectTests.convert(folder.path("Game.xcodeproj"), configure)
  }

  /// Returns the policies of the three packs: `essential prefetch on-demand`.
  private func policies(_ conversion: Conversion) -> String {
    conversion.manifests.map { manifest in
      switch manifest.manifest.downloadPolicy {
      case .essential: "essential"
      case .prefetch: "prefetch"
      case .onDemand: "on-demand"
      }
    }.joined(separator: " ")
  }

  @Test(arguments: [
    (#""ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS[sdk=iphoneos*]" = a;"#, "essential on-demand"),
    (
      #""ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS[sdk=iphonesimulator*]" = a;"#,
      "on-demand on-demand"
    ),
    (
      #""ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS[config=Release][arch=arm64*]" = (a, "#
        + #""$(inherited)"); ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS = b;"#,
      "essential essential"
    ),
    (
      #"ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS = "$(FIRST)"; FIRST = "a b";"#,
      "essential essential"
    ),
    (
      #"ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS = "${TAG_$(CONFIGURATION:lower)}"; TAG_release "#
        + #"= "\"a\"";"#,
      "essential on-demand"
    ),
    (
      #"ON_DEMAND_RESOURCES_PREFETCH_ORDER = "$(NONE:default=a) $LAST"; LAST = b;"#,
      "prefetch prefetch"
    ),
    (#"ON_DEMAND_RESOURCES_PREFETCH_ORDER = "$(KIND:lower)"; KIND = A;"#, "prefetch on-demand"),
    (
      #""ON_DEMAND_RESOURCES_PREFETCH_ORDER[sdk=macosx15*]" = b; "#
        + #"ON_DEMAND_RESOURCES_PREFETCH_ORDER = a; ASSET_PACK_MANIFEST_URL_PREFIX = "#
        + #""$(SERVER)/packs";"#,
      "prefetch on-demand"
    ),
  ])
  func `conditions, references and operations are evaluated`(settings: String, expected: String)
    throws
  {
    let conversion = try convert(settings)
    #expect(policies(conversion).hasPrefix(expected), "\(conversion.findings.map(\.message))")
    #expect(!conversion.findings.hasErrors, "\(conversion.findings.map(\.message))")
    #expect(conversion.manifests.count == 3)
  }

  @Test func `a settings file may contain tabs, semicolons, conditions, includes and long lines`()
    throws
  {
    let conversion = try convert(
      "",
      file: """
        // \(Self.first) = c
        #include? "None.xcconfig"
        #include "../Shared/Base.xcconfig" // shared
        SDKROOT\t=\tiphoneos;
        \(Self.first)[sdk=iphoneos*]\t=\t$(inherited) "a" ; // first
        \(Self.first)[sdk=appletvos*] = c
        \(Self.order) = \\
            b \\
          ;
        """, others: ["Shared/Base.xcconfig": "\(Self.first) = $(EARLY)\r\nEARLY = x\r\n"])
    #expect(policies(conversion) == "essential prefetch on-demand")
    #expect(
      conversion.findings.map(\.message) == ["no file has the tag 'x'"])
    #expect(conversion.manifests.first?.manifest.platforms == [.iOS])
  }

  @Test func `a settings file may be in a synchronized folder`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a.txt")
    try folder.makeFile("Config/Sub/App.xcconfig", "\(Self.first) = a\n")
    let text = OnDemandProjectTests.project([("a.txt", "a")])
      .replacing(
        "name = Release;",
        with: """
          name = Release; baseConfigurationReferenceAnchor = S;
          baseConfigurationReferenceRelativePath = "Sub/App.xcconfig";
          """
      ).replacing("children = (", with: "children = (S, ")
      .replacing(
        "L = {",
        with: """
          S = { isa = PBXFileSystemSynchronizedRootGroup; path = Config; sourceTree = "<group>"; };
          L = {
          """)
    try folder.makeFile("project.pbxproj", text)
    let path = folder.path("project.pbxproj")
    #expect(policies(try OnDemandProjectTests.convert(path)) == "essential")
    try folder.remove("Config/Sub/App.xcconfig")
    let gone = try OnDemandProjectTests.convert(path)
    #expect(
      gone.findings.map(\.message) == [
        "cannot read 'Sub/App.xcconfig', which may contain build settings"
      ])
    #expect(gone.findings.hasErrors)
  }

  @Test(arguments: [
    ("\(first)[sdk=iphoneos* = a", true), ("\(first) a", true), ("\(order): b", true),
    ("#includ \"x.xcconfig\"", false), ("foo", false), ("A-B = c", false),
  ])
  func `an invalid line is reported, and is an error if it names a setting that applies`(
    line: String, isError: Bool
  ) throws {
    let conversion = try convert("", file: "// first\n  \(line) // last\n\n;\nSDKROOT = iphoneos\n")
    let page = try #require(
      conversion.findings.pages.first { $0.source.name.hasSuffix("App.xcconfig") })
    #expect(
      page.findings.map(\.message) == ["'\(line)' is not a setting, an inclusion or a comment"])
    #expect(page.findings.map(\.severity) == [isError ? .error : .warning])
    #expect(page.findings.map { $0.span?.start } == [11])
    let named = try convert("", file: line) { $0.downloadPolicy = .onDemand }
    #expect(!named.findings.hasErrors && named.findings.count(.warning) == 1)
  }

  @Test
  func `a missing included file is an error at its line, unless a policy is specified`()
    throws
  {
    let file = "#include? \"None.xcconfig\"\nSDKROOT = iphoneos\n#include \"Gone.xcconfig\"\n"
    let conversion = try convert("", file: file)
    let page = try #require(
      conversion.findings.pages.first { $0.source.name.hasSuffix("App.xcconfig") })
    #expect(
      page.findings.map(\.message) == [
        "cannot read 'Gone.xcconfig', which may contain build settings"
      ])
    #expect(page.findings.first?.severity == .error)
    let span = try #require(page.findings.first?.span)
    #expect(page.source.position(of: span.start).line == 3)
    #expect(conversion.findings.count(.error) == 1)
    for policy in [DownloadPolicy.onDemand, .essential([.firstInstallation])] {
      let named = try convert("", file: file) { $0.downloadPolicy = policy }
      #expect(!named.findings.hasErrors)
      #expect(named.findings.map(\.id.name) == ["odr.settings-file"])
    }
  }

  @Test func `a project without an SDK is for all platforms, with a note`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a.txt")
    for (settings, isSilent) in [("", true), ("SDKROOT = iphoneos;", false)] {
      try folder.makeFile(
        "project.pbxproj", OnDemandProjectTests.project([("a.txt", "a")], settings: settings))
      let conversion = try Conversion(
        of: FilePath(folder.path("project.pbxproj")), ConversionOptions(.unstoppable))
      #expect(
        conversion.findings.map(\.id.name) == (isSilent ? ["convert.assumed-platforms"] : []))
      #expect(
        conversion.manifests.map(\.manifest.platforms) == [isSilent ? Platform.allCases : [.iOS]])
    }
  }

  @Test func `a target without configurations uses those of the project`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a.txt")
    let text = OnDemandProjectTests.project([("a.txt", "a")], settings: "\(Self.order) = a;")
      .replacing("buildConfigurationList = L;", with: "")
      .replacing("isa = PBXProject;", with: "isa = PBXProject; buildConfigurationList = L;")
    try folder.makeFile("project.pbxproj", text)
    let conversion = try OnDemandProjectTests.convert(folder.path("project.pbxproj"))
    #expect(policies(conversion) == "prefetch")
    #expect(conversion.findings.isEmpty)
  }

  @Test(arguments: [
    (#"X = "$(NOWHERE)";"#, "'$(NOWHERE)' has no known value"),
    (#"X = "$(Y)"; Y = "$(Z:rfc)"; Z = a;"#, "the operation ':rfc' is not supported"),
    (#"X = "$(Y";"#, "a '$(' has no closing ')'"),
    (
      #""X[sdk=iphoneos17*]" = a;"#, "its condition 'iphoneos17*' depends on the version of the SDK"
    ),
    (#""X[weather=sunny]" = a;"#, "it has the unknown condition 'weather'"),
  ])
  func `a setting that cannot be evaluated is an error at its place`(
    settings: String, reason: String
  ) throws {
    let project = try convert(settings.replacing("X", with: Self.first))
    #expect(project.findings.hasErrors)
    #expect(
      project.findings.map(\.message) == ["cannot evaluate '\(Self.first)': \(reason)"])
    #expect(project.findings.all.first?.span != nil)
    // In a settings file, the place is the line in the file.
    let lines = settings.replacing("X", with: Self.first).split(separator: ";").map {
      $0.trimmingPrefix(" ").replacing("\"", with: "")
    }
    let file = try convert("", file: "\n" + lines.joined(separator: "\n"))
    let page = try #require(file.findings.pages.first { $0.source.name.hasSuffix("App.xcconfig") })
    #expect(page.findings.map(\.message) == project.findings.map(\.message))
    #expect(page.findings.first?.span.map { page.source.position(of: $0.start).line } ?? 0 >= 2)
  }

  @Test func `platforms with different packs are an error unless one is specified`()
    throws
  {
    let settings = """
      SUPPORTED_PLATFORMS = "iphoneos iphonesimulator appletvos"; SDKROOT = auto;
      "\(Self.first)[sdk=iphoneos*]" = a;
      """
    let both = try convert(settings)
    #expect(
      both.findings.map(\.message)
        == ["'\(Self.first)' differs between 'iphoneos' and 'appletvos'"])
    #expect(both.findings.hasErrors)
    for (platform, expected) in [(Platform.iOS, "essential"), (.tvOS, "on-demand")] {
      let one = try convert(settings) { $0.platforms = [platform] }
      #expect(!one.findings.hasErrors)
      #expect(policies(one) == "\(expected) on-demand on-demand")
    }
  }

  @Test func `the evaluation of recursive or doubling settings ends`() throws {
    let circle = try convert(#"\#(Self.first) = "$(A)"; A = "$(B)"; B = "$(A) a";"#)
    #expect(policies(circle) == "essential on-demand on-demand")
    let doubling = (0..<40).map { "D\($0) = \"$(D\($0 + 1))$(D\($0 + 1))\";" }.joined()
    let large = try convert("\(Self.first) = \"$(D0)\"; \(doubling) D40 = a;")
    #expect(large.findings.hasErrors)
    let chain = (0..<2000).map { "C\($0) = \"$(C\($0 + 1))\";" }.joined()
    let deep = try convert("\(Self.first) = \"$(C0)\"; \(chain) C2000 = a;")
    #expect(
      deep.findings.map(\.message)
        == ["cannot evaluate '\(Self.first)': its references are nested too deeply"])
    let lines = String(repeating: "\(Self.first) = $(inherited) a\n", count: 5000)
    #expect(try convert("", file: lines).findings.hasErrors)
    // Each reference evaluates many conditions.
    let conditions = String(repeating: "A[sdk=macosx*] = c\n", count: 20_000)
    let references = String(repeating: "$(A) ", count: 15_000)
    let wide = try convert("", file: "\(Self.first) = \(references)\nA = a\n\(conditions)")
    #expect(wide.findings.hasErrors)
    let nested = String(repeating: "$(", count: 5000) + "A" + String(repeating: ")", count: 5000)
    #expect(try convert("\(Self.first) = \"\(nested)\";").findings.hasErrors)
    let own = try convert("", file: "#include \"App.xcconfig\"\n\(Self.first) = a")
    #expect(policies(own) == "essential on-demand on-demand")
  }

  @Test func `targets with different policies are reported, and each policy applies to its files`()
    throws
  {
    let folder = try TemporaryFolder()
    for name in ["a.txt", "b.txt"] { try folder.makeFile(name) }
    func project(_ second: String) -> String {
      OnDemandProjectTests.project(
        [("a.txt", "x"), ("b.txt", second)], settings: "\(Self.first) = x;"
      ).replacing("targets = (T);", with: "targets = (T, U);")
        .replacing("files = (B0, B1)", with: "files = (B0)")
        .replacing(
          "L = {",
          with: """
            U = { isa = PBXNativeTarget; name = Lite; buildPhases = (S); buildConfigurationList = \
            M; };
            S = { isa = PBXResourcesBuildPhase; files = (B1); };
            M = { isa = XCConfigurationList; buildConfigurations = (D); };
            D = { isa = XCBuildConfiguration; name = Release; buildSettings = { \(Self.order) = x; \
            }; };
            L = {
            """)
    }
    try folder.makeFile("project.pbxproj", project("x"))
    let path = folder.path("project.pbxproj")
    let both = try OnDemandProjectTests.convert(path)
    #expect(OnDemandProjectTests.packs(both) == ["x, essential: a.txt b.txt"])
    #expect(
      both.findings.map(\.message) == [
        "the pack of 'x' is essential in 'App' and prefetched in 'Lite'; using essential"
      ])
    let lite = try OnDemandProjectTests.convert(path) { $0.target = "Lite" }
    #expect(OnDemandProjectTests.packs(lite) == ["x, prefetch: b.txt"])
    #expect(lite.findings.isEmpty)
    // The settings of one target do not affect the tags of another.
    try folder.makeFile(
      "project.pbxproj", project("y").replacing("\(Self.order) = x", with: "OTHER = x"))
    let apart = try OnDemandProjectTests.convert(path)
    #expect(OnDemandProjectTests.packs(apart) == ["x, essential: a.txt", "y, on demand: b.txt"])
    #expect(apart.findings.isEmpty)
  }

  @Test func `a tag of a missing file, or of another target, is not reported as unused`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a.txt")
    let text = OnDemandProjectTests.project([("a.txt", "a"), ("lost.txt", "lost")])
      .replacing(
        "isa = PBXProject;",
        with: "isa = PBXProject; attributes = { KnownAssetTags = (a, lost, other, none); };"
      ).replacing("targets = (T);", with: "targets = (T, U);")
      .replacing(
        "L = {",
        with: """
          U = { isa = PBXNativeTarget; name = Lite; buildPhases = (S); };
          S = { isa = PBXResourcesBuildPhase; files = (O); };
          O = { isa = PBXBuildFile; fileRef = F0; settings = { ASSET_TAGS = (other); }; };
          L = {
          """)
    try folder.makeFile("project.pbxproj", text)
    let conversion = try OnDemandProjectTests.convert(folder.path("project.pbxproj")) {
      $0.target = "App"
    }
    #expect(
      conversion.findings.map(\.message) == [
        "no file has the tag 'none'", "'lost.txt' does not exist, so it is missing from its pack",
      ])
  }
}
