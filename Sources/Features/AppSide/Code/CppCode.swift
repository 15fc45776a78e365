import BAPackKit

extension PackConstants {
  /// Macros of system headers and of Unreal cannot be names either.
  static let cppStyle = NameStyle(
    constants: .lowerSnake, folders: .lowerSnake,
    reserved: [
      "alignas", "alignof", "and", "and_eq", "asm", "assert", "auto", "bitand", "bitor", "bool",
      "break", "case", "catch", "char", "char16_t", "char32_t", "char8_t", "check", "class",
      "co_await", "co_return", "co_yield", "compl", "concept", "const", "const_cast", "consteval",
      "constexpr", "constinit", "continue", "decltype", "default", "delete", "do", "double",
      "dynamic_cast", "else", "emit", "ensure", "enum", "errno", "explicit", "export", "extern",
      "false", "far", "float", "for", "friend", "goto", "if", "inline", "int", "interface", "linux",
      "long", "major", "minor", "mutable", "namespace", "near", "new", "noexcept", "not", "not_eq",
      "nullptr", "operator", "or", "or_eq", "private", "protected", "public", "register",
      "reinterpret_cast", "requires", "return", "short", "signals", "signed", "sizeof", "slots",
      "small", "static", "static_assert", "static_cast", "std", "stderr", "stdin", "stdout",
      "struct", "switch", "template", "this", "thread_local", "throw", "true", "try", "typedef",
      "typeid", "typename", "union", "unix", "unsigned", "using", "verify", "virtual", "void",
      "volatile", "wchar_t", "while", "xor", "xor_eq",
    ])

  /// Returns the constants in C++17.
  func cppCode(_ detail: PathDetail, _ generator: String) -> GeneratedCode {
    let tree = ConstantTree(
      self, Self.cppStyle, detail, packMembers: ["all"], folderMembers: ["folder"])
    var code = CodeText(indentedBy: "  ")
    code.line("// " + Self.generatedLine(generator))
    code.lines(Self.cppHead)
    code.line("namespace asset_packs {")
    code.line("")
    code.block("namespace packs {", "}") { code in
      for (pack, name) in zip(packs, tree.packNames) {
        code.line("// \(Self.sentence(about: pack))")
        code.line(Self.constant(name, LiteralEscapes.c.literal(pack.id.text)))
      }
      code.line("// All packs, in the order of their IDs.")
      let all = tree.packNames.joined(separator: ", ")
      code.line(
        "inline constexpr std::array<std::string_view, \(packs.count)> all = {{\(all)}};")
    }
    if detail != .none {
      code.line("")
      code.line("// The files of the packs, by folder.")
      code.block("namespace paths {", "}") { code in addCpp(tree.top, to: &code) }
    }
    code.line("")
    addCppTables(tree, detail, to: &code)
    code.line("")
    code.line("}  // namespace asset_packs")
    return GeneratedCode(text: code.text, collisions: tree.collisions)
  }

  private static func constant(_ name: String, _ literal: String) -> String {
    "inline constexpr std::string_view \(name) = \(literal)sv;"
  }

  private func addCpp(_ folder: ConstantTree.Folder, to code: inout CodeText) {
    let literal = LiteralEscapes.c.literal
    if !folder.path.isEmpty { code.line(Self.constant("folder", literal(folder.path))) }
    for file in folder.files {
      code.line("// In \(ownerNames(file.path.owners)).")
      code.line(Self.constant(file.name, literal(file.path.text)))
    }
    for inner in folder.folders {
      code.block("namespace \(inner.name) {", "}") { code in addCpp(inner, to: &code) }
    }
  }

  /// Adds the packs of each path and the languages of packs, with functions for them.
  private func addCppTables(
    _ tree: ConstantTree, _ detail: PathDetail, to code: inout CodeText
  ) {
    let literal = LiteralEscapes.c.literal
    code.block("namespace tables {", "}") { code in
      code.line("// The language of each pack.")
      let languages = packs.map { literal($0.language.map { "\($0)" } ?? "") + "sv" }
      code.line(
        "inline constexpr std::array<std::string_view, \(packs.count)> languages = "
          + "{{\(languages.joined(separator: ", "))}};")
      for (number, set) in owners.enumerated() where detail == .files {
        let names = set.map { "packs::" + tree.packNames[$0] }.joined(separator: ", ")
        code.line("inline constexpr std::string_view owners_\(number)[] = {\(names)};")
      }
      let sets = detail == .files ? owners : []
      let lists = sets.enumerated().map { "{owners_\($0), \($1.count)}" }
      code.line(
        "inline constexpr std::array<pack_list, \(sets.count)> owners = "
          + "{{\(lists.joined(separator: ", "))}};")
      code.line("// The paths in the order of their bytes.")
      code.line("struct file { const char* path; std::size_t owners; };")
      let files = detail == .files ? paths : []
      code.block("inline constexpr std::array<file, \(files.count)> files = {{", "}};") { code in
        for path in files { code.line("{\(literal(path.text)), \(path.owners)},") }
      }
    }
    code.lines(Self.cppFunctions)
  }

  private static let cppFunctions = """

    // Returns the packs with a file of 'paths'; several for a localized file.
    inline pack_list packs_with(std::string_view path) {
      auto found = std::lower_bound(
          tables::files.begin(), tables::files.end(), path,
          [](const tables::file& file, std::string_view path) { return file.path < path; });
      if (found == tables::files.end() || found->path != path) return {};
      return tables::owners[found->owners];
    }

    // Returns the language of a localized pack; empty for other packs.
    inline std::string_view language_of(std::string_view pack) {
      for (std::size_t index = 0; index < packs::all.size(); ++index) {
        if (packs::all[index] == pack) return tables::languages[index];
      }
      return {};
    }
    """

  private static let cppHead = """
    //
    // The code was compiled with Clang as C++17. It only has constants: call Apple's framework from
    // Objective-C++, for example with the code of the format 'objc'.
    #pragma once

    #include <algorithm>
    #include <array>
    #include <cstddef>
    #include <string_view>

    namespace asset_packs {
    using namespace std::string_view_literals;

    // IDs of packs, for a range-based loop.
    struct pack_list {
      const std::string_view* first = nullptr;
      std::size_t count = 0;
      constexpr const std::string_view* begin() const { return first; }
      constexpr const std::string_view* end() const { return first + count; }
      constexpr std::size_t size() const { return count; }
    };
    }

    """
}
