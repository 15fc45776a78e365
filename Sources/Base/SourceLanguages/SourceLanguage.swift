/// A programming language whose comments and string literals are parsed.
package enum SourceLanguage: Sendable, CaseIterable {
  case swift, cSharp, gdScript
  /// C, C++, Objective-C and Objective-C++.
  case c

  /// The file name extensions of the language.
  var endings: [String] {
    switch self {
    case .swift: ["swift"]
    case .cSharp: ["cs"]
    case .gdScript: ["gd"]
    case .c: ["c", "cc", "cpp", "cxx", "h", "hh", "hpp", "inl", "m", "mm"]
    }
  }

  /// Creates the language of a file; nil for a file that is not a source file.
  package init?(ofFileNamed name: String) {
    let found = Self.allCases.first { language in
      language.endings.contains { name.hasSuffix("." + $0) }
    }
    guard let found else { return nil }
    self = found
  }
}
