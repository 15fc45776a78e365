import Foundation

/// The rules that stand in the sources of a module, read as texts, so that none can be forgotten.
package struct WrittenRules {
  /// Their names, sorted.
  package private(set) var names: [String] = []
  /// Files that have a rule and are not called so, or that make a finding without a rule.
  package private(set) var misplaced: [String] = []

  package init(in module: String) throws {
    let folder = Checkout.file("Sources/\(module)").path(percentEncoded: false)
    for file in try FileManager.default.subpathsOfDirectory(atPath: folder)
    where file.hasSuffix(".swift") {
      let text = try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
      let rules = text.components(separatedBy: "= Rule(").dropFirst()
      if !rules.isEmpty && !file.hasSuffix("Rules.swift") || text.contains("Finding(") {
        misplaced.append(file)
      }
      // What stands first in quotation marks.
      names += rules.map { String($0.drop { $0 != "\"" }.dropFirst().prefix { $0 != "\"" }) }
    }
    names.sort()
  }
}
