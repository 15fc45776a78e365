import BAPackKit

extension PackConstants {
  /// Names have a prefix, so that no name is reserved.
  static let objectiveCStyle = NameStyle(constants: .upperCamel, folders: .upperCamel)

  /// Returns the constants and the runtime as one header for Objective-C and Objective-C++.
  ///
  /// C has no name spaces, so that the names of folders precede those of files.
  func objectiveCCode(_ detail: PathDetail, _ generator: String) -> GeneratedCode {
    let tree = ConstantTree(self, Self.objectiveCStyle, detail, packMembers: ["s"])
    var code = CodeText(indentedBy: "  ")
    code.line("// " + Self.generatedLine(generator))
    code.lines(Self.objectiveCHead)
    for (pack, name) in zip(packs, tree.packNames) {
      code.line("/// \(Self.sentence(about: pack))")
      code.line(Self.constant("AssetPackID" + name, pack.id.text))
    }
    code.line("")
    addObjectiveC(tree.top, prefix: "", to: &code)
    code.line("")
    code.lines(RuntimeFiles.objectiveC)
    addObjectiveCTables(tree, detail, to: &code)
    return GeneratedCode(text: code.text, collisions: tree.collisions)
  }

  private static func constant(_ name: String, _ text: String) -> String {
    "static NSString *const \(name) = @\(LiteralEscapes.c.literal(text));"
  }

  private func addObjectiveC(
    _ folder: ConstantTree.Folder, prefix: String, to code: inout CodeText
  ) {
    if !folder.path.isEmpty {
      code.line(Self.constant("AssetFolder" + prefix.dropLast(), folder.path))
    }
    for file in folder.files {
      code.line("/// In \(ownerNames(file.path.owners)).")
      code.line(Self.constant("AssetPath" + prefix + file.name, file.path.text))
    }
    for inner in folder.folders {
      addObjectiveC(inner, prefix: prefix + inner.name + "_", to: &code)
    }
  }

  /// Adds the packs with their languages and the packs of each path to the implementation.
  private func addObjectiveCTables(
    _ tree: ConstantTree, _ detail: PathDetail, to code: inout CodeText
  ) {
    let names = tree.packNames.map { "AssetPackID" + $0 }
    code.block("static NSArray<NSString *> *AssetPacksAll(void) {", "}") { code in
      code.line("return @[\(names.joined(separator: ", "))];")
    }
    code.line("")
    code.block(
      "static NSDictionary<NSString *, NSString *> *AssetPacksLanguages(void) {", "}"
    ) { code in
      let pairs = zip(packs, names).compactMap { pack, name in
        pack.language.map { "\(name) : @\"\($0)\"" }
      }
      code.line("return @{\(pairs.joined(separator: ", "))};")
    }
    code.line("")
    let files = detail == .files ? paths : []
    code.block("static NSArray<NSString *> *AssetPacksOfPath(NSString *path) {", "}") { code in
      code.line("// The paths in the order of their bytes, each with the number of its packs.")
      code.block(
        "static const struct { const char *path; unsigned packs; } files[] = {", "};"
      ) { code in
        for path in files {
          code.line("{\(LiteralEscapes.c.literal(path.text)), \(path.owners)},")
        }
        if files.isEmpty { code.line("{0, 0},") }
      }
      code.lines(Self.objectiveCSearch.replacing("COUNT", with: "\(files.count)"))
      for (number, set) in owners.enumerated() where detail == .files {
        code.line("case \(number): return @[\(set.map { names[$0] }.joined(separator: ", "))];")
      }
      code.line("default: return @[];")
      code.line("}")
    }
    code.line("")
    code.line("#pragma clang diagnostic pop")
    code.line("#endif  // ASSET_PACKS_IMPLEMENTATION")
  }

  private static let objectiveCSearch = """
    const char *bytes = path.UTF8String;
    unsigned low = 0, high = COUNT, number = ~0u;
    while (bytes && low < high) {
      unsigned middle = (low + high) / 2;
      int order = strcmp(files[middle].path, bytes);
      if (order == 0) {
        number = files[middle].packs;
        break;
      }
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    switch (number) {
    """

  private static let objectiveCHead = """
    //
    // Import it where you need it. In exactly one file, write '#define ASSET_PACKS_IMPLEMENTATION'
    // before the import.
    //
    // The code was checked by Clang on Linux with headers that have the documented declarations of
    // Apple's framework. It was not compiled with the framework, and it was not run: test the
    // downloads on a device.
    //
    // It requires ARC and the SDK of iOS 26.4, and uses the functions of iOS 27 if the SDK has
    // them. Link BackgroundAssets weakly in an app that supports systems before iOS 16.1 or
    // macOS 13.
    #pragma once

    #import <Foundation/Foundation.h>

    NS_ASSUME_NONNULL_BEGIN

    """
}
