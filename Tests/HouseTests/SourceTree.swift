import Foundation
import TestSupport

/// The project's own files, as the rules about them see them.
struct SourceTree {
  struct File: Sendable {
    /// The path from the top of the checkout.
    var path: String
    var lines: [Substring]

    /// The module a file under Sources belongs to.
    var module: String { String(path.split(separator: "/").dropFirst().first ?? "") }

    /// The lines with their numbers, without what is behind `//` and without string literals.
    var code: [(number: Int, text: String)]

    init(path: String, lines: [Substring]) {
      self.path = path
      self.lines = lines
      var inMultilineString = false
      code = lines.enumerated().compactMap { index, line -> (number: Int, text: String)? in
        let isPlain = !line.utf8.contains(UInt8(ascii: "\""))
        if !isPlain {
          if line.split(separator: "\"\"\"", omittingEmptySubsequences: false).count % 2 == 0 {
            inMultilineString.toggle()
            return nil
          }
        }
        if inMultilineString { return nil }
        let bare =
          isPlain ? String(line) : String(line).replacing(#/"(\\.|[^"\\])*"/#, with: "\"\"")
        return (index + 1, bare.split(separator: "//", maxSplits: 1).first.map(String.init) ?? "")
      }
    }
  }

  /// Every file below a folder whose name ends in one of the extensions, by path.
  static func files(below folder: String, extensions: Set<String>) throws -> [File] {
    let root = Checkout.file(folder)
    var names: [String] = []
    let all = FileManager.default.enumerator(atPath: root.path(percentEncoded: false))
    while let name = all?.nextObject() as? String {
      // What was built is no source, and a hundred thousand files.
      if name.hasSuffix(".build") {
        all?.skipDescendants()
      } else if extensions.contains((name as NSString).pathExtension) {
        names.append(name)
      }
    }
    return try names.sorted()
      .map { name in
        let text = try String(contentsOf: root.appending(path: name), encoding: .utf8)
        return File(
          path: "\(folder)/\(name)",
          lines: text.split(separator: "\n", omittingEmptySubsequences: false))
      }
  }

  /// Every text file below a folder that begins with `#!` or ends in `.py`, by path.
  static func scripts(below folder: String) throws -> [File] {
    let root = Checkout.file(folder)
    let names = try FileManager.default.subpathsOfDirectory(
      atPath: root.path(percentEncoded: false))
    return try names.sorted().compactMap { name -> File? in
      let file = root.appending(path: name)
      guard !name.hasSuffix(".swift"), !name.contains(".build/"), !name.hasPrefix("Corpus/"),
        try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true,
        let text = try? String(contentsOf: file, encoding: .utf8),
        text.hasPrefix("#!") || name.hasSuffix(".py")
      else { return nil }
      return File(
        path: "\(folder)/\(name)",
        lines: text.split(separator: "\n", omittingEmptySubsequences: false))
    }
  }

  static func text(_ path: String) throws -> String {
    try String(contentsOf: Checkout.file(path), encoding: .utf8)
  }
}
