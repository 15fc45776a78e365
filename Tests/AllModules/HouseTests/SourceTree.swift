import Foundation
import TestSupport

/// The files of the project.
struct SourceTree {
  struct File: Sendable {
    /// The path from the top of the checkout.
    var path: String
    var lines: [Substring]

    /// The floor of a file below Sources or Tests.
    var floor: String { String(path.split(separator: "/").dropFirst().first ?? "") }

    /// The module of a file below Sources or Tests.
    var module: String { String(path.split(separator: "/").dropFirst(2).first ?? "") }

    /// The lines of Swift code with their numbers, with empty string literals and without comments.
    var code: [(number: Int, text: String)]

    /// The texts for readers.
    var texts: [SourceText]

    init(path: String, text: String) {
      self.path = path
      lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      code = []
      switch Self.language(of: path, firstLine: lines[0]) {
      case .swift:
        let scanner = SwiftScanner(text)
        (code, texts) = (scanner.code, scanner.texts)
      case .page: texts = SourceText.paragraphs(of: lines)
      case .styleSheet: texts = SourceText.webTexts(of: lines, isScript: false)
      case .webScript: texts = SourceText.webTexts(of: lines, isScript: true)
      case .script: texts = SourceText.scriptComments(of: lines)
      case nil: texts = []
      }
    }

    private enum Language { case swift, page, styleSheet, webScript, script }

    private static func language(of path: String, firstLine: Substring) -> Language? {
      switch (path as NSString).pathExtension {
      case "swift": .swift
      case "md", "html", "txt": path.hasSuffix("CMakeLists.txt") ? .script : .page
      case "css": .styleSheet
      case "js", "json", "json5": .webScript
      case "py", "sh", "yml", "cmake", "scenario", "bzl": .script
      default: path.hasSuffix("Makefile") || firstLine.hasPrefix("#!") ? .script : nil
      }
    }
  }

  /// Returns the names of all files below a folder, sorted, without build products.
  private static func names(below folder: String) -> [String] {
    var names: [String] = []
    let all = FileManager.default.enumerator(
      atPath: Checkout.file(folder).path(percentEncoded: false))
    while let name = all?.nextObject() as? String {
      // A build has a hundred thousand files. The files in `Runtime` are code for apps.
      if name.hasSuffix(".build") || name.hasSuffix("/Runtime") {
        all?.skipDescendants()
      } else {
        names.append(name)
      }
    }
    return names.sorted()
  }

  /// Returns the files below a folder whose name ends in one of the extensions, by path.
  static func files(below folder: String, extensions: Set<String>) throws -> [File] {
    try names(below: folder).filter { extensions.contains(($0 as NSString).pathExtension) }
      .map { File(path: "\(folder)/\($0)", text: try text("\(folder)/\($0)")) }
  }

  /// Returns the text files below a folder that begin with `#!` or end in `.py`, by path.
  static func scripts(below folder: String) throws -> [File] {
    try others(below: folder) { name, text in text.hasPrefix("#!") || name.hasSuffix(".py") }
  }

  /// Returns the files below a folder in other languages than Swift that contain texts, by path.
  static func others(below folder: String) throws -> [File] {
    try others(below: folder) { _, _ in true }.filter { !$0.texts.isEmpty }
  }

  private static func others(
    below folder: String, where isIncluded: (_ name: String, _ text: String) -> Bool
  ) throws -> [File] {
    try names(below: folder).compactMap { name -> File? in
      let file = Checkout.file(folder).appending(path: name)
      guard !name.hasSuffix(".swift"), !name.hasPrefix("Corpus/"),
        try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true,
        let text = try? String(contentsOf: file, encoding: .utf8), isIncluded(name, text)
      else { return nil }
      return File(path: "\(folder)/\(name)", text: text)
    }
  }

  static func text(_ path: String) throws -> String {
    try String(contentsOf: Checkout.file(path), encoding: .utf8)
  }
}
