import Foundation

import BAPackKit
import Converting
import SourceDiagnostics
import SystemIO

/// The properties of any script: places inside the text, no lost text, and a manifest that selects
/// the intended files.
package enum SteamProperties {
  /// Reads bytes as KeyValues; returns the violated property, or nil.
  package static func violation(inKeyValues bytes: [UInt8]) -> String? {
    var findings = Ledger()
    let text = KeyValues(parsing: bytes, named: "t", &findings)
    for finding in findings {
      if let span = finding.span, span.end > text.source.bytes.count || span.start > span.end {
        return "a finding is inside the text"
      }
    }
    var last = 0
    func check(_ pairs: [KeyValues.Pair]) -> String? {
      for pair in pairs {
        if pair.key.span.start < last { return "words are in order" }
        last = pair.key.span.start
        switch pair.value {
        case .text(let word):
          if word.span.start <= last { return "a value is after its key" }
          last = word.span.start
        case .block(let block): if let fault = check(block) { return fault }
        }
      }
      return nil
    }
    if let fault = check(text.pairs) { return fault }
    // The text that was read, written again in the plain form, has the same meaning.
    guard !findings.hasErrors, let plain = written(text.pairs) else { return nil }
    var again = Ledger()
    let second = KeyValues(parsing: Array(plain.utf8), named: "t", &again)
    return again.hasErrors || shape(second.pairs) != shape(text.pairs)
      ? "what is written says the same" : nil
  }

  /// Returns the pairs as a text; nil if a word cannot be written in quotes.
  ///
  /// A quote and a NUL at the start of a text would mark it as UTF-16.
  private static func written(_ pairs: [KeyValues.Pair]) -> String? {
    var text = ""
    for pair in pairs {
      let words = [pair.key.text] + (pair.value.word.map { [$0.text] } ?? [])
      guard !words.contains(where: { $0.utf8.contains { "\"\\\n\r\0".utf8.contains($0) } }) else {
        return nil
      }
      text += "\"\(pair.key.text)\" "
      switch pair.value {
      case .text(let word): text += "\"\(word.text)\"\n"
      case .block(let block):
        guard let inside = written(block) else { return nil }
        text += "{\n\(inside)}\n"
      }
    }
    return text
  }

  private static func shape(_ pairs: [KeyValues.Pair]) -> [String] {
    pairs.flatMap { pair -> [String] in
      switch pair.value {
      case .text(let word): [pair.key.text, word.text]
      case .block(let block): [pair.key.text, "{"] + shape(block) + ["}"]
      }
    }
  }

  /// Converts bytes as a script next to a small game; returns the violated property, or nil.
  package static func violation(inScript bytes: [UInt8], in folder: String) -> String? {
    let game = FilePath(folder).appending(FilePath("game"))
    let files = ["a.pak", "data/B.pak", "data/deep/c[1].txt", ".dot", "tools/x.exe"]
    for file in files {
      let path = game.appending(FilePath(file)).text
      try? FileManager.default.createDirectory(
        atPath: FilePath(path).folder.text, withIntermediateDirectories: true)
      _ = FileManager.default.createFile(atPath: path, contents: Data(file.utf8))
    }
    let script = game.appending(FilePath("script.vdf"))
    _ = FileManager.default.createFile(atPath: script.text, contents: Data(bytes))
    var options = ConversionOptions(.unstoppable)
    options.kind = .steam
    options.downloadPolicy = .onDemand
    do throws(PackError) {
      var conversion = try Conversion(of: script, options)
      conversion.checkTogether(ConversionOptions(.unstoppable))
      if conversion.findings.hasErrors { return nil }
      if conversion.manifests.isEmpty { return "without an error there is a manifest" }
      for converted in conversion.manifests {
        guard let meant = converted.files else { continue }
        if meant.contains(where: { $0.source.components.contains("..") || $0.source.isAbsolute }) {
          return "no path leads out of the content root"
        }
        let manifest = try converted.landed(in: FilePath(folder))
        let document = ManifestDocument(
          parsing: manifest.authoredJSON(),
          named: FilePath(folder).appending("m.json" as FileName).text)
        let differences = try converted.differences(from: document, .unstoppable)
        if let first = differences.first(where: { _ in true }) {
          return "the manifest selects the intended files: \(first.message)"
        }
      }
    } catch {
      return nil
    }
    return nil
  }
}

extension KeyValues.Value {
  fileprivate var word: KeyValues.Word? { if case .text(let word) = self { word } else { nil } }
}
