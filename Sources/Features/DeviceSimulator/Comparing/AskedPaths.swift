package import BAPackKit
package import SourceDiagnostics
import SourceLanguages
package import SystemIO
import TerminalText

/// The paths that the sources of an app seem to use and that no pack has.
///
/// They are candidates, because a program can create paths at run time.
package struct AskedPaths: Sendable {
  /// A literal in the sources that may be a path in a pack.
  package struct Candidate: Sendable, Equatable {
    /// The path in the literal.
    package var path: String
    /// The source file and the position of the literal.
    package var file: String
    package var line: Int
    package var column: Int
  }

  /// The paths that no pack contains, in the order of the files.
  package private(set) var missing: [Candidate] = []
  /// The number of literals that may be paths.
  package private(set) var count = 0
  private let packs: [PackContents]
  /// The file name extensions and top folders of packed files.
  private var suffixes: Set<[UInt8]> = []
  private var folders: Set<[UInt8]> = []

  private static let largestFile = 64 << 20

  /// Prepares a search among the files of a release.
  package init(of release: Release) {
    packs = release.packs.compactMap(\.contents)
    for contents in packs {
      for index in 0..<contents.count {
        let path = contents[index]
        if let suffix = Self.suffix(of: path) { suffixes.insert(suffix) }
        if let end = path.bytes.firstIndex(of: slash) { folders.insert(Array(path.bytes[..<end])) }
      }
    }
  }

  /// Searches all sources in a folder and its subfolders, except hidden ones.
  package mutating func search(in path: String, _ work: Work) throws(PackError) {
    var files: [String] = []
    try mapFailure(.reading) { () throws(Failure) in
      if try FileStatus(ofFileAt: path).kind == .directory {
        try Self.collect(in: FileDescriptor.open(path, for: .directory), &files)
      } else {
        files = [path]
      }
    }
    for file in files {
      let bytes = try mapFailure(.reading) { () throws(Failure) in
        try FileDescriptor.open(file, for: .waiting(work)).readToEnd(atMost: Self.largestFile)
      }
      inspect(bytes, named: file)
    }
  }

  private static func collect(
    in folder: borrowing FileDescriptor, _ files: inout [String]
  ) throws(Failure) {
    let listing = try folder.list()
    for item in listing.items {
      let name = listing.fileName(of: item)
      guard name.bytes.first != UInt8(ascii: ".") else { continue }
      var kind = item.kind
      if kind == .unknown { kind = try folder.status(of: name).kind }
      if kind == .directory {
        try collect(in: folder.open(name, for: .directory), &files)
      } else if kind == .file, SourceLanguage(ofFileNamed: FilePath(name.bytes).text) != nil {
        files.append(folder.location.appending(name).text)
      }
    }
  }

  /// Searches one text.
  package mutating func inspect(_ bytes: [UInt8], named name: String) {
    let source = SourceText(bytes, named: name)
    let language = SourceLanguage(ofFileNamed: name) ?? .c
    var seen: Set<AssetPath> = []
    for literal in SourceCode(of: bytes, in: language).literals {
      guard let path = path(literal.text[...]), seen.insert(path).inserted else { continue }
      count += 1
      if packs.contains(where: { $0.index(of: path) != nil || $0.hasFolder(path) }) { continue }
      let position = source.position(of: literal.place)
      missing.append(
        Candidate(
          path: path.exact, file: name, line: position.line, column: position.column))
    }
  }

  /// Returns the path in a literal; nil if the literal is not a path.
  private func path(_ literal: ArraySlice<UInt8>) -> AssetPath? {
    var text = literal
    let scheme = Array("res://".utf8)
    if text.starts(with: scheme) { text = text.dropFirst(scheme.count) }
    if text.starts(with: Array("./".utf8)) { text = text.dropFirst(2) }
    guard (3...512).contains(text.count), text.first != slash, text.last != slash else {
      return nil
    }
    // Characters of interpolated literals, of addresses, and of other texts that are not paths.
    let excluded = Array("\\{}%<>|*?\"'\n\r\t:;".utf8)
    guard !text.contains(where: excluded.contains) else { return nil }
    let path = AssetPath(unchecked: text)
    let hasKnownEnd = Self.suffix(of: path).map(suffixes.contains) ?? false
    let folder = text.firstIndex(of: slash).map { Array(text[..<$0]) }
    let isInKnownFolder = folder.map(folders.contains) ?? false
    guard hasKnownEnd || isInKnownFolder else { return nil }
    return path
  }

  /// Returns the lowercase file name extension; nil if there is none, or if it is long.
  private static func suffix(of path: AssetPath) -> [UInt8]? {
    let name = path.parts.name
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return nil }
    let end = name[(dot + 1)...]
    guard (1...8).contains(end.count), end.allSatisfy(\.isLetterOrDigit) else { return nil }
    return end.map(\.lowercased)
  }
}

extension AskedPaths.Candidate: Described {
  package static let table = Table<Self>(written: "a literal") {
    Key("path", written: \.path, .text, "The path in the literal.")
    Key("file", written: \.file, .text, "The path of the source file.")
    Key("line", written: \.line, .count, "The line.")
    Key("column", written: \.column, .count, "The column.")
  }
}
