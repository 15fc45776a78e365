package import BAPackKit
package import SourceDiagnostics
import SourceLanguages
package import SystemIO
import TerminalText

/// The search for paths and IDs in the texts of an app that no pack has.
///
/// They are candidates, because a program can create paths at run time.
package struct LiteralSearch: Sendable {
  /// The paths and IDs that no pack has.
  package private(set) var findings = Ledger()
  /// The number of texts that may be paths.
  package private(set) var count = 0
  private var paths: PackPaths
  /// The files of the app by their names; the app reads them without a pack.
  private lazy var appFiles = Dictionary(grouping: app?.sizes.keys.map(\.self) ?? []) {
    Array($0.name.bytes)
  }
  private let app: BundleTree?
  /// The paths in programs that were already counted.
  private var seen: Set<AssetPath> = []
  /// The number of suggestions that may still be made; each compares many paths.
  private var suggestions = 200

  private static let largestFile = 64 << 20
  private static let mostTexts = 200_000

  /// Prepares a search for paths that are neither in packs nor in the app.
  package init(in paths: PackPaths, besides app: BundleTree? = nil) {
    self.paths = paths
    self.app = app
  }

  // MARK: Sources

  /// Searches all sources in a folder and its subfolders, except hidden ones; returns the number of
  /// files.
  package mutating func search(in path: String, _ work: Work) throws(PackError) -> Int {
    var files: [String] = []
    try mapFailure(.reading) { () throws(Failure) in
      if try FileStatus(ofFileAt: path).kind == .directory {
        try Self.collect(in: FileDescriptor.open(path, for: .directory), &files, depth: 1)
      } else {
        files = [path]
      }
    }
    for file in files {
      try work.checkCancellation()
      let bytes = try mapFailure(.reading) { () throws(Failure) in
        try FileDescriptor.open(file, for: .waiting(work)).readToEnd(atMost: Self.largestFile)
      }
      inspect(bytes, named: file)
    }
    return files.count
  }

  private static func collect(
    in folder: borrowing FileDescriptor, _ files: inout [String], depth: Int
  ) throws(Failure) {
    guard depth <= BundleTree.deepest else {
      throw Failure(
        .malformed("it is nested more than \(BundleTree.deepest) levels deep"), folder.path)
    }
    let listing = try folder.list()
    for item in listing.items {
      let name = listing.fileName(of: item)
      guard name.bytes.first != UInt8(ascii: ".") else { continue }
      var kind = item.kind
      if kind == .unknown { kind = try folder.status(of: name).kind }
      if kind == .directory {
        try collect(in: folder.open(name, for: .directory), &files, depth: depth + 1)
      } else if kind == .file, SourceLanguage(ofFileNamed: FilePath(name.bytes).text) != nil {
        files.append(folder.location.appending(name).text)
      }
    }
  }

  /// Searches one source text.
  package mutating func inspect(_ bytes: [UInt8], named name: String) {
    let source = SourceText(bytes, named: name)
    let language = SourceLanguage(ofFileNamed: name) ?? .c
    let code = SourceCode(of: bytes, in: language)
    findings.turn(to: source)
    var seen: Set<AssetPath> = []
    for literal in code.literals {
      let span = SourceSpan(literal.place, literal.place + 1)
      if let id = packID(literal, in: code) {
        let near = Spelling.nearest(to: id, among: paths.ids)
        findings.add(AppContentRules.packID(id, near: near, at: span))
      }
      guard let path = paths.path(in: literal.text[...]), seen.insert(path).inserted else {
        continue
      }
      count += 1
      if paths.has(path) { continue }
      let near = suggestion(for: path)
      findings.add(AppContentRules.missingPath(path.exact, near: near, at: span))
    }
  }

  /// The ends of calls before the ID of a pack, without blanks.
  private static let calls = [
    "assetPack(withID:", "assetPackIsAvailableLocally(withID:", "ssetPackWithID:",
    "ssetPackWithIdentifier:", "assetPackIsAvailableLocallyWithIdentifier:",
  ].map { Array($0.utf8) }

  /// Returns the unknown ID in a literal that is the argument of a call.
  private func packID(_ literal: SourceCode.Literal, in code: SourceCode) -> String? {
    guard literal.text.count <= 256, !literal.text.contains(UInt8(ascii: "\\")) else { return nil }
    let before = code.code[..<literal.mark].suffix(120)
      .filter { $0 > 0x20 && $0 != UInt8(ascii: "@") }
    guard Self.calls.contains(where: { before.suffix($0.count).elementsEqual($0) }) else {
      return nil
    }
    let id = String(decoding: literal.text, as: UTF8.self)
    return paths.ids.contains(id) ? nil : id
  }

  private mutating func suggestion(for path: AssetPath) -> String? {
    guard suggestions > 0 else { return nil }
    suggestions -= 1
    return paths.nearest(to: path)
  }

  // MARK: Programs

  /// Searches a text in a program.
  ///
  /// Programs have many texts with common file name extensions: a path in no folder of the packs is
  /// reported only if a pack has a similar one.
  package mutating func inspect(_ text: ArraySlice<UInt8>, inProgram name: String) {
    guard seen.count < Self.mostTexts, let path = paths.path(in: text), Self.isPrintable(text),
      path.bytes.contains(slash), seen.insert(AssetPath(unchecked: Array(path.bytes))).inserted
    else { return }
    count += 1
    if paths.has(path) || isInApp(path) { return }
    let near = suggestion(for: path)
    guard near != nil || paths.isInKnownFolder(path) else { return }
    findings.turn(to: SourceText([], named: name))
    findings.add(AppContentRules.missingPath(path.exact, near: near, at: nil))
  }

  /// Whether a file of the app has a path, relative to the app or to one of its folders.
  private mutating func isInApp(_ path: AssetPath) -> Bool {
    (appFiles[Array(path.name.bytes)] ?? []).contains { file in
      file.bytes.count > path.bytes.count
        && file.bytes.suffix(path.bytes.count + 1).elementsEqual([slash] + path.bytes)
    }
  }

  private static func isPrintable(_ text: ArraySlice<UInt8>) -> Bool {
    text.allSatisfy { $0 >= 0x20 && $0 != 0x7F } && String(validating: text, as: UTF8.self) != nil
  }
}
