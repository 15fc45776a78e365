import FoundationEssentials
import SystemIO
import TerminalText

/// How the address of a pack is made: from a base and the ID, or from a template.
package struct PackURLs: Sendable, Equatable {
  /// A word in braces that is replaced by a property of the pack.
  package enum Placeholder: String, Sendable, CaseIterable {
    /// The ID.
    case id
    /// The version.
    case version
    /// The SHA-256 of the archive, in hexadecimal.
    case sha256
    /// The name of the archive's file, without folders.
    case file
    /// The path of a file that is no pack, with its folders.
    case path

    /// What the address of a pack may hold.
    package static let ofPacks: [Placeholder] = [.id, .version, .sha256, .file]
    /// What the address of a file may hold that is no pack.
    package static let ofFiles: [Placeholder] = [.path, .version, .sha256, .file]
  }

  private enum Part: Sendable, Equatable {
    case text(String)
    case placeholder(Placeholder)
  }

  private let parts: [Part]
  /// The whole template; reading it again gives the same value.
  package let template: String
  /// The host of all addresses.
  package let host: String
  /// The folders at the beginning of all paths that come from the base.
  let baseFolders: [String]

  /// Reads a base or a template; a template that does not begin with `https://` is appended to the
  /// base.
  ///
  /// `{base}` in it stands for the base without its last slash.
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
        .invalidValue, "the URL template is not a whole address",
        remedies: ["begin it with https://", .nameBaseAddress])
    } else {
      throw PackError(
        .missing, "nothing says where the packs are served",
        remedy: .nameAddresses)
    }
    let parts = try Self.parse(whole, placeholders)
    // With harmless values instead of the braces, it must be a real address.
    let name = template == nil ? "the base URL '\(base ?? "")'" : "the URL template '\(whole)'"
    let hosts = try ["x", "y"].map { value throws(PackError) in
      try WebAddress(
        Self.address(parts) { _ in value }, called: name, allowingHTTP: allowingHTTP
      ).host
    }
    guard hosts[0] == hosts[1] else {
      throw PackError(
        .invalidValue, "\(name) has a placeholder in its host",
        remedy: "put it behind the host: an app names the hosts that it downloads from")
    }
    self.parts = parts
    self.template = whole
    host = hosts[0]
    let root = given.map { Self.withoutSlash($0) }.flatMap { whole.hasPrefix($0 + "/") ? $0 : nil }
    baseFolders = root.flatMap { WebAddress($0) }?.path ?? []
  }

  /// The address of one version of a pack; other characters than plain ones are percent-encoded.
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

  /// Whether an address is that of one version of a pack; if the digest is not known, any digest
  /// fits.
  ///
  /// The name of the archive's file is not in the record, so any name fits.
  func fits(_ url: String, id: PackID, version: Int, sha256: String?) -> Bool {
    let wanted: [Piece] = parts.map { part in
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
    // Where in the address the pieces so far can end; after a name there are several such places.
    var ends = [Bool](repeating: false, count: text.count + 1)
    ends[0] = true
    for piece in wanted { ends = piece.ends(in: text, from: ends) }
    return ends[text.count]
  }

  /// What an address must have at one place.
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
    let address = try WebAddress(base, called: "the base URL '\(base)'", allowingHTTP: allowingHTTP)
    guard !address.hasQueryOrFragment else {
      throw PackError(
        .invalidValue, "the base URL '\(base)' has a query or a fragment",
        remedy: .nameAddressTemplate)
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
          .invalidValue, "the URL template has no placeholder '\(rest[open...close])'",
          remedy: .advice(
            "there are {base}, "
              + allowed.map { "{\($0.rawValue)}" }.joined(separator: ", ")))
      }
      if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
      parts.append(.placeholder(placeholder))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    return parts
  }

  /// A path, whose slashes stay.
  private static func encoded(path: String) -> String {
    FilePath(path.utf8).components.map { percentEncoded($0.bytes) }.joined(separator: "/")
  }
}
