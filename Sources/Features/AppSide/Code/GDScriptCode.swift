import BAPackKit

extension PackConstants {
  /// The form of names.
  ///
  /// The name of a class must not be that of a class of the engine, such as `Image`; none of them
  /// ends in `Dir`. Constants must not have the names of built-in constants.
  static let gdscriptStyle = NameStyle(
    constants: .upperSnake, folders: .upperCamel, folderEnding: "Dir",
    reserved: ["AABB", "INF", "IP", "JSON", "NAN", "OS", "PI", "RID", "TAU"])

  /// Returns the constants in GDScript, for Godot 4.
  func gdscriptCode(_ detail: PathDetail, _ generator: String) -> GeneratedCode {
    let tree = ConstantTree(
      self, Self.gdscriptStyle, detail, packMembers: ["ALL"], folderMembers: ["FOLDER"])
    let literal = LiteralEscapes.gdscript.literal
    var code = CodeText(indentedBy: "\t")
    code.line("# " + Self.generatedLine(generator))
    code.lines(Self.gdscriptHead)
    code.block("class Packs:", nil) { code in
      for (pack, name) in zip(packs, tree.packNames) {
        code.line("## \(Self.sentence(about: pack))")
        code.line("const \(name) := \(literal(pack.id.text))")
      }
      code.line("## All packs, in the order of their IDs.")
      code.line("const ALL: Array[String] = [\(tree.packNames.joined(separator: ", "))]")
    }
    if detail != .none {
      code.line("")
      code.line("")
      code.line("## The files of the packs, by folder.")
      code.block("class Paths:", nil) { code in addGDScript(tree.top, to: &code) }
    }
    code.line("")
    code.line("")
    code.block("const _LANGUAGES := {", "}") { code in
      for pack in packs {
        if let language = pack.language {
          code.line("\(literal(pack.id.text)): \(literal("\(language)")),")
        }
      }
    }
    code.block("const _OWNERS := [", "]") { code in
      for set in owners where detail == .files {
        code.line("[\(set.map { literal(packs[$0].id.text) }.joined(separator: ", "))],")
      }
    }
    code.block("const _OWNERS_OF_PATH := {", "}") { code in
      for path in paths where detail == .files {
        code.line("\(literal(path.text)): \(path.owners),")
      }
    }
    code.lines(Self.gdscriptFunctions)
    return GeneratedCode(text: code.text, collisions: tree.collisions)
  }

  private func addGDScript(_ folder: ConstantTree.Folder, to code: inout CodeText) {
    let literal = LiteralEscapes.gdscript.literal
    if !folder.path.isEmpty { code.line("const FOLDER := \(literal(folder.path))") }
    for file in folder.files {
      code.line("## In \(ownerNames(file.path.owners)).")
      code.line("const \(file.name) := \(literal(file.path.text))")
    }
    for inner in folder.folders {
      code.block("class \(inner.name):", nil) { code in addGDScript(inner, to: &code) }
    }
    if folder.path.isEmpty, folder.files.isEmpty, folder.folders.isEmpty { code.line("pass") }
  }

  private static let gdscriptFunctions = """


    ## Returns the packs with a file of Paths; several for a localized file.
    static func packs_with(path: String) -> Array:
    \treturn _OWNERS[_OWNERS_OF_PATH[path]] if path in _OWNERS_OF_PATH else []


    ## Returns the language of a localized pack; empty for other packs.
    static func language_of(pack: String) -> String:
    \treturn _LANGUAGES.get(pack, "")
    """

  private static let gdscriptHead = """
    #
    # The code was parsed with gdtoolkit. It was not run in Godot. It only has constants: a plug-in
    # must call Apple's framework.
    class_name AssetPacks
    extends RefCounted


    """
}
