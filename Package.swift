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

/// The current build of `.ci/check`: `optimised`, `address` or `thread`; nil for other builds.
let checkBuild = Context.environment["CHECK_BUILD"]
/// Disables optimization in release builds, because optimizing the tests takes minutes.
let unoptimised: SwiftSetting = .unsafeFlags(["-Onone"], .when(configuration: .release))

/// A fact of the build that `make build` passes; empty in other builds.
func fact(_ name: String) -> CSetting {
  let value = Context.environment[name, default: ""].filter { $0 != "\"" && $0 != "\\" }
  return .define(name, to: "\"\(value)\"")
}

/// The targets in a folder, each in the folder of its name.
func floor(_ folder: String, _ targets: [Target]) -> [Target] {
  for target in targets { target.path = "\(folder)/\(target.name)" }
  return targets
}

/// A C library of Debian with a module map in this package.
func cLibrary(_ name: String, pkgConfig: String, apt: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// A C library that is opened when it is needed; its functions are defined in this package.
func openedLibrary(_ name: String) -> Target { .target(name: name, publicHeadersPath: ".") }

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
  module(name, dependencies, settings: checkBuild == nil ? [] : settings)
}

/// Tests of a module; they may import its direct and indirect dependencies.
@MainActor
func tests(of module: String, _ others: [String] = [], exclude: [String] = []) -> Target {
  let imported = reached(from: [module, "TestSupport"] + others, in: modules + testSupport)
  return .testTarget(
    name: module + "Tests", dependencies: imported.sorted().map { .byName(name: $0) },
    exclude: exclude, swiftSettings: strict + [unoptimised])
}

/// Returns the targets with these names, and their direct and indirect dependencies.
func reached(from names: [String], in targets: [Target]) -> Set<String> {
  var names = names.filter { name in targets.contains { $0.name == name } }
  var found = Set(names)
  while let name = names.popLast() {
    for dependency in targets.first(where: { $0.name == name })?.dependencies ?? [] {
      guard case .byNameItem(let other, _) = dependency, found.insert(other).inserted else {
        continue
      }
      names.append(other)
    }
  }
  return found
}

// The floors of the house, the lowest one first. A module imports only modules of its floor and of
// lower floors.

