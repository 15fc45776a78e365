// swift-tools-version: 6.2
import PackageDescription

// Measurements, apart from the product so that nobody who depends on it builds them.
let package = Package(
  name: "Benchmarks",
  products: [
    .library(name: "LZFSECalls", type: .dynamic, targets: ["LZFSECalls"])
  ],
  dependencies: [.package(name: "ba-package", path: "..")],
  targets: [
    .target(
      name: "LZFSECalls", dependencies: [.product(name: "LZFSE", package: "ba-package")]),
    .executableTarget(
      name: "ManifestBenchmark", dependencies: [.product(name: "BAPackKit", package: "ba-package")]),
    .executableTarget(name: "PackBenchmark"),
    // The codecs' own files under another name: what they offer is seen inside a package only. The
    // library brings the C modules that they import, and LZFSE's logarithm is seen there only, too.
    .target(
      name: "JudgedCodecs",
      dependencies: [
        .product(name: "LZFSE", package: "ba-package"),
        .product(name: "BAPackKit", package: "ba-package"),
      ], path: "Judged",
      swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault")]),
    .executableTarget(
      name: "JudgeBenchmark",
      dependencies: ["JudgedCodecs", .product(name: "LZFSE", package: "ba-package")]),
  ],
  swiftLanguageModes: [.v6]
)
