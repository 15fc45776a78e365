// swift-tools-version: 6.2
import PackageDescription

// A package with the names of swift-system that collide with names of the library.
let package = Package(
  name: "SystemPackage",
  products: [.library(name: "SystemPackage", targets: ["SystemPackage"])],
  targets: [.target(name: "SystemPackage")],
  swiftLanguageModes: [.v6]
)
