import BAPackKit
import SystemIO

extension ProposedPack {
  /// Returns the file of the manifest, with the reasons as comments.
  func file(in layout: ProjectLayout) -> ProposedFiles.Text {
    var manifest = manifest
    manifest.sourceRoot = layout.sourceRootOfManifests.text
    var lines: [String] = []
    for reason in reasons {
      let text = reason.text.asSentence
      // The same rule is explained once.
      lines.append(
        reasons.first { $0.rule.id == reason.rule.id }?.text == reason.text
          ? text + " " + reason.rule.why : text)
    }
    let text = manifest.text(
      TextComments(start: lines, elements: selectorComments.mapValues(\.asSentence)))
    return .init(path: layout.manifest(of: manifest.assetPackID), bytes: Array(text.utf8))
  }
}

extension String {
  /// The text with an upper-case letter at its start and a full stop at its end.
  var asSentence: String {
    let text = prefix(1).uppercased() + dropFirst()
    return text.isEmpty || ".!?:".contains(text.last ?? ".") ? text : text + "."
  }
}
