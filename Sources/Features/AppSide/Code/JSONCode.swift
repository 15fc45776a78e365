import BAPackKit
package import SourceDiagnostics
import SystemIO

extension PackConstants {
  /// Returns the constants as data, with a line for each path.
  func jsonCode(_ detail: PathDetail, _ generator: String) -> GeneratedCode {
    let document = ConstantsDocument(constants: self, detail: detail, generator: generator)
    return GeneratedCode(
      text: String(decoding: ConstantsDocument.table.lines(of: document), as: UTF8.self),
      collisions: [])
  }
}

/// The packs of an app and their paths, for generators of code in other languages.
package struct ConstantsDocument: Described {
  let constants: PackConstants
  let detail: PathDetail
  let generator: String

  package static let table = Table<Self>(written: "the packs of an app") {
    Key("generator", written: \.generator, .text, "The command that generated the file.")
    Key(
      "packs", lines: \.constants.packs, of: .object(pack), "The packs, in the order of their IDs.")
    Key(
      "folders", lines: { $0.detail == .folders ? $0.constants.folders : nil }, of: .text,
      "The folders with files, instead of the files.")
    Key(
      "paths",
      lines: { document in
        document.detail == .files ? document.constants.paths.map { (document.constants, $0) } : nil
      }, of: .object(path), "The files, as the app sees them.")
  }

  private static let pack = Table<PackConstants.Pack>(written: "a pack") {
    Key("id", written: \.id, .packID, "The ID of the pack.")
    Key("language", written: \.language, .language, "The language of a localized pack.")
    Key("policy", written: \.policy?.name, .text, "The download policy.")
  }

  private static let path = Table<(PackConstants, PackConstants.Path)>(written: "a file") {
    Key("path", written: { _, path in path.text }, .text, "The path in the packs.")
    Key(
      "packs",
      written: { constants, path in
        constants.owners[path.owners].map { constants.packs[$0].id }
      }, .list(of: .packID), "The packs with the file.")
    Key(
      "variants",
      written: { constants, path in
        let localized = constants.owners[path.owners].map { constants.packs[$0] }
          .filter { $0.language != nil }
        return localized.isEmpty ? nil : localized
      }, .list(of: .object(variant)), "The packs with a translation of the file.")
  }

  private static let variant = Table<PackConstants.Pack>(written: "a translation of a file") {
    Key("language", written: \.language, .language, "The language.")
    Key("pack", written: \.id, .packID, "The ID of the pack.")
  }
}
