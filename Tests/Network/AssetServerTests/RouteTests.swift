import AssetServer
import BAPackKit
import Testing

@Suite struct RouteTests {
  private static let packs: Set<PackID> = [
    "cave", "manifest", "a.aar", "a", "assets", "ü b", "\u{301}x",
  ]

  @Test(
    arguments: [
      ("/", .page), ("/manifest", .manifest), ("/assetpacks/cave", .pack("cave")),
      ("/assets/cave", .pack("cave")), ("/cave", .pack("cave")), ("/cave.aar", .pack("cave")),
      ("/assetpacks/manifest", .pack("manifest")), ("/manifest.aar", .pack("manifest")),
      ("/a.aar", .pack("a.aar")), ("/a", .pack("a")), ("/a.aar.aar", .pack("a.aar")),
      ("/assets", .pack("assets")), ("/assets/", .unknown), ("/assetpacks/ü b", .pack("ü b")),
      ("/nothing", .unknown), ("/manifest/", .unknown), ("/.aar", .unknown), ("/CAVE", .unknown),
      ("/assetpacks/cave/", .unknown), ("/assets/\u{301}x", .pack("\u{301}x")),
      ("/\u{301}x.aar", .pack("\u{301}x")),
    ] as [(String, Route)])
  func `every path for a pack resolves to the pack`(path: String, route: Route) {
    #expect(Route(Array(path.utf8), among: Self.packs.contains) == route)
  }

  @Test(
    arguments: [
      ([], .any), ([""], .any), (["iOS"], .known(.iOS)), (["ios"], .known(.iOS)),
      (["iOS Simulator"], .known(.iOS)), (["iossimulator"], .known(.iOS)),
      (["iPadOS"], .known(.iOS)),
      (["tvOS-simulator"], .known(.tvOS)), (["macCatalyst"], .known(.macOS)),
      (["xrOS"], .known(.visionOS)), (["visionOSSimulator"], .known(.visionOS)),
      (["iphonesimulator"], .known(.iOS)), (["iphoneos"], .known(.iOS)),
      (["iPad"], .known(.iOS)), (["macosx"], .known(.macOS)), (["OSX"], .known(.macOS)),
      (["appletvsimulator"], .known(.tvOS)), (["appletvos"], .known(.tvOS)),
      (["xrsimulator"], .known(.visionOS)), (["PLATFORM_IOSSIMULATOR"], .known(.iOS)),
      (["watchsimulator"], .unknown("watchsimulator")), (["driverkit"], .unknown("driverkit")),
      (["watchOS"], .unknown("watchOS")), (["simulator"], .unknown("simulator")),
    ] as [([String], RequestedPlatform)])
  func `platform names ignore case, and variants map to their platform`(
    values: [String], platform: RequestedPlatform
  ) {
    #expect(RequestedPlatform(values) == platform)
  }
}
