import SourceDiagnostics
import SystemIO

/// The rules for the first bytes of selected files.
enum ContentRules {
  static let all: [Rule] = [
    pointer, macProgram,
  ]

  static let pointer = Rule(
    "files.pointer",
    what: "A selected file is a pointer of Git LFS, DVC or git-annex, not the file itself.",
    why: """
      Large files are often stored outside a repository. A checkout contains a few lines of text \
      in their place until they are fetched. In a pack, these pointers would be broken textures \
      and sounds.
      """,
    example: .init(
      wrong: "hero.png: version https://git-lfs.github.com/spec/v1 …",
      right: "hero.png, after 'git lfs pull'"))

  static func pointer(
    _ kind: PointerFile, _ entry: Selection.Entry, _ places: ManifestLocations,
    _ findings: inout Ledger
  ) {
    guard let selector = entry.selector else { return }
    let (owner, remedy): (Finding.Message, Finding.Message) =
      switch kind {
      case .gitLFS: ("Git LFS", "run git lfs pull")
      case .gitAnnex: ("git-annex", "run git annex get")
      case .dvc: ("DVC", "run dvc pull, and select the file instead of the pointer")
      }
    findings.add(
      pointer.finding(
        "'\(path: entry.destination.text)' is a \(owner) pointer, not the file: \(remedy)",
        at: places.source(of: selector), fixes: kind == .dvc ? [places.exclude("*.dvc")] : []))
  }

  static let macProgram = Rule(
    "files.mac-program", .byHost(unknown: nil, apple: .warning, selfHosted: nil),
    what: "A file is a program or library for macOS, in a pack that Apple hosts.",
    why: """
      Asset packs may contain code for the processors and GPUs of Apple devices, but no \
      executables for macOS. App Store Connect rejects such packs after the upload.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"directory": "Tools"}]"#,
      right: #""fileSelectors": [{"directory": "Tools"}, {"fileExclusion": "Tools/convert"}]"#,
      hosting: .apple))

  static func macProgram(
    _ entry: Selection.Entry, for hosting: Hosting?, _ places: ManifestLocations,
    _ findings: inout Ledger
  ) {
    guard let selector = entry.selector else { return }
    findings.add(
      macProgram.finding(
        "'\(path: entry.destination.text)' is an executable for macOS", for: hosting,
        at: places.source(of: selector),
        fixes: [places.exclude(path: (entry.source ?? entry.destination).text)])?
        .about(AssetPath(unchecked: entry.destination.bytes)))
  }
}

/// A pointer to a file in another store: the tool that wrote it, and how to detect it.
package enum PointerFile: Sendable {
  case gitLFS, dvc, gitAnnex

  /// The range of sizes of a pointer, in bytes.
  static let sizes: ClosedRange<UInt64> = 24...1024
  /// The number of bytes to read of a file.
  static let startSize = 1024

  /// Whether a file of this name and size can be a pointer.
  static func mayBe(_ path: ArraySlice<UInt8>, size: UInt64) -> Bool {
    sizes.contains(size) || isDVC(path) && size > 0
  }

  private static func isDVC(_ path: ArraySlice<UInt8>) -> Bool {
    path.suffix(4).elementsEqual(".dvc".utf8)
  }

  /// Returns the kind of a pointer by its name and its first bytes; nil for any other file.
  static func kind(of path: ArraySlice<UInt8>, _ start: [UInt8]) -> PointerFile? {
    if start.starts(with: "version https://git-lfs.github.com/spec/".utf8)
      || start.starts(with: "version https://hawser.github.com/spec/".utf8)
    {
      return .gitLFS
    }
    if start.starts(with: "/annex/objects/".utf8) { return .gitAnnex }
    let isList = start.starts(with: "outs:".utf8) || start.holds("\nouts:")
    return isDVC(path) && isList ? .dvc : nil
  }

  /// Returns the size of the file to which a pointer of Git LFS leads; nil for any other text.
  package static func sizeInLFS(_ text: [UInt8]) -> UInt64? {
    guard case .gitLFS = kind(of: [], text) else { return nil }
    return text.split(separator: UInt8(ascii: "\n")).lazy.compactMap { line -> UInt64? in
      line.starts(with: "size ".utf8)
        ? UInt64(String(decoding: line.dropFirst(5), as: UTF8.self)) : nil
    }.first
  }

  /// Whether a symbolic link leads into the store of git-annex.
  static func isAnnexLink(to target: [UInt8]) -> Bool { target.holds(".git/annex/objects/") }
}

/// The sizes for the detection of programs for macOS.
enum MacProgram {
  /// The smallest Mach-O header.
  static let least = 28
  /// The number of bytes to read: the headers and the load commands with the platform.
  static let startSize = 32 << 10
}

/// The detection of packaging manifests among the files.
enum PackagingManifest {
  /// The number of bytes to read of a file.
  static let startSize = 64 << 10

  static func mayBe(_ path: ArraySlice<UInt8>, size: UInt64) -> Bool {
    size <= 16 << 20 && path.suffix(5).elementsEqual(".json".utf8)
  }

  /// Whether the first bytes of a file contain the two keys.
  static func holdsKeys(_ start: [UInt8]) -> Bool {
    start.holds("\"assetPackID\"") && start.holds("\"fileSelectors\"")
  }

  /// Whether a file begins like a manifest but is not the manifest of the pack, which is detected
  /// by its file identity.
  static func isAnother(_ start: [UInt8], than document: ManifestDocument) -> Bool {
    holdsKeys(start) && !start.elementsEqual(document.source.bytes.prefix(startSize))
  }
}
