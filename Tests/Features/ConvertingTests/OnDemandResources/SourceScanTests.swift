import BAPackKit
import Foundation
import SourceDiagnostics
import SourceLanguages
import SystemIO
import TestSupport
import Testing

@testable import Converting

/// The calls in sources that concern On-Demand Resources.
@Suite struct SourceScanTests {
  /// Returns the calls in a text, which declares the types that it uses.
  private func scan(_ source: SourceText) -> [SourceCall] {
    let language = SourceLanguage(ofFileNamed: source.name) ?? .c
    var names = RequestTypes()
    names.add(SourceTokens(of: source, in: language))
    names.close()
    return SourceScan.calls(in: source, language, names)
  }

  /// Returns each call on a line: its line, its kind and its tags.
  private func calls(_ text: String, _ name: String = "A.swift") -> [String] {
    scan(SourceText(Array(text.utf8), named: name)).map {
      (["\($0.line) \($0.kind)"] + $0.tags).joined(separator: " ")
    }
  }

  @Test
  func `the guide has the keys, tasks and files of the extension of an Apple-hosted app`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a.txt")
    try folder.makeFile("project.pbxproj", OnDemandProjectTests.project([("a.txt", "t")]))
    let guide = OnDemandProjectTests.text(
      try OnDemandProjectTests.convert(folder.path("project.pbxproj")), "MIGRATION.md")
    let start = try #require(guide.firstRange(of: "## Info.plist and the extension\n"))
    let end = try #require(guide.firstRange(of: "\n## Checklist\n"))
    let group = "group.com.example.app"
    let downloader = DownloaderExtension(of: .appleHosted)
    let tasks = AppRequirement.all(of: .appleHosted, group: group, language: .swift).map {
      (["- \($0.title)."] + $0.details).joined(separator: " ") + "\n"
    }
    #expect(
      guide[start.upperBound..<end.lowerBound] == """

        Packs that Apple hosts require these keys. Replace the group by yours. Packs on your own \
        server also require `BAManifestURL` and the sizes that ba-package computes from the packs.

        ```xml
        <key>BAAppGroupID</key>
        <string>group.com.example.app</string>
        <key>BAHasManagedAssetPacks</key>
        <true/>
        <key>BAUsesAppleHosting</key>
        <true/>
        ```

        \(tasks.joined())
        The Info.plist of the extension:

        ```xml
        \(PropertyList.xml(downloader.infoPlist))```

        The code of the extension, `BackgroundDownloadHandler.swift`:

        ```swift
        \(downloader.source)```

        Remove the `NSBundleResourceRequest…` keys and these build settings: \
        `ENABLE_ON_DEMAND_RESOURCES`, `ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS`, \
        `ON_DEMAND_RESOURCES_PREFETCH_ORDER`, `EMBED_ASSET_PACKS_IN_PRODUCT_BUNDLE`, \
        `ASSET_PACK_MANIFEST_URL_PREFIX`.

        """)
  }

  @Test func `calls are found outside comments and literals, with their tags`() throws {
    let source = """
      // NSBundleResourceRequest(tags: ["no"])
      let s = "endAccessingResources"
      /* Bundle.main.url(forResource: "x", withExtension: nil)
      */ let request = NSBundleResourceRequest(tags: ["cave",
        "forest"])
      request.beginAccessingResources { _ in }
      let url = Bundle.main.url(forResource: "map", withExtension: "json")
      request.endAccessingResources()
      NSSet *t; [[NSBundleResourceRequest alloc] initWithTags:[NSSet setWithObject:@"winter"]];
      let image = UIImage(named: name) ?? UIImage(contentsOfFile: Bundle.main.path(
        forResource: "a", ofType: "png")!)
      NSBundleResourceRequest.init(tags: tags).beginAccessingResources { _ in }
      """
    let calls = scan(SourceText(Array(source.utf8), named: "A.swift"))
    #expect(calls.map(\.line) == [4, 6, 7, 8, 9, 10, 11, 12, 12])
    #expect(
      calls.map(\.kind) == [
        .request, .begin, .bundle, .end, .request, .catalog, .bundle, .request, .begin,
      ])
    #expect(calls[0].tags == ["cave", "forest"])
    #expect(calls[4].tags == ["winter"])
    let folder = try TemporaryFolder()
    try folder.makeFile("Sources/A.swift", source)
    let path = Checkout.file("Examples/Lantern").path(percentEncoded: false)
    let conversion = try OnDemandProjectTests.convert(path) {
      $0.scannedSources = [FilePath(folder.path("Sources"))]
    }
    let guide = OnDemandProjectTests.text(conversion, "MIGRATION.md")
    #expect(guide.contains("Sources/A.swift:4` |"))
    #expect(guide.contains("packs `cave`, `cave-forest`, `forest`, `cave-forest`"))
  }

  @Test func `a request is found if its type is declared elsewhere`() {
    #expect(
      calls(
        """
        let a: NSBundleResourceRequest = .init(tags: ["a"])
        var b: NSBundleResourceRequest? = .init(level: 2)
        self.c = .init(
          tags: Set(["c", "d"]), bundle: Bundle(identifier: "com.example"))
        func make() -> NSBundleResourceRequest { .init(tags: ["e\\(number)"]) }
        let f = Foundation.NSBundleResourceRequest.init(tags: ["f"]); \
        g(NSBundleResourceRequest(tags: ["g"]))
        func take(_ request: NSBundleResourceRequest, other: NSBundleResourceRequest) {}
        """) == [
          "1 request a", "2 request", "3 request c d", "5 request", "6 request f", "6 request g",
        ])
    #expect(calls("let a = View.init(tags: [1])") == [])
  }

  @Test func `subclasses and aliases of requests are requests in all files`()
    throws
  {
    #expect(
      calls(
        """
        final class Level: NSBundleResourceRequest, @unchecked Sendable {
          init() { super.init(tags: ["level"]) }
        }
        class Boss<Kind>: Level {}
        typealias Request = Foundation.NSBundleResourceRequest
        extension NSBundleResourceRequest {}
        let a = [Level(), Boss<Int>.init(), Request(tags: ["x"]), Other()]
        """) == [
          "1 subclass", "2 request level", "4 subclass", "6 subclass", "7 request", "7 request x",
        ])
    #expect(
      calls(
        """
        @interface Level : NSBundleResourceRequest
        @end
        typedef NSBundleResourceRequest Plain;
        id a = [[Level alloc] initWithTags:[NSSet setWithObjects:@"a", @"b", nil] \
        bundle:named(@"c")];
        return [super initWithTags:[NSSet setWithObject:@"d"]];
        id e = [Plain new]; NSString *f = @"f";
        """, "a.m") == ["1 subclass", "4 request a b", "5 request d", "6 request"])
    let folder = try TemporaryFolder()
    try folder.makeFile("A.swift", "let a = Level(3)\nlet b = Boss()")
    try folder.makeFile("B.swift", "class Boss: Level {}")
    try folder.makeFile("C.h", "@interface Level : NSBundleResourceRequest @end")
    let scan = try SourceScan(of: [FilePath(folder.path)])
    #expect(scan.calls.map(\.kind) == [.request, .request, .subclass, .subclass])
    #expect(scan.calls.map(\.line) == [1, 2, 1, 1])
  }

  @Test func `calls of SpriteKit, SceneKit and SwiftUI are found, on several lines too`() {
    #expect(
      calls(
        """
        let a = SKScene(fileNamed: "Level"), b = SKEmitterNode(
          fileNamed: "Fire")
        let c = SCNScene(named: "a.scn")
        var body: some View { Image("hero").resizable() }
        let d = [Image(.hero), SwiftUI.Image("x"), Image(systemName: "star"), Theme.Image("no")]
        let e = UIImage /* the */ (named: "x"); let f = Image( // the
          "y")
        let g = SKTextureAtlas(named: "atlas"), h = UIStoryboard(name: "Main", bundle: nil)
        """) == [
          "1 bundle", "2 bundle", "3 bundle", "4 catalog", "5 catalog", "6 catalog", "8 catalog",
          "8 bundle",
        ])
    #expect(
      calls(
        """
        SKScene *a = [SKScene nodeWithFileNamed:@"Level"];
        SCNScene *b = [SCNScene sceneNamed:@"a.scn"]; id c = [UIImage imageNamed:@"x"];
        """, "a.mm") == ["1 bundle", "2 bundle", "2 catalog"])
  }

  @Test func `nested comments, raw strings and directives contain no calls`() {
    #expect(
      calls(
        ###"""
        /* outer /* inner */ NSBundleResourceRequest(tags: ["no"]) */
        let a = #"NSBundleResourceRequest(tags: ["no"])"#, b = ##"say "# Image("x") "##
        let c = """
          endAccessingResources() // "
          Image("x")
          """
        let d = "\(NSBundleResourceRequest(tags: ["yes"])) \" Image(\"no\")"
        let e = #"\#(UIImage(named: "yes")) \(UIImage(named: "no"))"# // Image("no")
        """###) == ["7 request yes", "8 catalog"])
    #expect(
      calls(
        #"""
        /* outer /* inner */ [r endAccessingResources];
        #import "endAccessingResources"
        #define END(r) [r endAccessingResources]
        char c = '"'; [r beginAccessingResourcesWithCompletionHandler:nil]; // \
        [r endAccessingResources];
        NSString *s = @"/*"; [UIImage imageNamed:@"x"]; // */
        """#, "a.m") == ["1 end", "3 end", "4 begin", "6 catalog"])
  }

  @Test func `quotation marks in regular expressions begin no string`() {
    #expect(
      calls(
        ##"""
        let a = /"[^"]*"/; let b = Image("b")
        let c = #/ " \/# " /#, d = UIImage(named: "d")
        let e = #/
          " Image("no")
          /#
        let f = total / count; let g = Image("g"); let h = (1 + 2) / 3 / Image("h").scale
        let i = [/"/, /\/"/], j = text.split(separator: /'|"/).map { _ in Image("j") }
        let k = "/" + path / "x" + Image("k") // "/
        """##) == [
          "1 catalog", "2 catalog", "6 catalog", "7 catalog", "8 catalog",
        ])
  }

  @Test func `a source that is too large, or outside the folder, is reported`()
    throws
  {
    let folder = try TemporaryFolder()
    try folder.makeFile("Other/Secret.swift", "request.endAccessingResources()")
    try folder.makeFile("Sources/A.swift", "request.endAccessingResources()")
    try folder.makeFile(
      "Sources/Large.swift",
      [UInt8](repeating: 0x20, count: SourceScan.largestFile) + Array("endAccessingResources".utf8))
    try folder.makeLink("Sources/Out.swift", to: "../Other/Secret.swift")
    let path = Checkout.file("Examples/Lantern").path(percentEncoded: false)
    for scanned in [["Sources"], ["Sources/A.swift", "Sources/Large.swift"]] {
      let conversion = try OnDemandProjectTests.convert(path) {
        $0.scannedSources = scanned.map { FilePath(folder.path($0)) }
      }
      let found = conversion.findings.filter { $0.id == "odr.unsearched" }.map(\.message)
      #expect(found.count == (scanned.count == 1 ? 2 : 1), "\(found)")
      #expect(found.first?.contains("Sources/Large.swift' was not searched") == true)
      let isOutside = found.contains { $0.contains("Sources/Out.swift' was not searched") }
      #expect(isOutside == (scanned.count == 1))
      let guide = OnDemandProjectTests.text(conversion, "MIGRATION.md")
      #expect(guide.contains("These files were not searched:"))
      #expect(guide.contains("Sources/A.swift:1`"))
      #expect(guide.contains("Sources/Large.swift`\n") && !guide.contains("Large.swift:"))
    }
    // A file that the user names may be a link, and have any name.
    try folder.makeFile("Other/plain.txt", "[r endAccessingResources];")
    let named = ["Sources/Out.swift", "Other/plain.txt"].map { FilePath(folder.path($0)) }
    #expect(try SourceScan(of: named).calls.map(\.kind) == [.end, .end])
  }

  @Test func `sources in UTF-16 are searched, and other data is reported`() throws {
    let folder = try TemporaryFolder()
    let text = "// é\n[r endAccessingResources];\n"
    let units = Array(text.utf16)
    let little = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    try folder.makeFile("Sources/big.m", [0xFE, 0xFF] + big)
    try folder.makeFile("Sources/little.m", [0xFF, 0xFE] + little)
    try folder.makeFile("Sources/no-mark.m", little)
    try folder.makeFile("Sources/noise.m", Array("// ".utf8) + [0] + Array(text.utf8))
    try folder.makePipe("Sources/pipe.swift")
    try folder.makePipe("Sources/pipe.txt")
    let scan = try SourceScan(of: [FilePath(folder.path("Sources"))])
    #expect(
      scan.calls.map { "\(FilePath($0.path).name.shown):\($0.line) \($0.kind) \($0.text)" } == [
        "big.m:2 end [r endAccessingResources];", "little.m:2 end [r endAccessingResources];",
        "no-mark.m:2 end [r endAccessingResources];",
      ])
    #expect(scan.skipped.map(\.name.shown) == ["noise.m", "pipe.swift"])
  }

  @Test func `a long line is shown from its call on`() throws {
    let line = String(repeating: "f(); ", count: 1000) + "UIImage(named: \"x\")"
    let call = try #require(
      scan(SourceText(Array((line + line).utf8), named: "a.swift")).first)
    #expect(call.text.hasPrefix("UIImage(named: \"x\")f(); "))
    #expect(call.text.utf8.count <= 200)
  }

  @Test func `every text can be searched, with any brackets and quotes`() {
    var random = Seeded(seed: 9)
    let parts = [
      "NSBundleResourceRequest", "(", ")", "[", "]", "tags:", "\"", "\"\"\"", "#", "\\(", "/*",
      "*/",
      "//", "\n", " ", ".init(", "alloc]", "class A:", "é", "Image(\"", "@", "=", "?", "\\", "'",
    ]
    for _ in 0..<300 {
      let text = (0..<Int.random(in: 0...60, using: &random)).map { _ in
        parts.randomElement(using: &random) ?? ""
      }.joined()
      for (name, language) in [("a.swift", SourceLanguage.swift), ("a.m", .c)] {
        let code = SourceCode(of: Array(text.utf8), in: language).code
        #expect(code.count == text.utf8.count)
        #expect(
          zip(code, text.utf8).allSatisfy { $0 == $1 || $0 == 0x20 || $0 == 0x22 }, "\(text)")
        #expect(
          code.count(where: { $0 == 0x0A }) == text.utf8.count(where: { $0 == 0x0A }), "\(text)")
        _ = calls(text, name)
      }
    }
  }
}
