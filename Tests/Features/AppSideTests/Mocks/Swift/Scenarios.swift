// Uses the generated code in an app of the mock: PROGRAM SCENARIO. The folder of the program is
// the app. Prints what differs from the expectation, and ends with status 1.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import BackgroundAssets
import Foundation
import System

struct Difference: Error, CustomStringConvertible { let description: String }

func expect(_ isTrue: @autoclosure () throws -> Bool, _ line: Int = #line) throws {
  if try !isTrue() { throw Difference(description: "Scenarios.swift:\(line): not as expected") }
}

func expect(_ line: Int = #line, _ isTrue: () async throws -> Bool) async throws {
  if try await !isTrue() {
    throw Difference(description: "Scenarios.swift:\(line): not as expected")
  }
}

/// Expects an error of the generated code.
func expect(
  _ problem: AssetPacks.Problem, _ line: Int = #line, _ body: () async throws -> Void
) async throws {
  do {
    try await body()
  } catch let error as AssetPacks.Problem where error == problem {
    return
  }
  throw Difference(description: "Scenarios.swift:\(line): '\(problem)' was not thrown")
}

final class Parts: @unchecked Sendable {
  private let lock = NSLock()
  private var parts: [Double] = []
  func add(_ part: Double) { lock.withLock { parts.append(part) } }
  var all: [Double] { lock.withLock { parts } }
}

let offers = [
  "levels": Mock.Offer(files: [
    "Levels/cave.json": "cave", "Models/eyes.mlmodelc/weights": "12345678",
  ]),
  "voices-en": Mock.Offer(language: "en", files: ["Voices/hello.txt": "Hello"]),
  "voices-fr": Mock.Offer(language: "fr", files: ["Voices/hello.txt": "Bonjour"]),
]

let cave = AssetPaths.Levels.caveJson
let hello = AssetPaths.Voices.helloTxt

func calls() -> [String] {
  Mock.with { state in
    defer { state.calls = [] }
    return state.calls
  }
}

func prepare(system: Double) {
  Mock.with { state in
    state.system = system
    state.offers = offers
  }
}

/// The constants themselves.
func constants() throws {
  try expect(cave.path == "Levels/cave.json")
  try expect(cave.packs == [.levels])
  try expect(hello.packs == [.voicesEn, .voicesFr])
  try expect(hello.languages == ["en", "fr"])
  try expect(hello.pack(for: "en-US") == .voicesEn)
  try expect(hello.pack(for: "de") == nil)
  try expect(AssetPaths.Levels.folder.file("x").path == "Levels/x")
  try expect(AssetPacks.Pack.all.map(\.id) == ["levels", "voices-en", "voices-fr"])
}

/// Downloads, reads and removes packs on one version of the system.
func downloads(system: Double) async throws {
  prepare(system: system)
  try constants()
  try AssetPacks.check()
  try await expect { try await !AssetPacks.isOnDevice(.levels) }
  try await expect { try await AssetPacks.downloadSize(of: [.levels, .voicesEn]) == 17 }
  _ = calls()
  let parts = Parts()
  try await AssetPacks.ensure(.levels) { parts.add($0) }
  try expect(parts.all.last == 1 && parts.all.allSatisfy { 0...1 ~= $0 })
  let used = calls()
  let ensure =
    system >= 26.4
    ? "ensureLocalAvailability(of:requireLatestVersion:)" : "ensureLocalAvailability(of:)"
  try expect(used.contains(ensure))
  try expect(used.contains(system >= 27 ? "manifest" : "assetPack(withID:)"))
  let asked =
    system >= 26.4 ? "assetPackIsAvailableLocally(withID:)" : "status(ofAssetPackWithID:)"
  try expect(used.contains(asked))
  // A second time, and without a network.
  Mock.with { $0.hasNetwork = false }
  try await AssetPacks.ensure(.levels)
  try expect(calls() == [asked])
  try await expect { try await AssetPacks.downloadSize(of: [.levels]) == 0 }
  Mock.with { $0.hasNetwork = true }
  try await files(system: system)
  try await languages(system: system)
  try await updates(system: system)
}

