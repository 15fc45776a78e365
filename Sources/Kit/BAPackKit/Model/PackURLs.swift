import FoundationEssentials
import SourceDiagnostics
import SystemIO
import TerminalText

/// The addresses of packs, from a base URL and the ID, or from a URL template.
package struct PackURLs: Sendable, Equatable {
  /// A name in braces that is replaced by a property of the pack.
  package enum Placeholder: String, Sendable, CaseIterable {
    case id
    case version
    /// The SHA-256 of the archive, in hexadecimal.
    case sha256
    /// The file name of the archive, without folders.
    case file
    /// The path of a file that is not a pack, with its folders.
    case path

    /// The placeholders for addresses of packs.
    package static let ofPacks: [Placeholder] = [.id, .version, .sha256, .file]
    /// The placeholders for addresses of other files.
    package static let ofFiles: [Placeholder] = [.path, .version, .sha256, .file]
  }

  private enum Part: Sendable, Equatable {
    case text(String)
    case placeholder(Placeholder)
  }

  private let parts: [Part]
  /// The complete template; reading it gives an equal value.
  package let template: String
  /// The host of all addresses.
  package let host: String
  /// The leading folders of all paths, from the base URL.
  let baseFolders: [String]

  /// Reads a base URL or a template; a template without a scheme is appended to the base URL.
  ///
  /// `{base}` in the template is the base URL without a trailing slash.
  package init(
    base: String?, template: String? = nil, allowingHTTP: Bool = false,
    placeholders: [Placeholder] = Placeholder.ofPacks
  ) throws(PackError) {
    let given = try base.map { text throws(PackError) in
      try Self.checkedBase(text, allowingHTTP)
    }
    let named = template?.replacingBytes(
      of: "{base}", with: given.map { Self.withoutSlash($0) } ?? "{base}")
    let whole: String
    if let named, Self.isAbsolute(named) {
      whole = named
    } else if let given {
      let own = named ?? "{\(placeholders[0].rawValue)}"
      whole = Self.withoutSlash(given) + "/" + own.drop { $0 == "/" }
    } else if template != nil {
      throw PackError(
        .invalidValue, "the URL template is not a complete address",
        remedies: ["begin it with https://", .specifyBaseAddress])
    } else {
      throw PackError(
        .missing, "the URL of the packs is not specified",
        remedy: .specifyAddresses)
    }
    let parts = try Self.parse(whole, placeholders)
    // With values instead of the placeholders, it must be a valid address.
    let name =
      template == nil
      ? "the base URL '\(publicAddress(base ?? ""))'"
      : "the URL template '\(publicAddress(whole))'"
    let hosts = try ["x", "y"].map { value throws(PackError) in
      try WebAddress(
        Self.address(parts) { _ in value }, called: name, allowingHTTP: allowingHTTP
      ).host
    }
    guard hosts[0] == hosts[1] else {
      throw PackError(
        .invalidValue, "\(name) has a placeholder in its host",
        remedy: "use it only in the path: an app lists the hosts that it downloads from")
    }
    self.parts = parts
    self.template = whole
    host = hosts[0]
    let root = given.map { Self.withoutSlash($0) }.flatMap { whole.hasPrefix($0 + "/") ? $0 : nil }
    baseFolders = root.flatMap { WebAddress($0) }?.path ?? []
  }

  /// Returns the address of a version of a pack; reserved characters are percent-encoded.
  package func url(id: PackID, version: Int, sha256: String, fileName: String) -> String {
    Self.address(parts) { placeholder in
      switch placeholder {
      case .id: percentEncoded(id.text.utf8)
      case .version: String(version)
      case .sha256: sha256
      case .file: percentEncoded(fileName.utf8)
      case .path: Self.encoded(path: id.text)
      }
    }
  }

  /// Returns whether an address matches a version of a pack; nil matches any digest.
  ///
  /// The file name of the archive is not in the record, so any name matches.
  func fits(_ url: String, id: PackID, version: Int, sha256: String?) -> Bool {
    let pieces: [Piece] = parts.map { part in
      switch part {
      case .text(let text): .bytes(Array(text.utf8))
      case .placeholder(.id): .bytes(Array(percentEncoded(id.text.utf8).utf8))
      case .placeholder(.version): .bytes(Array(String(version).utf8))
      case .placeholder(.sha256): sha256.map { .bytes(Array($0.utf8)) } ?? .digits
      case .placeholder(.file): .name
      case .placeholder(.path): .bytes(Array(Self.encoded(path: id.text).utf8))
      }
    }
    let text = Array(url.utf8)
    // The possible ends of the previous pieces in the address; after a name there are several.
    var ends = [Bool](repeating: false, count: text.count + 1)
    ends[0] = true
    for piece in pieces { ends = piece.ends(in: text, from: ends) }
    return ends[text.count]
  }

  /// A part of an address.
  private enum Piece {
    case bytes([UInt8])
    /// 64 hexadecimal digits.
    case digits
    /// A path component, or a part of one.
    case name

    func ends(in text: [UInt8], from starts: [Bool]) -> [Bool] {
      var ends = [Bool](repeating: false, count: starts.count)
      switch self {
      case .bytes(let bytes):
        for start in starts.indices where starts[start] && text[start...].starts(with: bytes) {
          ends[start + bytes.count] = true
        }
      case .digits:
        for start in starts.indices where starts[start] && start + 64 <= text.count {
          ends[start + 64] =
            text[start..<start + 64].allSatisfy(\.isLowercaseHexadecimalDigit)
        }
      case .name:
        var isInside = false
        for index in text.indices {
          isInside = (isInside || starts[index]) && !"/?#".utf8.contains(text[index])
          ends[index + 1] = isInside
        }
      }
      return ends
    }
  }

  private static func address(
    _ parts: [Part], _ value: (Placeholder) -> String
  ) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .placeholder(let placeholder): value(placeholder)
      }
    }.joined()
  }

  private static func isAbsolute(_ text: String) -> Bool { text.containsBytes(of: "://") }

  private static func checkedBase(
    _ base: String, _ allowingHTTP: Bool
  ) throws(PackError) -> String {
    let name = "the base URL '\(publicAddress(base))'"
    let address = try WebAddress(base, called: name, allowingHTTP: allowingHTTP)
    guard !address.hasQueryOrFragment else {
      throw PackError(
        .invalidValue, "\(name) has a query or a fragment",
        remedy: .specifyAddressTemplate)
    }
    return base
  }

  private static func withoutSlash(_ base: String) -> String {
    base.droppingTrailing("/")
  }

  private static func parse(
    _ template: String, _ allowed: [Placeholder]
  ) throws(PackError) -> [Part] {
    var parts: [Part] = []
    var rest = template[...]
    while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      let close = rest[open...].firstIndex(of: "}") ?? open
      guard close > open,
        let placeholder = Placeholder(rawValue: String(rest[rest.index(after: open)..<close])),
        allowed.contains(placeholder)
      else {
        throw PackError(
          .invalidValue, "unknown placeholder '\(rest[open...close])' in the URL template",
          remedy: .advice(
            "valid placeholders: {base}, "
              + allowed.map { "{\($0.rawValue)}" }.joined(separator: ", ")))
      }
      if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
      parts.append(.placeholder(placeholder))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    return parts
  }

  /// Returns a percent-encoded path; slashes are kept.
  private static func encoded(path: String) -> String {
    FilePath(path.utf8).components.map { percentEncoded($0.bytes) }.joined(separator: "/")
  }
}