let cLibraries = floor(
  "Sources/System",
  [
    cLibrary("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
    cLibrary("CLZMA", pkgConfig: "liblzma", apt: "liblzma-dev"),
    cLibrary("CLZ4", pkgConfig: "liblz4", apt: "liblz4-dev"),
    // Their headers declare the types. The libraries are loaded when they are needed, and not
    // linked.
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    openedLibrary("CArchive"),
    openedLibrary("CCrypto"),
    openedLibrary("CQREncode"),
    openedLibrary("CTLS"),
    .systemLibrary(name: "CSystem"),
    .target(
      name: "CBuild", publicHeadersPath: ".",
      cSettings: [fact("BUILD_COMMIT"), fact("BUILD_TOOLCHAIN"), fact("BUILD_REPOSITORY")]),
  ])

let base = floor(
  "Sources/Base",
  [
    .target(name: "TerminalText", exclude: ["Web"], swiftSettings: strict),
    // The assertions of its locks are enabled for all tests.
    module(
      "SystemIO", ["CBuild", "CSystem", "TerminalText"],
      settings: checkBuild == "optimised"
        ? [.unsafeFlags(["-assert-config", "Debug"]), .define("DEBUG")] : []),
    module("SourceDiagnostics", ["TerminalText"]),
    module("SourceLanguages", ["TerminalText"]),
    module("CryptoCalls", ["CCrypto", "SystemIO"]),
    upperModule("Arguments", ["SourceDiagnostics"]),
  ])

let formats = floor(
  "Sources/Formats",
  [
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
    module(
      "BlockCodecs", ["CCrypto", "CLZ4", "CLZMA", "CryptoCalls", "CZlib", "LZFSE", "SystemIO"]),
    module("AssetArchive", ["BlockCodecs", "LZFSE", "SystemIO", "TerminalText"]),
    module("ForeignArchives", ["CArchive", "CZlib", "SystemIO", "TerminalText"]),
    module("QRCodes", ["CQREncode", "SystemIO"]),
  ])

let kit = floor(
  "Sources/Kit",
  [
    module(
      "BAPackKit",
      [
        "AssetArchive", "BlockCodecs", "ForeignArchives", "LZFSE", "SourceDiagnostics", "SystemIO",
        "TerminalText",
      ])
  ])

let network = floor(
  "Sources/Network",
  [
    module("TLSIdentity", ["CCrypto", "CryptoCalls", "SystemIO", "TerminalText"]),
    module("Faults", ["BAPackKit", "SourceDiagnostics", "SystemIO"]),
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
  ])

let appStore = floor(
  "Sources/AppStore",
  [
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
  ])

let features = floor(
  "Sources/Features",
  [
    upperModule("AssetHistory", ["BAPackKit", "SystemIO", "TerminalText"]),
    upperModule(
      "Reporting",
      [
        "AssetHistory", "BAPackKit", "BlockCodecs", "SourceDiagnostics", "SystemIO", "TerminalText",
      ],
      hasPages: true),
    upperModule(
      "Planning",
      ["AssetHistory", "BAPackKit", "Proposing", "Reporting", "SourceDiagnostics", "SystemIO"]),
    upperModule(
      "BlockSharing",
      ["AssetArchive", "BAPackKit", "BlockCodecs", "SystemIO", "TerminalText", "Transfers"]),
    upperModule(
      "DeviceSimulator",
      [
        "BAPackKit", "BlockCodecs", "Faults", "SourceDiagnostics", "SystemIO", "TerminalText",
        "Transfers",
      ]),
    // The folder Runtime contains code for apps; `.ci/embed` generates RuntimeFiles.swift from it.
    .target(
      name: "AppSide",
      dependencies: [
        "BAPackKit", "BlockCodecs", "CryptoCalls", "ForeignArchives", "Proposing",
        "SourceDiagnostics", "SourceLanguages", "SystemIO", "TerminalText",
      ],
      exclude: ["Runtime"], swiftSettings: strict),
    module(
      "Converting",
      [
        "AppSide", "BAPackKit", "ForeignArchives", "SourceDiagnostics", "SourceLanguages",
        "SystemIO", "TerminalText",
      ]),
    upperModule(
      "Proposing",
      [
        "AssetArchive", "AssetHistory", "BAPackKit", "BlockCodecs", "SourceDiagnostics", "SystemIO",
        "TerminalText",
      ]),
  ])

let commands = floor(
  "Sources/Commands",
  [
    upperModule(
      "BAPackCommands",
      [
        "AppSide", "AppStoreConnect", "AppStoreMock", "Arguments", "AssetHistory", "AssetServer",
        "BAPackKit", "BlockSharing", "Converting", "DeviceSimulator", "Faults", "HTTPServer",
        "Planning", "Proposing", "QRCodes", "Reporting", "SourceDiagnostics", "SystemIO",
        "TLSIdentity", "TerminalText", "Transfers",
      ]),
    .executableTarget(
      name: "ba-package", dependencies: ["BAPackCommands"], swiftSettings: strict),
  ])

let modules =
  cLibraries + base + formats + kit + network + appStore + features + commands

let testSupport = floor(
  "Tests/Support",
  [
    // Generates large inputs, and reads archives for comparison.
    testModule("TestSupport", ["BlockCodecs", "SourceDiagnostics", "SystemIO"], settings: []),
    // Properties of arbitrary inputs. Those of the library are a separate target, so that its tests
    // have fewer dependencies.
    testModule("KitProperties", ["BAPackKit", "LZFSE", "SourceDiagnostics", "SystemIO"]),
    testModule(
      "Properties",
      [
        "AppSide", "AppStoreMock", "AssetServer", "BAPackKit", "Converting", "DeviceSimulator",
        "Faults", "HTTPServer", "KitProperties", "SourceDiagnostics", "SystemIO", "TLSIdentity",
      ]),
  ])

let testsOfBase = floor(
  "Tests/Base",
  [
    tests(of: "TerminalText"),
    tests(of: "SourceDiagnostics"),
    tests(of: "Arguments"),
    tests(of: "SystemIO"),
  ])

let testsOfFormats = floor(
  "Tests/Formats",
  [
    tests(of: "QRCodes"),
    tests(of: "ForeignArchives"),
    tests(of: "LZFSE"),
    tests(of: "BlockCodecs"),
    tests(of: "AssetArchive"),
  ])

let testsOfKit = floor(
  "Tests/Kit",
  [
    tests(
      of: "BAPackKit", ["KitProperties"],
      // Tests of code without threads are omitted.
      exclude: checkBuild == "thread"
        ? [
          "Budgets", "Comparing/SelectorReachTests.swift", "Downloading", "Languages", "Manifests",
          "Projects", "Publishing", "Selecting/ExclusionSetTests.swift",
          "Selecting/PatternTests.swift", "Updating",
        ] : [])
  ])

let testsOfNetwork = floor(
  "Tests/Network",
  [
    tests(of: "TLSIdentity"),
    tests(of: "HTTPServer"),
    tests(of: "Transfers", ["AssetServer", "Faults", "HTTPServer", "TLSIdentity"]),
    tests(of: "AssetServer"),
    tests(of: "Faults"),
  ])

let testsOfAppStore = floor(
  "Tests/AppStore",
  [
    tests(of: "AppStoreConnect", ["AppStoreMock", "Faults", "HTTPServer"]),
    tests(of: "AppStoreMock", ["Transfers"]),
  ])

let testsOfFeatures = floor(
  "Tests/Features",
  [
    tests(of: "AppSide", exclude: ["Mocks"]),
    tests(of: "AssetHistory"),
    tests(of: "BlockSharing"),
    tests(of: "Converting", ["Properties"]),
    tests(of: "DeviceSimulator", ["AssetServer", "HTTPServer", "Properties", "TLSIdentity"]),
    tests(of: "Planning"),
    tests(of: "Reporting", ["DeviceSimulator"]),
    tests(of: "Proposing", ["DeviceSimulator"]),
  ])

let testsOfCommands = floor("Tests/Commands", [tests(of: "BAPackCommands")])

let testsOfAllModules = floor(
  "Tests/AllModules",
  [
    tests(of: "House", exclude: ["PlainWords.txt"]),
    tests(of: "Conformance", ["BAPackKit", "SystemIO"]),
    tests(of: "Properties"),
  ])

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
  targets: modules + testSupport + testsOfBase + testsOfFormats + testsOfKit + testsOfNetwork
    + testsOfAppStore + testsOfFeatures + testsOfCommands + testsOfAllModules,
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
if let names = checkBuild.flatMap({ sanitized[$0] }) {
  let needed = reached(from: Array(names), in: package.targets)
  package.targets.removeAll { !needed.contains($0.name) }
  package.products.removeAll { product in
    product.name == "ba-package"
      || !package.targets.contains { "_" + $0.name == product.name || $0.name == product.name }
  }
}