func files(system: Double) async throws {
  try expect(AssetPacks.contents(of: cave) == Data("cave".utf8))
  try expect(AssetPacks.contents(of: cave, in: .levels) == Data("cave".utf8))
  try expect(AssetPacks.contents(of: .init(path: "Levels/cave.json")) == Data("cave".utf8))
  let descriptor = try AssetPacks.descriptor(of: cave)
  try expect(descriptor.contents == Data("cave".utf8))
  try descriptor.close()
  let url = try AssetPacks.url(of: cave)
  try expect(Data(contentsOf: url) == Data("cave".utf8))
  _ = try AssetPacks.url(of: AssetPaths.Levels.folder)
  // The first call can fail just after a change.
  Mock.with { $0.busyCalls = 1 }
  try expect(AssetPacks.url(of: cave) == url)
  // The system returns a URL for a missing file, too.
  try await expect(.noFile("Levels/none")) {
    _ = try AssetPacks.url(of: AssetPaths.Levels.folder.file("none"))
  }
  do {
    _ = try AssetPacks.contents(of: hello)
    throw Difference(description: "a file of a missing pack was read")
  } catch is ManagedBackgroundAssetsError {}
}

func languages(system: Double) async throws {
  // Two packs: one call on systems that have it.
  _ = calls()
  try await AssetPacks.ensure(.voicesEn, .voicesFr)
  let used = calls()
  try expect(
    used.contains("ensureLocalAvailability(of:requireLatestVersions:)") == (system >= 27))
  try expect(AssetPacks.contents(of: hello, language: "fr") == Data("Bonjour".utf8))
  try expect(AssetPacks.contents(of: hello, language: "en-US") == Data("Hello".utf8))
  let descriptor = try AssetPacks.descriptor(of: hello, language: "fr")
  try expect(descriptor.contents == Data("Bonjour".utf8))
  try descriptor.close()
  try expect(calls().contains("contents(at:asLocalizedFor:options:)") == (system >= 27))
  if system >= 27 {
    let url = try AssetPacks.url(of: hello, language: "fr")
    try expect(Data(contentsOf: url) == Data("Bonjour".utf8))
    #if !ASSET_PACKS_SDK_26
      try await AssetPacks.use(language: "en")
      try await expect { try await AssetPacks.isOnDevice(.voicesFr) == false }
      try expect(AssetPacks.contents(of: hello) == Data("Hello".utf8))
    #endif
  } else {
    try await expect(.noFile("Voices/hello.txt")) {
      _ = try AssetPacks.contents(of: hello, language: "de")
    }
    try await expect(.requires("iOS 27, macOS 27, tvOS 27 or visionOS 27")) {
      _ = try AssetPacks.url(of: hello, language: "fr")
    }
  }
}

func updates(system: Double) async throws {
  Mock.with { state in
    state.offers["levels"]?.version = 2
    state.offers["voices-en"] = nil
  }
  let found = try await AssetPacks.checkForUpdates()
  try expect(found.updating == ["levels"] && found.removed.contains("voices-en"))
  try await AssetPacks.ensure(.levels, requireLatest: true)
  #if ASSET_PACKS_SDK_27_2
    if system >= 27.2 {
      try expect(AssetPacks.localVersion(of: .levels) == 2)
      try await expect { try await AssetPacks.localSize(of: .levels) > 0 }
    } else {
      try await expect(.requires("iOS 27.2")) { _ = try AssetPacks.localVersion(of: .levels) }
      try await expect(.requires("iOS 27.2")) { _ = try await AssetPacks.localSize(of: .levels) }
    }
  #endif
  try await AssetPacks.remove(.levels)
  try await expect { try await !AssetPacks.isOnDevice(.levels) }
}

