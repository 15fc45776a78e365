package import BAPackKit
import SystemIO

/// A rule about files that do not belong in a pack: the names that it matches, as data.
package struct LeftOutRule: Sendable {
  /// The ID, the reason and an example, for `explain`.
  package let rule: Rule
  /// The phrase of the proposal: "sources and editor files".
  package let phrase: String
  /// Endings of names without the dot, in lower case: `psd`.
  let extensions: Set<String>
  /// Names of files in lower case: `thumbs.db`.
  let names: Set<String>
  /// Names of folders in lower case, which are not inspected: `node_modules`.
  let folders: Set<String>
  /// Names of folders in lower case that are left out next to program code: `docs`.
  let foldersBesideCode: Set<String>
  /// Starts of names in lower case: `readme`.
  let starts: [String]
  /// Endings of names before the extension, in lower case: `-draft`.
  let stemEndings: [String]
  /// Whether a folder whose name has one of the extensions is left out, such as `Game.app`.
  let hasFolders: Bool

  init(
    _ rule: Rule, _ phrase: String, extensions: String = "", names: String = "",
    folders: String = "", besideCode: String = "", starts: String = "", stemEndings: String = "",
    hasFolders: Bool = false
  ) {
    func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
    self.rule = rule
    self.phrase = phrase
    self.extensions = Set(words(extensions))
    self.names = Set(words(names))
    self.folders = Set(words(folders))
    foldersBesideCode = Set(words(besideCode))
    self.starts = words(starts)
    self.stemEndings = words(stemEndings)
    self.hasFolders = hasFolders
  }
}
