// swift-tools-version: 6.2
import PackageDescription

// Benchmarks, in a separate package that users of the product do not build.
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
      name: "ManifestBenchmark",
      dependencies: [.product(name: "BAPackKit", package: "ba-package")]),
    .executableTarget(name: "PackBenchmark"),
    .executableTarget(
      name: "JudgeBenchmark",
      dependencies: [
        .product(name: "LZFSE", package: "ba-package"),
        .product(name: "_BlockCodecs", package: "ba-package"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
