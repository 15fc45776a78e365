import SystemIO
import TerminalText

/// A search for manifests and scenarios of ba-package among the files of a folder.
///
/// The contents of a small file are read if the name of the file or its folder suggests it. If the
/// first files of a folder are something else, no more files of it are read.
struct PackDocuments {
  private let isInLikelyFolder: Bool
  /// The number of further files to read while none was a document; unlimited after the first one.
  private var left = 32

  /// Names of folders, in lower case, that often contain manifests.
  private static let folders: Set<String> = [
    "packs", "manifests", "assetpacks", "asset-packs", "asset_packs", "asset packs",
    "packmanifests",
  ]
  /// Parts of the names of manifests, in lower case.
  private static let parts = ["manifest", "pack"]
  /// The maximum size of a document that is read.
  private static let largest = 64 << 10

  init(inFolderNamed folder: ArraySlice<UInt8>) {
    isInLikelyFolder = folder.count <= 16 && Self.folders.contains(lowered(folder))
  }

  /// Reads a file that may be a manifest or a scenario, within a limit; returns whether it is one.
  mutating func recognizeDocument(
    _ name: ArraySlice<UInt8>, _ size: UInt64, in folder: OpenFolder
  ) -> Bool {
    guard left > 0, 20...UInt64(Self.largest) ~= size, Self.canEnd(name) else { return false }
    let isFound: Bool
    switch lowered(fileExtension(of: name)) {
    case "json" where isInLikelyFolder || Self.isLikely(lowered(name)):
      isFound = read(name, in: folder, Self.isManifest)
    case "scenario":
      isFound = read(name, in: folder, Self.isScenario)
    default: return false
    }
    left = isFound ? .max : left == .max ? left : left - 1
    return isFound
  }

  /// Rejects most names quickly.
  private static func canEnd(_ name: ArraySlice<UInt8>) -> Bool {
    let last = name.last?.lowercased
    return last == UInt8(ascii: "n") || last == UInt8(ascii: "o")
  }

  private static func isLikely(_ name: String) -> Bool { parts.contains(where: name.contains) }

  private func read(
    _ name: ArraySlice<UInt8>, in folder: OpenFolder, _ isDocument: ([UInt8]) -> Bool
  ) -> Bool {
    let bytes = try? folder.descriptor.open(FileName(name), for: .reading)
      .readToEnd(atMost: Self.largest)
    return bytes.map(isDocument) ?? false
  }

  /// Whether a text contains the two keys that only manifests contain.
  private static func isManifest(_ bytes: [UInt8]) -> Bool {
    ["\"assetPackID\"", "\"fileSelectors\""].allSatisfy { bytes.firstRange(of: $0.utf8) != nil }
  }

  /// Whether a text has the lines of each scenario: a device, and an installation.
  private static func isScenario(_ bytes: [UInt8]) -> Bool {
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    return ["device ", "install"].allSatisfy { start in
      lines.contains { $0.starts(with: start.utf8) }
    }
  }
}
