package import BAPackKit
import SourceDiagnostics
package import SystemIO

extension InputKind {
  private func recognizes(_ input: ConversionInput) -> Bool {
    switch self {
    case .steam: SteamScript.recognizes(input)
    case .odr: OnDemandInput.recognizes(input)
    }
  }

  /// Returns the kind of an input, detected from its contents.
  static func of(_ input: ConversionInput) -> InputKind? {
    allCases.first { $0.recognizes(input) }
  }
}

extension Conversion {
  /// Converts the input at a path; throws if the system call fails.
  package init(of path: FilePath, _ options: ConversionOptions) throws(PackError) {
    try self.init(of: try ConversionInput(at: path, options.work), options)
  }

  /// Converts an input; throws if a file that it names cannot be read.
  package init(of input: ConversionInput, _ options: ConversionOptions) throws(PackError) {
    switch (options.kind ?? InputKind.of(input), input) {
    case (.steam, .text(let path, let bytes)):
      self = try Conversion(ofSteamScript: bytes, at: path, options)
    case (.odr, _): self = try Conversion(ofOnDemandResources: input, options)
    case (.steam, _):
      self.init()
      findings.add(
        ConversionRules.unknownInput("a Steam build script is a text file, and this input is not"),
        about: SourceText([], named: input.path.text))
    case (nil, _):
      self.init()
      findings.add(
        ConversionRules.unknownInput(
          "unknown input; expected a .vdf, .xcodeproj, .app, .xcarchive or .ipa"),
        about: SourceText([], named: input.path.text))
    }
  }
}
