import BAPackKit
import Converting
package import SourceDiagnostics
import SystemIO

/// The properties of any bytes that are read as a project or a property list.
package enum OnDemandProperties {
  /// Returns the violated property of the readers: they return a value with its places in the text,
  /// or a fault in it; a value that is written in the old format is read as the same value.
  package static func violation(inPropertyList bytes: [UInt8]) -> String? {
    for form in Form.allCases {
      do throws(Unreadable) {
        let value = try read(bytes, as: form)
        if !isInside(value, bytes.count) { return "places are inside the text" }
        let again = try OldPropertyList.read(Array(written(value).utf8))
        if shape(again) != shape(value) { return "a written value is read as the same value" }
      } catch {
        if error.span.end > bytes.count + 1 { return "faults are inside the text" }
        if error.reason.text.isEmpty || error.remedy.text.isEmpty { return "faults are explained" }
      }
    }
    return nil
  }

  private enum Form: CaseIterable { case old, xml }

  private static func read(_ bytes: [UInt8], as form: Form) throws(Unreadable) -> PlacedValue {
    switch form {
    case .old: try OldPropertyList.read(bytes)
    case .xml: try XMLPropertyList.read(bytes)
    }
  }

  /// Conversions: manifests without errors, under different IDs, that name no file twice or
  /// outside.
  package static func violation(inProject bytes: [UInt8]) -> String? {
    let source = SourceText(bytes, named: "project.pbxproj")
    for splits in [false, true] {
      var options = ConversionOptions(.unstoppable)
      options.splitsLanguages = splits
      let draft = try? OnDemandDraft(ofProject: source, in: FilePath("."), options)
      guard let conversion = draft?.conversion(options) else {
        return "there is a current folder"
      }
      if let fault = violation(in: conversion, bytes.count) { return fault }
    }
    return nil
  }

  private static func violation(in conversion: Conversion, _ size: Int) -> String? {
    for finding in conversion.findings where finding.severity != .note {
      if finding.message.isEmpty { return "findings have messages" }
    }
    var ids: Set<String> = []
    for file in conversion.otherFiles {
      guard ids.insert(file.name.lowercased()).inserted else { return "names of files differ" }
    }
    for manifest in conversion.manifests {
      guard ids.insert(manifest.name.lowercased()).inserted else { return "IDs differ" }
      let document = ManifestDocument(
        parsing: manifest.manifest.authoredJSON(), named: "m", for: .apple)
      if document.findings.hasErrors { return "manifests have no errors: \(document.findings.all)" }
      for file in manifest.files ?? []
      where file.source.isAbsolute || file.source.components.first == ".." {
        return "all paths are inside the folder"
      }
    }
    let table = conversion.otherFiles.first { $0.name == "tags.json" }
    if let table {
      let document = JSONDocument(parsing: SourceText(table.bytes, named: "t"))
      if !document.findings.isEmpty { return "the table of tags is JSON: \(document.findings.all)" }
    }
    return nil
  }

  private static func isInside(_ value: PlacedValue, _ count: Int) -> Bool {
    guard value.span.end <= count else { return false }
    return value.elements.allSatisfy { isInside($0, count) }
      && value.members.allSatisfy { $0.keySpan.end <= count && isInside($0.value, count) }
  }

  /// A value in the old form.
  package static func written(_ value: PlacedValue) -> String {
    switch value.kind {
    case .array(let elements): "(" + elements.map(written).joined(separator: ", ") + ")"
    case .dictionary(let members):
      "{" + members.map { "\(quoted($0.key)) = \(written($0.value));" }.joined(separator: "\n")
        + "}"
    case .data(let bytes):
      "<" + bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + ">"
    default: quoted(text(value))
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result + "\""
  }

  private static func text(_ value: PlacedValue) -> String {
    if case .date(let text) = value.kind { return text }
    return value.text ?? ""
  }

  /// Returns the parts of a value that the old format keeps: texts, data, and their structure.
  private static func shape(_ value: PlacedValue) -> [String] {
    switch value.kind {
    case .array(let elements): ["("] + elements.flatMap(shape) + [")"]
    case .dictionary(let members): ["{"] + members.flatMap { [$0.key] + shape($0.value) } + ["}"]
    case .data(let bytes): ["<\(bytes)>"]
    default: ["'" + text(value)]
    }
  }
}
