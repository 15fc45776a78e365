import BAPackKit
import DeviceSimulator
import Reporting
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

/// `validate`, `simulate` and `diff` agree on the paths that two packs share.
@Suite struct SharedPathTests {
  /// Two packs with one file each, and whether a device may treat the paths as equal.
  struct Case: Sendable, CustomTestStringConvertible {
    var one: String
    var other: String
    var platforms: ([Platform], [Platform]) = ([], [])
    var languages: (String?, String?) = (nil, nil)
    var isShared: Bool
    /// Whether a device has both paths only if the app requests the pack of another language.
    var needsRequest = false

    var testDescription: String { "\(one) \(other) \(platforms) \(languages)" }
  }

  private static let cases: [Case] = [
    Case(one: "a/Icon.png", other: "a/Icon.png", isShared: true),
    Case(one: "Icon.png", other: "icon.png", isShared: true),
    Case(one: "A/x", other: "a/x", isShared: true),
    Case(one: "Icon.png", other: "icon.png", platforms: ([.macOS], []), isShared: true),
    Case(one: "Icon.png", other: "icon.png", platforms: ([.iOS], []), isShared: false),
    Case(one: "Icon.png", other: "Icon.png", platforms: ([.iOS], []), isShared: true),
    Case(one: "x", other: "x", platforms: ([.iOS], [.macOS, .tvOS]), isShared: false),
    Case(one: "caf\u{E9}", other: "cafe\u{301}", isShared: true),
    Case(one: "caf\u{E9}", other: "cafe\u{301}", platforms: ([.tvOS], [.tvOS]), isShared: true),
    Case(one: "Caf\u{E9}", other: "cafe\u{301}", platforms: ([.tvOS], []), isShared: false),
    Case(one: "Caf\u{E9}", other: "cafe\u{301}", isShared: true),
    Case(one: "\u{212A}elvin", other: "Kelvin", platforms: ([.iOS], [.iOS]), isShared: true),
    Case(one: "STRASSE", other: "stra\u{DF}e", isShared: true),
    Case(one: "STRASSE", other: "stra\u{DF}e", platforms: ([.iOS], [.iOS]), isShared: false),
    Case(one: "x", other: "x", languages: ("fr", "de"), isShared: false, needsRequest: true),
    Case(one: "x", other: "x", languages: ("en", "en-US"), isShared: true),
    Case(one: "x", other: "x", languages: ("zh-TW", "zh-Hant"), isShared: true),
    Case(one: "x", other: "x", languages: ("fr", nil), isShared: true),
    Case(one: "X", other: "x", languages: ("fr", nil), isShared: true),
    Case(one: "x", other: "y", isShared: false),
  ]

  @Test(arguments: cases)
  func `three commands agree on the paths that packs share`(shared: Case) throws {
    #expect(try Self.validate(shared) == shared.isShared, "validate")
    #expect(try Self.simulate(shared) == shared.isShared, "simulate")
    // The comparison covers all requests.
    #expect(try Self.diff(shared) == (shared.isShared || shared.needsRequest), "diff")
  }

  private static func validate(_ shared: Case) throws -> Bool {
    let folder = try TemporaryFolder()
    try folder.makeFile("one/" + shared.one, "1")
    try folder.makeFile("other/" + shared.other, "22")
    var packs = [
      try pack("one", shared.platforms.0, shared.languages.0, in: folder),
      try pack("other", shared.platforms.1, shared.languages.1, in: folder),
    ]
    SelectedPack.check(together: &packs)
    return packs.contains { $0.findings.contains { $0.id == "files.shared-path" } }
  }

  private static func pack(
    _ id: String, _ platforms: [Platform], _ language: String?, in folder: borrowing TemporaryFolder
  ) throws -> SelectedPack {
    let names = platforms.map { #""\#($0.rawValue)""# }.joined(separator: ", ")
    let text =
      #"{"assetPackID": "\#(id)", "downloadPolicy": {"onDemand": {}}, "platforms": [\#(names)], "#
      + (language.map { #""language": "\#($0)", "# } ?? "")
      + #""fileSelectors": [{"directory": "."}]}"#
    return try SelectedPack(
      ManifestDocument(parsing: Array(text.utf8), named: id), sourceRoot: folder.path(id),
      .unstoppable)
  }

  private static func simulate(_ shared: Case) throws -> Bool {
    let release = Release(
      "r",
      [
        (shared.one, shared.platforms.0, shared.languages.0),
        (shared.other, shared.platforms.1, shared.languages.1),
      ].enumerated().map { number, pack in
        let contents = PackContents([pack.0: UInt64(number + 1)])
        return ReleasedPack(
          OfferedPack(
            id: PackID("p\(number)"), policy: .onDemand, platforms: pack.1,
            language: pack.2.flatMap { LanguageTag($0) }, size: PackSize(download: 1)),
          version: 1, contents: contents)
      })
    return Platform.allCases.contains { platform in
      var profile = DeviceProfile()
      profile.platform = platform
      return !SharedPaths(of: release, for: profile, in: ReleaseSource([release])).paths.isEmpty
    }
  }

  /// Whether a path becomes ambiguous when the second pack contains its file.
  private static func diff(_ shared: Case) throws -> Bool {
    func inventory(_ files: [String]) -> Inventory {
      let packs = [
        (["only one"] + [shared.one], shared.platforms.0, shared.languages.0),
        (["only other"] + files, shared.platforms.1, shared.languages.1),
      ].enumerated().map { number, model in
        var pack = InventoryPack(
          PackID("p\(number)"), policy: .essential(Set(InstallationEvent.allCases)), place: "p")
        pack.platforms = model.1
        pack.language = model.2.flatMap { LanguageTag($0) }
        var contents = PackContents()
        for path in model.0.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
          contents.append(
            AssetPath(unchecked: path.utf8), size: 1,
            digest: [UInt8](repeating: UInt8(number), count: 32))
        }
        pack.contents = contents
        return pack
      }
      return Inventory("side", packs)
    }
    let comparison = try Comparison(
      from: inventory([]), to: inventory([shared.other]), threads: 1, .unstoppable)
    return comparison.breaks.contains { $0.breakage == .pathAmbiguous }
  }
}
