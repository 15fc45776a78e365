// swift-tools-version: 6.2
import PackageDescription

// Programs that use the library as a client does: in another package, so that only public symbols
// are accessible. `run` builds them and compares their results with those of `ba-package`.
let package = Package(
  name: "Client",
  dependencies: [
    .package(name: "ba-package", path: "../.."),
    .package(path: "SystemPackage"),
  ],
  targets: [
    // The program of docs/guides/library.md.
    .executableTarget(
      name: "pack-levels",
      dependencies: [.product(name: "BAPackKit", package: "ba-package")]),
    // The commands `validate`, `pack`, `info`, `list`, `extract` and `verify`.
    .executableTarget(
      name: "client",
      dependencies: [.product(name: "BAPackKit", package: "ba-package")]),
    // A file that imports both types named `FilePath`.
    .executableTarget(
      name: "both-paths",
      dependencies: [
        .product(name: "BAPackKit", package: "ba-package"),
        .product(name: "SystemPackage", package: "SystemPackage"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