/// Downloads that fail or are cancelled.
func failures() async throws {
  prepare(system: 27.2)
  Mock.with { $0.failing = ["levels"] }
  do {
    try await AssetPacks.ensure(.levels)
    throw Difference(description: "a failed download was not an error")
  } catch is URLError {}
  do {
    try await AssetPacks.ensure(.levels, .voicesEn)
    throw Difference(description: "a failed download was not an error")
  } catch let error as AssetPackManager.LocalAvailabilityError {
    try expect(error.successes.map(\.id) == ["voices-en"])
  }
  try await expect(.noPack("removed")) { try await AssetPacks.ensure(AssetPacks.Pack("removed")) }
  Mock.with { state in
    state.failing = []
    state.stalling = ["levels"]
  }
  let parts = Parts()
  let task = Task { try await AssetPacks.ensure(.levels) { parts.add($0) } }
  while parts.all.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
  try expect(parts.all == [0.5])
  task.cancel()
  do {
    try await task.value
    throw Difference(description: "a cancelled download was not an error")
  } catch is CancellationError {}
  try await expect { try await !AssetPacks.isOnDevice(.levels) }
}

/// The files in the resources of the app, without the system.
func bundle() async throws {
  Mock.with { $0.acceptsApp = false }
  let parts = Parts()
  try await AssetPacks.ensure(.levels, .voicesFr) { parts.add($0) }
  try expect(parts.all == [1])
  try await expect { try await AssetPacks.isOnDevice(.voicesEn) }
  try expect(AssetPacks.contents(of: cave) == Data("bundled cave".utf8))
  try expect(AssetPacks.contents(of: hello, language: "fr") == Data("bundled Bonjour".utf8))
  try expect(AssetPacks.contents(of: hello, in: .voicesEn) == Data("bundled Hello".utf8))
  try expect(Data(contentsOf: AssetPacks.url(of: cave)) == Data("bundled cave".utf8))
  let descriptor = try AssetPacks.descriptor(of: hello, language: "en")
  try expect(descriptor.contents == Data("bundled Hello".utf8))
  try descriptor.close()
  try await expect(.noFile("Levels/none")) {
    _ = try AssetPacks.contents(of: .init(path: "Levels/none"))
  }
  let found = try await AssetPacks.checkForUpdates()
  try expect(found.updating.isEmpty && found.removed.isEmpty)
  try await AssetPacks.remove(.levels)
  try await expect { try await AssetPacks.downloadSize(of: [.levels]) == 0 }
  try expect(calls().isEmpty)
}

/// An app that the system refuses: an error instead of its end.
func refused(_ problem: AssetPacks.Problem, system: Double = 27.2) async throws {
  prepare(system: system)
  Mock.with { $0.acceptsApp = false }
  try await expect(problem) { try AssetPacks.check() }
  try await expect(problem) { try await AssetPacks.ensure(.levels) }
  try await expect(problem) { _ = try AssetPacks.contents(of: cave) }
  try await expect(problem) { _ = try AssetPacks.url(of: cave, language: "en") }
  try await expect(problem) { _ = try await AssetPacks.isOnDevice(.levels) }
  try await expect(problem) { _ = try await AssetPacks.checkForUpdates() }
  try expect(calls().isEmpty)
}

@main struct Main {
  static func main() async {
    do {
      let words = CommandLine.arguments
      switch words[1] {
      case "downloads": try await downloads(system: Double(words[2]) ?? 0)
      case "failures": try await failures()
      case "bundle": try await bundle()
      case "old": try await refused(.oldSystem, system: 18)
      case "no-extension": try await refused(.noExtension)
      case "no-id": try await refused(.noBundleID)
      case "info-plist":
        try await refused(.infoPlist(key: words[2], expected: words[3]))
      default: throw Difference(description: "unknown scenario '\(words[1])'")
      }
    } catch {
      print("\(CommandLine.arguments.dropFirst().joined(separator: " ")): \(error)")
      exit(1)
    }
  }
}
