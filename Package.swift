// swift-tools-version: 6.2
import PackageDescription

/// The settings of all Swift targets.
///
/// `make check` treats warnings as errors.
let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// A C library of Debian with a module map in this package.
func cLibrary(_ name: String, pkgConfig: String, apt: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// A C library that is opened when it is needed; its functions are defined in this package.
func openedLibrary(_ name: String) -> Target { .target(name: name, publicHeadersPath: ".") }

/// The current build of `.ci/check`: `optimised`, `address` or `thread`; nil for other builds.
let checkBuild = Context.environment["CHECK_BUILD"]

/// A fact of the build that `make build` passes; empty in other builds.
func fact(_ name: String) -> CSetting {
  let value = Context.environment[name, default: ""].filter { $0 != "\"" && $0 != "\\" }
  return .define(name, to: "\"\(value)\"")
}

/// Disables optimization in release builds, because optimizing the tests takes minutes.
let unoptimised: SwiftSetting = .unsafeFlags(["-Onone"], .when(configuration: .release))

func module(
  _ name: String, _ dependencies: [Target.Dependency] = [], settings: [SwiftSetting] = []
) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict + settings)
}

/// A module without loops over many bytes.
///
/// The build of the heavy tests does not optimize it; tests that measure it run the optimized
/// program. The web pages are in the folder Web; `.ci/embed` generates WebFiles.swift from them.
func upperModule(
  _ name: String, _ dependencies: [Target.Dependency], hasPages: Bool = false
) -> Target {
  .target(
    name: name, dependencies: dependencies, exclude: hasPages ? ["Web"] : [],
    swiftSettings: strict + (checkBuild == "optimised" ? [unoptimised] : []))
}

/// Code that several test targets share.
func testModule(
  _ name: String, _ dependencies: [Target.Dependency], settings: [SwiftSetting] = [unoptimised]
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Tests/\(name)",
    swiftSettings: strict + (checkBuild == nil ? [] : settings))
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"], exclude: exclude,
    swiftSettings: strict + [unoptimised])
}

