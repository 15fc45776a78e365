import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO

/// The manifests that a command is given, and how they are to be judged.
struct ManifestInput: Sendable {
  /// `-` is standard input.
  static let paths = ArgumentList(
    "manifest", .file(), "The manifest to read; '-' reads standard input.")
  static let hosting = Option<Hosting>(
    "hosting", .choice, called: "hosting",
    "Also apply the rules of those who host packs: Apple, or a server of your own.")

  /// The limit above which a file is no manifest.
  private static let limit = JSONLimits().size

  var hosting: Hosting?

  init(hosting: Hosting?) { self.hosting = hosting }

  /// Reads one manifest: everything that is wrong with its text is a diagnostic of the document.
  func read(_ path: String, _ console: Console) throws(PackError) -> ManifestDocument {
    let name = path == "-" ? "<stdin>" : path
    guard let bytes = try bytes(of: path, console) else {
      throw PackError(.unsupported, "'\(name)' is larger than any manifest")
    }
    return ManifestDocument(parsing: bytes, named: name, for: hosting)
  }

  private func bytes(of path: String, _ console: Console) throws(PackError) -> [UInt8]? {
    do throws(SystemError) {
      if path == "-" { return try console.readInput(limit: Self.limit) }
      let file = try FileDescriptor.open(path, for: .waiting)
      if try file.status().kind != .directory { return try file.readToEnd(limit: Self.limit) }
    } catch {
      throw PackError(error)
    }
    throw PackError(.unsupported, "'\(path)' is a folder, not a manifest")
  }
}

extension Console {
  /// Standard input to its end; nil when it has more than `limit` bytes.
  fileprivate func readInput(limit: Int) throws(SystemError) -> [UInt8]? {
    if let givenInput { return givenInput.count > limit ? nil : givenInput }
    return try FileDescriptor.open("/dev/stdin", for: .waiting).readToEnd(limit: limit)
  }
}
