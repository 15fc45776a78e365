// The JSON forms of the values of the domain.

import FoundationEssentials
package import SourceDiagnostics
import SystemIO
import TerminalText

extension JSONForm<PackID> {
  package static var packID: JSONForm { .mapped(.text, write: \.text, read: { PackID($0) }) }
}

extension JSONForm<Moment> {
  /// A date and time in UTC: `2026-07-01T10:00:00Z`.
  package static var moment: JSONForm {
    .text(
      expecting: "a date such as '2026-07-01T10:00:00Z'", write: \.description,
      read: { Moment($0) })
  }
}

extension JSONForm<LanguageTag> {
  package static var language: JSONForm {
    .text(expecting: "a language tag such as 'zh-Hant'", write: \.description) { LanguageTag($0) }
  }
}

extension JSONForm<[UInt8]> {
  /// A SHA-256 digest in lower-case hexadecimal digits.
  package static var sha256: JSONForm {
    .text(expecting: "64 hexadecimal digits", pattern: "^[0-9a-fA-F]{64}$", write: hexadecimal) {
      [UInt8](hexadecimal: $0, count: 32)
    }
  }
}

// MARK: - Paths

extension AssetPath {
  /// The path for programs: only bytes that are not UTF-8 are escaped.
  package var exact: String { String(validating: bytes, as: UTF8.self) ?? shown }
}

extension Key {
  /// A key for a path in a pack, and a second key with its bytes in Base64 if it is not UTF-8.
  package static func path(
    _ name: String, _ property: any WritableKeyPath<Subject, AssetPath> & Sendable,
    _ summary: String
  ) -> [Key] {
    [
      Key(
        JSONKey(name, .string(), summary), property: property,
        write: { subject in
          let path = subject[keyPath: property]
          return .string(path.exact)
        }
      ) { node, subject, _ in
        subject[keyPath: property] = AssetPath(unchecked: (node.string ?? "").utf8)
        return true
      },
      Key(
        bytesKey(of: name),
        write: { subject in
          let path = subject[keyPath: property].bytes
          return String(validating: path, as: UTF8.self) == nil
            ? .string(Data(path).base64EncodedString()) : nil
        }
      ) { node, subject, findings in
        guard let bytes = node.string.flatMap({ Data(base64Encoded: $0) }) else {
          findings.add(.wrongType(node, "'\(name)Base64' must be a path in Base64"))
          return false
        }
        subject[keyPath: property] = AssetPath(unchecked: bytes)
        return true
      },
    ]
  }

  /// A key for a path in a pack; it is only written.
  package static func path(
    _ name: String, written get: @escaping @Sendable (Subject) -> AssetPath, _ summary: String
  ) -> Key {
    writtenPath(name, .required, { get($0).bytes }, summary)
  }

  /// A key for an optional path in a pack; it is only written, and omitted if the path is nil.
  package static func path(
    _ name: String, written get: @escaping @Sendable (Subject) -> AssetPath?, _ summary: String
  ) -> Key {
    writtenPath(name, .optional, { get($0)?.bytes }, summary)
  }

  /// A key for an optional path; it is only written, and omitted if the path is nil.
  package static func path(
    _ name: String, written get: @escaping @Sendable (Subject) -> [UInt8]?, _ summary: String
  ) -> Key {
    writtenPath(name, .optional, { get($0)?[...] }, summary)
  }

  /// A key for a path in a buffer; it is only written.
  package static func path(
    _ name: String, written get: @escaping @Sendable (Subject) -> ArraySlice<UInt8>,
    _ summary: String
  ) -> Key {
    writtenPath(name, .required, get, summary)
  }

  private static func writtenPath(
    _ name: String, _ presence: JSONKey.Presence,
    _ get: @escaping @Sendable (Subject) -> ArraySlice<UInt8>?, _ summary: String
  ) -> Key {
    let bytes = bytesKey(of: name)
    return Key(members: [JSONKey(name, .string(), is: presence, summary), bytes]) {
      subject, members in
      guard let path = get(subject) else { return }
      if let text = String(validating: path, as: UTF8.self) {
        members.append(.init(name, .string(text)))
      } else {
        members.append(.init(name, .string(shownBytes(path))))
        members.append(.init(bytes.name, .string(Data(path).base64EncodedString())))
      }
    }
  }

  private static func bytesKey(of name: String) -> JSONKey {
    JSONKey(
      name + "Base64", .string(), is: .optional,
      "The bytes of '\(name)' in Base64, if they are not UTF-8.")
  }
}
