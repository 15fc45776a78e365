// swift-tools-version: 6.2
import PackageDescription

// The program for fuzzing, apart from the product. `Fuzz/run` builds it with its sanitizers.
// The fuzz targets are the properties of Tests/Properties.
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
      // libFuzzer comes with a main function of its own, which only lld lets this one replace.
      linkerSettings: [
        .unsafeFlags(["-sanitize=fuzzer", "-Xclang-linker", "-fuse-ld=lld"])
      ]),
  ],
  swiftLanguageModes: [.v6]
)
