// swift-tools-version: 6.2
import PackageDescription

/// Held by every Swift target; warnings become errors in `make check`, never for a user's build.
let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// A Debian C library behind a module map of ours.
func cLibrary(_ name: String, pkgConfig: String, apt: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// A module with web pages, which are in the folder Web and, by `.ci/embed`, in WebFiles.swift.
func pages(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, exclude: ["Web"], swiftSettings: strict)
}

/// What is tested is optimised in the heavy pass; optimising the tests would take minutes.
let asWritten: SwiftSetting = .unsafeFlags(["-Onone"], .when(configuration: .release))

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"], swiftSettings: strict + [asWritten])
}

let package = Package(
  name: "ba-package",
  products: [
    .executable(name: "ba-package", targets: ["ba-package"]),
    .library(name: "BAPackKit", targets: ["BAPackKit", "SourceDiagnostics"]),
    .library(name: "LZFSE", targets: ["LZFSE"]),
    // For the fuzz targets alone: nothing in them is public.
    .library(
      name: "_Serving",
      targets: ["AppStoreMock", "AssetServer", "DeviceSimulator", "HTTPServer", "TLSIdentity"]),
    .library(name: "_Converting", targets: ["Converting"]),
  ],
  targets: [
    cLibrary("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
    cLibrary("CArchive", pkgConfig: "libarchive", apt: "libarchive-dev"),
    cLibrary("CCrypto", pkgConfig: "libcrypto", apt: "libssl-dev"),
    cLibrary("CTLS", pkgConfig: "libssl", apt: "libssl-dev"),
    cLibrary("CLZMA", pkgConfig: "liblzma", apt: "liblzma-dev"),
    cLibrary("CQREncode", pkgConfig: "libqrencode", apt: "libqrencode-dev"),
    cLibrary("CLZ4", pkgConfig: "liblz4", apt: "liblz4-dev"),

    // Their headers give the types; the libraries are opened when they are needed: nothing is linked.
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CYAML", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "CSystem"),
    pages("TerminalText"),
    module("SystemIO", ["CSystem", "TerminalText"]),
    module("SourceDiagnostics", ["TerminalText"]),
    module("LZFSE"),
    module("BlockCodecs", ["LZFSE", "SystemIO", "CZlib", "CLZMA", "CLZ4", "CCrypto"]),
    module("AssetArchive", ["BlockCodecs", "LZFSE", "SystemIO"]),
    module("ForeignArchives", ["CArchive", "CZlib", "SystemIO"]),
    module(
      "BAPackKit",
      [
        "AssetArchive", "BlockCodecs", "ForeignArchives", "LZFSE", "SourceDiagnostics", "SystemIO",
        "TerminalText",
      ]),
    module("TLSIdentity", ["CCrypto", "SystemIO", "TerminalText"]),
    module("QRCodes", ["CQREncode"]),
    module("HTTPServer", ["CTLS", "SystemIO", "TLSIdentity"]),
    pages(
      "AssetServer",
      [
        "BAPackKit", "BlockCodecs", "HTTPServer", "SourceDiagnostics", "SystemIO", "TLSIdentity",
        "TerminalText",
      ]),
    module("Transfers", ["BlockCodecs", "CCrypto", "CCurl", "SystemIO"]),
    pages(
      "Reporting",
      ["BAPackKit", "BlockCodecs", "SourceDiagnostics", "SystemIO", "TerminalText"]),
    module(
      "BlockSharing", ["AssetArchive", "BAPackKit", "BlockCodecs", "SystemIO", "Transfers"]),
    module(
      "AppStoreConnect",
      ["BAPackKit", "BlockCodecs", "SourceDiagnostics", "SystemIO", "TLSIdentity", "Transfers"]),
    module(
      "AppStoreMock",
      [
        "BAPackKit", "BlockCodecs", "HTTPServer", "SourceDiagnostics", "SystemIO", "TLSIdentity",
      ]),
    module(
      "DeviceSimulator",
      [
        "AssetServer", "BAPackKit", "BlockCodecs", "SourceDiagnostics", "SystemIO", "TerminalText",
        "Transfers",
      ]),
    module("YAMLEvents", ["CYAML", "SystemIO"]),
    module(
      "Converting", ["BAPackKit", "ForeignArchives", "SourceDiagnostics", "SystemIO", "YAMLEvents"]),
    module("Arguments", ["SourceDiagnostics"]),
    module(
      "BAPackCommands",
      [
        "AppStoreConnect", "AppStoreMock", "Arguments", "AssetServer", "BAPackKit", "BlockSharing",
        "Converting", "DeviceSimulator", "HTTPServer", "QRCodes", "Reporting",
        "SourceDiagnostics", "SystemIO", "TLSIdentity", "TerminalText", "Transfers",
      ]),
    .executableTarget(
      name: "ba-package", dependencies: ["BAPackCommands"], swiftSettings: strict),

    tests("TerminalTextTests", ["TerminalText"]),
    tests("SourceDiagnosticsTests", ["SourceDiagnostics"]),
    tests(
      "BAPackKitTests",
      [
        "AssetArchive", "BAPackKit", "BlockCodecs", "SourceDiagnostics", "SystemIO",
      ]),
    .target(
      name: "TestSupport", dependencies: ["BlockCodecs", "SourceDiagnostics", "SystemIO"],
      path: "Tests/TestSupport", swiftSettings: strict),
    tests("TLSIdentityTests", ["TLSIdentity", "SystemIO"]),
    tests("QRCodesTests", ["QRCodes"]),
    tests("HTTPServerTests", ["HTTPServer", "SystemIO", "TLSIdentity"]),
    tests(
      "AppStoreConnectTests",
      [
        "AppStoreConnect", "BAPackKit", "BlockCodecs", "HTTPServer", "SourceDiagnostics",
        "SystemIO", "TLSIdentity", "Transfers",
      ]),
    tests(
      "AppStoreMockTests",
      [
        "AppStoreMock", "BAPackKit", "BlockCodecs", "HTTPServer", "SourceDiagnostics", "SystemIO",
        "TLSIdentity", "Transfers",
      ]),
    tests(
      "TransfersTests",
      [
        "AssetServer", "BAPackKit", "BlockCodecs", "HTTPServer", "SystemIO", "TLSIdentity",
        "Transfers",
      ]),
    tests(
      "BlockSharingTests",
      ["AssetArchive", "BAPackKit", "BlockCodecs", "BlockSharing", "SystemIO", "Transfers"]),
    tests(
      "AssetServerTests", ["AssetServer", "BAPackKit", "HTTPServer", "SystemIO", "TLSIdentity"]),
    tests("ConvertingTests", ["BAPackKit", "Converting", "SourceDiagnostics", "SystemIO"]),
    tests(
      "DeviceSimulatorTests",
      [
        "AssetServer", "BAPackKit", "BlockCodecs", "DeviceSimulator", "HTTPServer",
        "SourceDiagnostics", "SystemIO", "TLSIdentity", "Transfers",
      ]),
    tests(
      "ReportingTests",
      [
        "BAPackKit", "BlockCodecs", "DeviceSimulator", "Reporting", "SourceDiagnostics", "SystemIO",
        "TerminalText",
      ]),
    tests("HouseTests", []),
    tests("ArgumentsTests", ["Arguments"]),
    tests(
      "BAPackCommandsTests",
      [
        "AppStoreConnect", "AppStoreMock", "Arguments", "AssetArchive", "BAPackCommands",
        "BAPackKit", "BlockCodecs", "BlockSharing", "Converting", "HTTPServer", "Reporting",
        "SourceDiagnostics", "SystemIO", "TLSIdentity", "Transfers",
      ]),
    tests("SystemIOTests", ["SystemIO"]),
    tests("ForeignArchivesTests", ["ForeignArchives", "SystemIO"]),
    tests("LZFSETests", ["LZFSE"]),
    tests("ConformanceTests", ["BAPackKit", "SystemIO"]),
    tests("BlockCodecsTests", ["BlockCodecs", "LZFSE", "SystemIO"]),
    tests("AssetArchiveTests", ["AssetArchive", "BlockCodecs", "LZFSE", "SystemIO"]),
  ],
  swiftLanguageModes: [.v6]
)

// A sanitizer gets the tests of what it can show something about, and what these need: threads, or memory
// that is not the compiler's. A build of everything would take minutes longer and show nothing more.
let sanitized: [String: (Target) -> Bool] = [
  "thread": {
    [
      "AppStoreMockTests", "AssetArchiveTests", "AssetServerTests", "BAPackKitTests",
      "HTTPServerTests", "SystemIOTests", "TransfersTests",
    ].contains($0.name)
  },
  "address": {
    $0.name == "ba-package"
      || $0.type == .test
        && ![
          "AppStoreConnectTests", "AppStoreMockTests", "ArgumentsTests", "ConvertingTests",
          "DeviceSimulatorTests", "HouseTests", "ReportingTests", "TerminalTextTests",
        ].contains($0.name)
  },
]
if let isWanted = Context.environment["SANITIZED_TESTS"].flatMap({ sanitized[$0] }) {
  var names = package.targets.filter(isWanted).map(\.name)
  var needed = Set(names)
  while let name = names.popLast() {
    for dependency in package.targets.first(where: { $0.name == name })?.dependencies ?? [] {
      guard case .byNameItem(let other, _) = dependency, needed.insert(other).inserted else {
        continue
      }
      names.append(other)
    }
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products.removeAll { $0.name != "ba-package" || !needed.contains($0.name) }
}
