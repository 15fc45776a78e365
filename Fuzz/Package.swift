// swift-tools-version: 6.2
import PackageDescription

// The program for fuzzing, in a separate package. `Fuzz/run` builds it with its sanitizers. The
// fuzz targets are the properties of Tests/Support/Properties.

/// libFuzzer without its main function (`Fuzz/library` prints the path).
let fuzzer = Context.environment["FUZZER_LIBRARY"].map { ["-Xlinker", $0, "-lstdc++"] } ?? []

let package = Package(
  name: "Fuzz",
  dependencies: [.package(name: "ba-package", path: "..")],
  targets: [
    .systemLibrary(name: "CFuzzer"),
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "CFuzzer",
        .product(name: "_Properties", package: "ba-package"),
      ],
      linkerSettings: [.unsafeFlags(fuzzer)]),
  ],
  swiftLanguageModes: [.v6]
)