let package = Package(
  name: "ba-package",
  products: [
    .executable(name: "ba-package", targets: ["ba-package"]),
    .library(name: "BAPackKit", targets: ["BAPackKit", "SourceDiagnostics"]),
    .library(name: "LZFSE", targets: ["LZFSE"]),
    // Only for the packages Fuzz and Benchmarks.
    .library(name: "_Properties", targets: ["Properties"]),
    .library(name: "_BlockCodecs", targets: ["BlockCodecs"]),
  ],
  targets: [
    cLibrary("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
    cLibrary("CLZMA", pkgConfig: "liblzma", apt: "liblzma-dev"),
    cLibrary("CLZ4", pkgConfig: "liblz4", apt: "liblz4-dev"),

    // Their headers declare the types. The libraries are loaded when they are needed, and not
    // linked.
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CYAML", providers: [.apt(["libyaml-dev"])]),
    openedLibrary("CArchive"),
    openedLibrary("CCrypto"),
    openedLibrary("CQREncode"),
    openedLibrary("CTLS"),
    .systemLibrary(name: "CSystem"),
    .target(
      name: "CBuild", publicHeadersPath: ".",
      cSettings: [fact("BUILD_COMMIT"), fact("BUILD_TOOLCHAIN"), fact("BUILD_REPOSITORY")]),
    .target(name: "TerminalText", exclude: ["Web"], swiftSettings: strict),
    // The assertions of its locks are enabled for all tests.
    module(
      "SystemIO", ["CBuild", "CSystem", "TerminalText"],
      settings: checkBuild == "optimised"
        ? [.unsafeFlags(["-assert-config", "Debug"]), .define("DEBUG")] : []),
    module("SourceDiagnostics", ["TerminalText"]),
    // With sanitizers its loops would take most of the time of the tests, so it is optimized. Its
    // assertions are enabled nevertheless.
    module(
      "LZFSE",
      settings: ["address", "thread"].contains(checkBuild)
        ? [
          .unsafeFlags([
            "-O", "-whole-module-optimization", "-num-threads", "2", "-assert-config", "Debug",
          ])
        ] : []),
    module("CryptoCalls", ["CCrypto", "SystemIO"]),
    module(
      "BlockCodecs", ["CCrypto", "CLZ4", "CLZMA", "CryptoCalls", "CZlib", "LZFSE", "SystemIO"]),
    module("AssetArchive", ["BlockCodecs", "LZFSE", "SystemIO", "TerminalText"]),
    module("ForeignArchives", ["CArchive", "CZlib", "SystemIO", "TerminalText"]),
    module(
      "BAPackKit",
      [
        "AssetArchive", "BlockCodecs", "ForeignArchives", "LZFSE", "SourceDiagnostics", "SystemIO",
        "TerminalText",
      ]),
    module("TLSIdentity", ["CCrypto", "CryptoCalls", "SystemIO", "TerminalText"]),
    module("Faults", ["BAPackKit", "SourceDiagnostics", "SystemIO"]),
    module("QRCodes", ["CQREncode", "SystemIO"]),
    module("HTTPServer", ["CTLS", "CryptoCalls", "SystemIO", "TLSIdentity", "TerminalText"]),
    upperModule(
      "AssetServer",
      [
        "BAPackKit", "BlockCodecs", "Faults", "HTTPServer", "SourceDiagnostics", "SystemIO",
        "TLSIdentity", "TerminalText",
      ], hasPages: true),
    module(
      "Transfers",
      [
        "BAPackKit", "BlockCodecs", "CCrypto", "CCurl", "CryptoCalls", "SourceDiagnostics",
        "SystemIO", "TerminalText",
      ]),
    upperModule(
      "Reporting",
      ["BAPackKit", "BlockCodecs", "SourceDiagnostics", "SystemIO", "TerminalText"],
      hasPages: true),
    upperModule(
      "BlockSharing",
      ["AssetArchive", "BAPackKit", "BlockCodecs", "SystemIO", "TerminalText", "Transfers"]),
    upperModule(
      "AppStoreConnect",
      [
        "BAPackKit", "BlockCodecs", "SourceDiagnostics", "SystemIO", "TLSIdentity", "TerminalText",
        "Transfers",
      ]),
    upperModule(
      "AppStoreMock",
      [
        "BAPackKit", "BlockCodecs", "Faults", "HTTPServer", "SourceDiagnostics", "SystemIO",
        "TLSIdentity", "TerminalText",
      ]),
    upperModule(
      "DeviceSimulator",
      [
        "BAPackKit", "BlockCodecs", "Faults", "SourceDiagnostics", "SystemIO", "TerminalText",
        "Transfers",
      ]),
    module("YAMLEvents", ["CYAML", "SystemIO"]),
    module(
      "Converting",
      [
        "BAPackKit", "ForeignArchives", "SourceDiagnostics", "SystemIO", "TerminalText",
        "YAMLEvents",
      ]),
    upperModule(
      "Proposing",
      [
        "AssetArchive", "BAPackKit", "BlockCodecs", "SourceDiagnostics", "SystemIO", "TerminalText",
      ]),
    upperModule("Arguments", ["SourceDiagnostics"]),
    upperModule(
      "BAPackCommands",
      [
        "AppStoreConnect", "AppStoreMock", "Arguments", "AssetServer", "BAPackKit", "BlockSharing",
        "Converting", "DeviceSimulator", "Faults", "HTTPServer", "Proposing", "QRCodes",
        "Reporting", "SourceDiagnostics", "SystemIO", "TLSIdentity", "TerminalText", "Transfers",
      ]),
    .executableTarget(
      name: "ba-package", dependencies: ["BAPackCommands"], swiftSettings: strict),

    tests("TerminalTextTests", ["TerminalText"]),
    tests("SourceDiagnosticsTests", ["SourceDiagnostics"]),
    tests(
      "BAPackKitTests",
      [
        "AssetArchive", "BAPackKit", "BlockCodecs", "KitProperties", "SourceDiagnostics",
        "SystemIO", "TerminalText",
      ],
      // Tests of code without threads are omitted.
      exclude: checkBuild == "thread"
        ? [
          "Budgets", "Comparing/SelectorReachTests.swift", "Downloading", "Languages", "Manifests",
          "Projects", "Publishing", "Selecting/ExclusionSetTests.swift",
          "Selecting/PatternTests.swift", "Updating",
        ] : []),
    // Generates large inputs, and reads archives for comparison.
    testModule("TestSupport", ["BlockCodecs", "SourceDiagnostics", "SystemIO"], settings: []),
    // Properties of arbitrary inputs. Those of the library are a separate target, so that its tests
    // have fewer dependencies.
    testModule("KitProperties", ["BAPackKit", "LZFSE", "SourceDiagnostics", "SystemIO"]),
    testModule(
      "Properties",
      [
        "AppStoreMock", "AssetServer", "BAPackKit", "Converting", "DeviceSimulator", "Faults",
        "HTTPServer", "KitProperties", "SourceDiagnostics", "SystemIO", "TLSIdentity",
      ]),
    tests(
      "PropertiesTests",
      ["AppStoreMock", "Properties", "SystemIO", "TLSIdentity"]),
    tests("TLSIdentityTests", ["TLSIdentity", "SystemIO"]),
    tests("QRCodesTests", ["QRCodes", "SystemIO"]),
    tests("HTTPServerTests", ["HTTPServer", "SystemIO", "TLSIdentity"]),
    tests(
      "AppStoreConnectTests",
      [
        "AppStoreConnect", "AppStoreMock", "BAPackKit", "BlockCodecs", "Faults", "HTTPServer",
        "SourceDiagnostics", "SystemIO", "TLSIdentity", "TerminalText", "Transfers",
      ]),
    tests(
      "AppStoreMockTests",
      [
        "AppStoreMock", "BAPackKit", "BlockCodecs", "Faults", "HTTPServer", "SourceDiagnostics",
        "SystemIO", "TLSIdentity", "TerminalText", "Transfers",
      ]),
    tests(
      "TransfersTests",
      [
        "AssetServer", "BAPackKit", "BlockCodecs", "Faults", "HTTPServer", "SystemIO",
        "TLSIdentity", "TerminalText", "Transfers",
      ]),
    tests(
      "BlockSharingTests",
      ["AssetArchive", "BAPackKit", "BlockCodecs", "BlockSharing", "SystemIO", "Transfers"]),
    tests(
      "AssetServerTests",
      ["AssetServer", "BAPackKit", "Faults", "HTTPServer", "SystemIO", "TLSIdentity"]),
    tests("FaultsTests", ["Faults", "SystemIO"]),
    tests(
      "ConvertingTests",
      ["BAPackKit", "Converting", "Properties", "SourceDiagnostics", "SystemIO"]),
    tests(
      "DeviceSimulatorTests",
      [
        "AssetServer", "BAPackKit", "BlockCodecs", "DeviceSimulator", "Faults", "HTTPServer",
        "Properties", "SourceDiagnostics", "SystemIO", "TLSIdentity", "Transfers",
      ]),
    tests(
      "ReportingTests",
      [
        "BAPackKit", "BlockCodecs", "DeviceSimulator", "Reporting", "SourceDiagnostics", "SystemIO",
        "TerminalText",
      ]),
    tests(
      "ProposingTests",
      [
        "BAPackKit", "DeviceSimulator", "Proposing", "SourceDiagnostics", "SystemIO",
        "TerminalText",
      ]),
    tests("HouseTests", [], exclude: ["PlainWords.txt"]),
    tests("ArgumentsTests", ["Arguments"]),
    tests(
      "BAPackCommandsTests",
      [
        "AppStoreConnect", "AppStoreMock", "Arguments", "AssetArchive", "AssetServer",
        "BAPackCommands", "BAPackKit", "BlockCodecs", "BlockSharing", "Converting", "Faults",
        "HTTPServer", "Proposing", "Reporting", "SourceDiagnostics", "SystemIO", "TLSIdentity",
        "TerminalText", "Transfers",
      ]),
    tests("SystemIOTests", ["SystemIO"]),
    tests("ForeignArchivesTests", ["ForeignArchives", "SystemIO"]),
    tests("LZFSETests", ["LZFSE"]),
    tests("ConformanceTests", ["BAPackKit", "SystemIO"]),
    tests("BlockCodecsTests", ["BlockCodecs", "LZFSE", "SystemIO", "TerminalText"]),
    tests("AssetArchiveTests", ["AssetArchive", "BlockCodecs", "LZFSE", "SystemIO"]),
  ],
  swiftLanguageModes: [.v6]
)

// A sanitizer runs the tests of the modules with threads, or with memory accesses that the compiler
// does not check, and their dependencies.
let sanitized: [String: Set<String>] = [
  "thread": [
    "AppStoreMockTests", "AssetArchiveTests", "AssetServerTests", "BAPackKitTests",
    "HTTPServerTests", "SystemIOTests", "TransfersTests",
  ],
  "address": [
    "AssetArchiveTests", "BlockCodecsTests", "ForeignArchivesTests", "HTTPServerTests",
    "LZFSETests", "Properties", "PropertiesTests", "QRCodesTests", "SystemIOTests",
    "TLSIdentityTests", "TransfersTests",
  ],
]
if let wanted = checkBuild.flatMap({ sanitized[$0] }) {
  var names = Array(wanted)
  var needed = wanted
  while let name = names.popLast() {
    for dependency in package.targets.first(where: { $0.name == name })?.dependencies ?? [] {
      guard case .byNameItem(let other, _) = dependency, needed.insert(other).inserted else {
        continue
      }
      names.append(other)
    }
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products.removeAll { product in
    product.name == "ba-package"
      || !package.targets.contains { "_" + $0.name == product.name || $0.name == product.name }
  }
}
