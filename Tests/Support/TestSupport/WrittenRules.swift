import Foundation

/// The rules in the sources of a module, read as text, so that no rule is missed.
package struct WrittenRules {
  /// The names, sorted.
  package private(set) var names: [String] = []
  /// Files with a rule whose names do not end in `Rules.swift`, and files with a finding without a
  /// rule.
  package private(set) var misplaced: [String] = []

  package init(in module: String) throws {
    let folder = try Checkout.module(module).path(percentEncoded: false)
    for file in try FileManager.default.subpathsOfDirectory(atPath: folder)
    where file.hasSuffix(".swift") {
      let text = try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
      let rules = text.components(separatedBy: "= Rule(").dropFirst()
      if !rules.isEmpty && !file.hasSuffix("Rules.swift") || text.contains("Finding(") {
        misplaced.append(file)
      }
      // The first string literal.
      names += rules.map { String($0.drop { $0 != "\"" }.dropFirst().prefix { $0 != "\"" }) }
    }
    names.sort()
  }
}
