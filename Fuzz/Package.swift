// swift-tools-version: 6.2
import PackageDescription

// Fuzz targets, apart from the product. `Fuzz/run` builds this with the sanitizers that it needs.
// Another target is another file in Sources/fuzz and a line in FuzzTarget.all.
let package = Package(
  name: "Fuzz",
  dependencies: [.package(name: "ba-package", path: "..")],
  targets: [
    .systemLibrary(name: "CFuzzer"),
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "CFuzzer",
        .product(name: "BAPackKit", package: "ba-package"),
        .product(name: "_Converting", package: "ba-package"),
        .product(name: "LZFSE", package: "ba-package"),
        .product(name: "_Serving", package: "ba-package"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
