import BAPackKit
import TerminalText

extension PackConstants {
  static let swiftStyle = NameStyle(
    constants: .lowerCamel, folders: .upperCamel,
    reserved: [
      "AssetPacks", "Any", "Protocol", "Self", "Type", "as", "associatedtype", "await", "break",
      "case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else", "enum",
      "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
      "in", "init", "inout", "internal", "is", "let", "nil", "none", "open", "operator",
      "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self",
      "some", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
      "typealias", "var", "where", "while",
    ], allowsUnicode: true)

  /// Returns the constants and the runtime in Swift.
  func swiftCode(
    _ detail: PathDetail, _ access: SwiftAccess, _ generator: String
  ) -> GeneratedCode {
    let tree = ConstantTree(
      self, Self.swiftStyle, detail, packMembers: ["all"], folderMembers: ["folder"])
    var code = CodeText(indentedBy: "  ")
    code.line("// " + Self.generatedLine(generator))
    code.lines(Self.swiftHead)
    code.block("nonisolated extension AssetPacks.Pack {", "}") { code in
      for (pack, name) in zip(packs, tree.packNames) {
        let language = pack.language.map { ", language: \"\($0)\"" } ?? ""
        let id = LiteralEscapes.swift.literal(pack.id.text)
        code.line("/// \(Self.sentence(about: pack))")
        code.line("public static let \(name) = AssetPacks.Pack(\(id)\(language))")
      }
      code.line("/// All packs, in the order of their IDs.")
      code.block("public static let all: [AssetPacks.Pack] = [", "]") { code in
        for name in tree.packNames { code.line(".\(name),") }
      }
    }
    code.line("")
    code.block("nonisolated extension AssetPacks {", "}") { code in
      code.line("/// The packs of a file, by the number in its constant.")
      code.block("static let owners: [[Pack]] = [", "]") { code in
        if detail == .files {
          for set in owners {
            code.line("[\(set.map { "." + tree.packNames[$0] }.joined(separator: ", "))],")
          }
        }
      }
    }
    if detail != .none {
      code.line("")
      code.line("/// The files of the packs, by folder.")
      code.block("public nonisolated enum AssetPaths {", "}") { code in
        addSwift(tree.top, to: &code)
      }
    }
    code.line("")
    return GeneratedCode(
      text: access.applied(to: code.text + RuntimeFiles.swift), collisions: tree.collisions)
  }

  private func addSwift(_ folder: ConstantTree.Folder, to code: inout CodeText) {
    if !folder.path.isEmpty {
      let path = LiteralEscapes.swift.literal(folder.path)
      code.line("public static var folder: AssetPacks.Folder { .init(\(path)) }")
    }
    for file in folder.files {
      let path = LiteralEscapes.swift.literal(file.path.text)
      code.line("/// In \(ownerNames(file.path.owners)).")
      code.line(
        "public static var \(file.name): AssetPacks.File { .init(\(path), \(file.path.owners)) }")
    }
    for inner in folder.folders {
      code.block("public nonisolated enum \(inner.name) {", "}") { code in
        addSwift(inner, to: &code)
      }
    }
  }

  /// Returns a sentence about the download of a pack.
  static func sentence(about pack: Pack) -> String {
    let policy =
      switch pack.policy {
      case .essential: "Downloaded during installation."
      case .prefetch: "Downloaded in the background after installation."
      case .onDemand: "Downloaded on demand."
      case nil: "An asset pack."
      }
    return policy + (pack.language.map { " Language: \($0)." } ?? "")
  }

  private static let swiftHead = """
    //
    // The code was compiled with Swift 6, and run on Linux with a mock of Apple's framework that
    // has the documented declarations. It was not compiled with the framework itself, where
    // '#available' is not always true. The team ID was not read on a Mac. Test the downloads on a
    // device.
    //
    // Requires the SDK of iOS 27. Define ASSET_PACKS_SDK_26 for the SDK of iOS 26.4, and
    // ASSET_PACKS_SDK_27_2 for the functions of iOS 27.2. Link BackgroundAssets weakly in an app
    // that supports systems before iOS 16.1 or macOS 13.
    // swift-format-ignore-file
    // swiftlint:disable all

    """
}
