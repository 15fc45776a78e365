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

/// An input as it is there, read once: a pipe gives its bytes to the first that asks.
package enum ConversionInput: Sendable {
  /// A text, and where it is.
  case text(FilePath, [UInt8])
  /// A zip, which is never held as a whole.
  case archive(FilePath)
  case folder(FilePath)

  /// What is at a path; throws if the machine refuses to read it.
  package init(at path: FilePath) throws(PackError) {
    self = try during(.reading) { () throws(Failure) in
      let file = try FileDescriptor.open(path.text, for: .waiting)
      let kind = try file.status().kind
      if kind == .directory { return .folder(path) }
      var bytes = try file.readToEnd(atMost: Self.zip.count)
      if bytes == Self.zip, kind == .file { return .archive(path) }
      bytes += try file.readToEnd(atMost: Self.largestText + 1 - bytes.count)
      return .text(path, bytes)
    }
  }

  /// How it was named.
  var path: FilePath {
    switch self {
    case .text(let path, _), .archive(let path), .folder(let path): path
    }
  }

  /// How a zip begins.
  private static let zip: [UInt8] = [0x50, 0x4B, 0x03, 0x04]
  /// The most bytes of a text that are read; one more shows that it is too large.
  package static let largestText = ReadingLimits.bytes
  /// How much of a text is looked at to tell its kind.
  static let startSize = 64 << 10
}

extension Conversion {
  /// Converts what is at a path; throws if the machine refuses to read it.
  package init(of path: FilePath, _ wishes: ConversionWishes) throws(PackError) {
    try self.init(of: try ConversionInput(at: path), wishes)
  }

  /// Converts an input; throws if the machine refuses to read what it names.
  package init(of input: ConversionInput, _ wishes: ConversionWishes) throws(PackError) {
    switch (wishes.kind ?? InputKind.of(input), input) {
    case (.steam, .text(let path, let bytes)):
      self = try Conversion(ofSteamScript: bytes, at: path, wishes)
    case (.odr, _): self = try Conversion(ofOnDemandResources: input, wishes)
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

/// The bytes of a text that somebody wrote; one more than allowed shows that it is too large.
func readText(_ path: FilePath, atMost limit: Int) throws(PackError) -> [UInt8] {
  try during(.reading) { () throws(Failure) in
    try FileDescriptor.open(path.text, for: .waiting).readToEnd(atMost: limit + 1)
  }
}
