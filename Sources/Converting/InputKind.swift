package import BAPackKit
import SourceDiagnostics
package import SystemIO

extension InputKind {
  /// Whether an input is of this kind.
  private func recognizes(_ input: ConversionInput) -> Bool {
    switch self {
    case .steam: SteamScript.recognizes(input)
    case .odr: OnDemandInput.recognizes(input)
    }
  }

  /// The kind of an input, told from its contents.
  static func of(_ input: ConversionInput) -> InputKind? {
    allCases.first { $0.recognizes(input) }
  }
}

extension Conversion {
  /// Converts what is at a path; throws if the machine refuses to read it.
  package init(of path: FilePath, _ options: ConversionOptions) throws(PackError) {
    try self.init(of: try ConversionInput(at: path, options.work), options)
  }

  /// Converts an input; throws if the machine refuses to read what it names.
  package init(of input: ConversionInput, _ options: ConversionOptions) throws(PackError) {
    switch (options.kind ?? InputKind.of(input), input) {
    case (.steam, .text(let path, let bytes)):
      self = try Conversion(ofSteamScript: bytes, at: path, options)
    case (.odr, _): self = try Conversion(ofOnDemandResources: input, options)
    case (.steam, _):
      self.init()
      findings.add(
        ConversionRules.unknownInput("a build script of Steam is a text, and this is none"),
        about: SourceText([], named: input.path.text))
    case (nil, _):
      self.init()
      findings.add(
        ConversionRules.unknownInput("this is nothing that can be converted"),
        about: SourceText([], named: input.path.text))
    }
  }
}
