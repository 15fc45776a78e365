package import BAPackKit
import Glibc
import SourceDiagnostics
package import SystemIO

/// What can be converted.
package enum InputKind: String, Sendable, CaseIterable {
  /// Build scripts of Steam's depots and apps.
  case steam
  /// On-Demand Resources: a project of Xcode, a spec of one, or what Xcode built.
  case odr

  /// What is known of an input before it is read.
  enum Form {
    /// A file, and how it begins.
    case file(FilePath, start: [UInt8])
    case folder(FilePath)
  }

  /// Whether an input is of this kind.
  private func recognizes(_ form: Form) -> Bool {
    switch self {
    case .steam: SteamScript.recognizes(form)
    case .odr: OnDemandInput.recognizes(form)
    }
  }

  /// The kind of an input, told from its contents.
  static func of(_ form: Form) -> InputKind? { allCases.first { $0.recognizes(form) } }

  /// How much of a file is looked at to tell its kind.
  private static let startSize = 64 << 10

  static func form(of path: FilePath) throws(PackError) -> Form {
    try during(.reading) { () throws(Failure) in
      let file = try FileDescriptor.open(path.text, for: .waiting)
      if try file.status().kind == .directory { return .folder(path) }
      return .file(path, start: try file.readToEnd(atMost: startSize))
    }
  }
}

extension Conversion {
  /// Converts what is at a path; throws if the machine refuses to read it.
  package init(of path: FilePath, _ wishes: ConversionWishes) throws(PackError) {
    let form = try InputKind.form(of: path)
    switch wishes.kind ?? InputKind.of(form) {
    case .steam: self = try Conversion(ofSteamScript: path, wishes)
    case .odr: self = try Conversion(ofOnDemandResources: path, wishes)
    case nil:
      self.init()
      findings.add(
        ConversionRules.unknownInput(at: nil), about: SourceText([], named: path.text))
    }
  }
}

/// The bytes of a text that somebody wrote; one more than allowed shows that it is too large.
func readText(_ path: FilePath, atMost limit: Int) throws(PackError) -> [UInt8] {
  try during(.reading) { () throws(Failure) in
    try FileDescriptor.open(path.text, for: .waiting).readToEnd(atMost: limit + 1)
  }
}
