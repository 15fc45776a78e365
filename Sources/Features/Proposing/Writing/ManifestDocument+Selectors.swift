package import BAPackKit
import SourceDiagnostics

extension ManifestDocument {
  /// Returns the text without some selectors, and with more of them at the end of the list; its
  /// other bytes are unchanged.
  ///
  /// - Returns: nil if the text cannot be changed in this way.
  package func text(adding added: [FileSelector], removing removed: Set<Int> = []) -> [UInt8]? {
    guard let old = manifest?.fileSelectors else { return nil }
    func changed(_ text: [UInt8], _ change: (inout JSONRewrite, JSONNode) -> Void) -> [UInt8]? {
      let root = JSONDocument(parsing: SourceText(text, named: source.name)).root
      guard let list = root?[Manifest.key(of: \.fileSelectors)] else { return nil }
      var rewrite = JSONRewrite(of: list.document)
      change(&rewrite, list)
      return rewrite.text
    }
    var text: [UInt8]? = source.bytes
    if !added.isEmpty {
      text = changed(source.bytes) { $0.append(added.map(\.jsonValue), asLines: true, to: $1) }
    }
    if !removed.isEmpty {
      text = text.flatMap { changed($0) { $0.remove(from: $1, where: removed.contains) } }
    }
    let kept = old.indices.lazy.filter { !removed.contains($0) }.map { old[$0] }
    guard let text,
      ManifestDocument(parsing: text, named: source.name).manifest?.fileSelectors == kept + added
    else { return nil }
    return text
  }
}
