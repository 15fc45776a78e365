import Foundation

/// How the address of a pack is made: a base with the ID behind it, or a template.
public struct PackURLs: Sendable, Equatable {
  /// A word in braces that stands for something about a pack.
  public enum Placeholder: String, Sendable, CaseIterable {
    /// The ID.
    case id
    /// The version.
    case version
    /// The SHA-256 of the archive, in hexadecimal digits.
    case sha256
    /// The name of the archive's file, without folders.
    case file
  }

  private enum Part: Sendable, Equatable {
    case text(String)
    case placeholder(Placeholder)
  }

  private let parts: [Part]
  /// The host that the packs come from.
  public let host: String

  /// Reads a form; a template that does not begin with `https://` is put behind the base.
  public init(
    base: String?, template: String? = nil, allowingHTTP: Bool = false
  ) throws(PackError) {
    let whole: String
    if let template, Self.isAbsolute(template) {
      whole = template
    } else if let base {
      whole = try Self.join(Self.checkedBase(base, allowingHTTP), template ?? "{id}")
    } else if template != nil {
      throw PackError(
        .unsupported, "the URL template is not a whole address",
        remedy: "begin it with https://, or name the base with --download-base-url")
    } else {
      throw PackError(
        .unsupported, "nothing says where the packs are served",
        remedy: "name it with --download-base-url or --url-template")
    }
    let parts = try Self.parse(whole)
    self.parts = parts
    // With harmless values in their places, the braces must have left a real address.
    let sample = Self.address(parts) { _ in "x" }
    let name = template == nil ? "the base URL '\(base ?? "")'" : "the URL template '\(whole)'"
    host = try WebAddress(sample, called: name, allowingHTTP: allowingHTTP).host
  }

  /// The address of one version of a pack; what is not plain text is percent-encoded.
  public func url(id: String, version: Int, sha256: String, fileName: String) -> String {
    Self.address(parts) { placeholder in
      switch placeholder {
      case .id: Self.encoded(id)
      case .version: String(version)
      case .sha256: sha256
      case .file: Self.encoded(fileName)
      }
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

  private static func isAbsolute(_ text: String) -> Bool { text.contains("://") }

  private static func checkedBase(
    _ base: String, _ allowingHTTP: Bool
  ) throws(PackError) -> String {
    let address = try WebAddress(base, called: "the base URL '\(base)'", allowingHTTP: allowingHTTP)
    guard !address.hasQueryOrFragment else {
      throw PackError(
        .unsupported, "the base URL '\(base)' has a query or a fragment",
        remedy: "use --url-template, which can put the pack anywhere in the address")
    }
    return base
  }

  /// Exactly one slash between base and rest.
  private static func join(_ base: String, _ rest: String) -> String {
    let head = base.reversed().drop { $0 == "/" }.reversed()
    return String(head) + "/" + rest.drop { $0 == "/" }
  }

  private static func parse(_ template: String) throws(PackError) -> [Part] {
    var parts: [Part] = []
    var rest = template[...]
    while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      let close = rest[open...].firstIndex(of: "}") ?? open
      guard close > open,
        let placeholder = Placeholder(rawValue: String(rest[rest.index(after: open)..<close]))
      else {
        throw PackError(
          .unsupported, "the URL template has no placeholder '\(rest[open...close])'",
          remedy: "there are "
            + Placeholder.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", "))
      }
      if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
      parts.append(.placeholder(placeholder))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    return parts
  }

  /// A path component: all but RFC 3986's unreserved characters in percent signs.
  private static func encoded(_ component: String) -> String {
    let plain = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    return component.addingPercentEncoding(withAllowedCharacters: plain) ?? component
  }
}
