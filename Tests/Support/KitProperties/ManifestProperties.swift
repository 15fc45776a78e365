package import BAPackKit
import SourceDiagnostics

/// Properties of the readers of manifests, for arbitrary bytes.
package enum ManifestProperties {
  /// The JSON parser: spans are inside the text and inside their parents, findings are in order,
  /// and a text without findings has the same value as strict JSON.
  package static func violation(inJSON bytes: [UInt8]) -> String? {
    let document = JSONDocument(parsing: SourceText(bytes, named: "t"))
    if let fault = violation(in: document.findings, of: document.source) { return fault }
    guard let root = document.root else {
      return document.findings.isEmpty ? "a text without a value has a finding" : nil
    }
    if let fault = violation(in: root, within: SourceSpan(0, bytes.count)) { return fault }
    let value = root.value
    for layout in [JSONWriter.Layout.compact, .indented] {
      let written = JSONDocument(
        parsing: SourceText(JSONWriter.bytes(value, layout), named: "w"))
      // A text without findings has the same value; other texts can be written.
      let ids = Set(written.findings.map(\.id.name))
      guard ids.isSubset(of: ["json.duplicate-key"]) else { return "what is written is JSON" }
      if written.root?.value != value { return "what is written reads as the same value" }
    }
    return nil
  }

  /// The manifest reader returns a manifest or an error, places are inside the text, and the
  /// written JSON has the same value.
  ///
  /// Safe fixes remove their findings, add none, and are idempotent.
  package static func violation(inManifest bytes: [UInt8], for hosting: Hosting?) -> String? {
    let document = ManifestDocument(parsing: bytes, named: "t", for: hosting)
    if let fault = violation(in: document.findings, of: document.source) { return fault }
    let hasErrors = document.findings.contains { $0.severity == .error }
    if document.isValid == hasErrors { return "there is a manifest or there is an error" }
    if document.fileSelectors.count != document.locations.selectors.count {
      return "each selector has a place"
    }
    if var manifest = document.manifest {
      let again = ManifestDocument(parsing: manifest.archivedJSON(), named: "a", for: hosting)
      let authored = ManifestDocument(parsing: manifest.authoredJSON(), named: "b", for: hosting)
      if authored.manifest != manifest { return "what an author would write means the same" }
      manifest.sourceRoot = nil
      if again.manifest != manifest { return "what is archived means the same" }
    }
    guard document.findings.count < 100 else { return nil }
    if let fault = violation(inFixesOf: document, for: hosting) { return fault }
    for unsafe in [false, true] {
      let (fixed, applied) = ManifestDocument.fixed(
        bytes, named: "t", for: hosting, unsafe: unsafe)
      if (applied == 0) != (fixed.source.bytes == bytes) { return "what is fixed is counted" }
      if applied > 0, fixed.findings.contains(where: { $0.id == "json.syntax" }) {
        return "no fix is made where the structure is still wrong"
      }
      let before = tally(document.findings)
      for (id, count) in tally(fixed.findings) where count > before[id, default: 0] {
        return "fixing adds no finding, \(id)"
      }
      let again = ManifestDocument.fixed(
        fixed.source.bytes, named: "t", for: hosting, unsafe: unsafe)
      if again.applied != 0 { return "what is fixed has nothing left to fix" }
    }
    return nil
  }

  /// Every single fix removes its finding, and a safe fix adds no other finding.
  package static func violation(inFixesOf document: ManifestDocument, for hosting: Hosting?)
    -> String?
  {
    let before = tally(document.findings)
    // With several syntax errors, fixing one may reveal another.
    let isClear = before["json.syntax", default: 0] < 2
    for finding in document.findings {
      for fix in finding.fixes where !fix.edits.isEmpty {
        let rule = RuleCatalogue.all.first { $0.id == finding.id }
        let best = rule?.fixGrade ?? .shownOnly
        if best != .safe, fix.grade != best { return "the rule \(finding.id) has no better fix" }
        let fixed = FixPlan.apply([fix.edits], to: document.source.bytes)
        let left = ManifestDocument(parsing: fixed, named: "t", for: hosting).findings
        let after = tally(left)
        let id = finding.id.name
        // The rest of the text may have the same mistake with another message.
        func count(_ findings: Ledger) -> Int {
          findings.count { $0.id == finding.id && $0.message == finding.message }
        }
        if isClear, count(left) >= count(document.findings) {
          return "the fix '\(fix.message)' takes its finding away, \(id): \(finding.message)"
        }
        guard fix.grade == .safe, isClear else { continue }
        for (other, count) in after where count > before[other, default: 0] {
          return "the safe fix '\(fix.message)' of \(id) adds no finding, \(other)"
        }
      }
    }
    return nil
  }

  /// The language parser: a tag is written in the canonical form and read as the same tag.
  package static func violation(inLanguage text: String) -> String? {
    guard let tag = LanguageTag(text) else { return nil }
    let written = tag.description
    if LanguageTag(written) != tag { return "what is written reads as the same tag" }
    if written.lowercased() != text.lowercased() { return "only case changes" }
    let subtags = written.split(separator: "-").map(\.utf8.count)
    if subtags.count > 3 || !(2...3).contains(subtags[0]) {
      return "a tag has three subtags at most"
    }
    return nil
  }

  private static func violation(in findings: Ledger, of source: SourceText) -> String? {
    var last = -1
    for finding in findings {
      let edits = finding.fixes.flatMap(\.edits).map(\.span)
      for span in [finding.span].compactMap(\.self) + finding.labels.map(\.span) + edits {
        guard 0 <= span.start, span.start <= span.end, span.end <= source.bytes.count else {
          return "spans are inside the text"
        }
      }
      if finding.message.isEmpty || finding.message.utf8.contains(0x0A) {
        return "a message is one line"
      }
      guard finding.id != "text.too-many-findings" else { continue }
      let start = finding.span?.start ?? -1
      if start < last { return "findings are in order of position" }
      last = start
    }
    var shown = Ledger(about: source)
    for finding in findings.prefix(20) { shown.add(finding) }
    for text in [LineRenderer().render(shown), FrameRenderer(colored: false).render(shown)]
    where text.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\n" }) {
      return "no control character reaches a terminal"
    }
    return nil
  }

  private static func violation(in node: JSONNode, within parent: SourceSpan) -> String? {
    let span = node.span
    guard parent.start <= span.start, span.start <= span.end, span.end <= parent.end else {
      return "the span of a value is inside that of its parent"
    }
    for element in node.elements {
      if let fault = violation(in: element, within: span) { return fault }
    }
    for member in node.members {
      if let fault = violation(in: member.key, within: span) { return fault }
      if let fault = violation(in: member.value, within: span) { return fault }
    }
    return nil
  }

  private static func tally(_ findings: Ledger) -> [String: Int] {
    findings.reduce(into: [:]) { $0[$1.id.name, default: 0] += 1 }
  }
}
