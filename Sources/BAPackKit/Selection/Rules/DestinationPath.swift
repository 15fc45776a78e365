import SourceDiagnostics
import SystemIO

/// A path in the pack can be written into an archive and used on a device.
enum DestinationPath {
  static let rule = Rule(
    "files.name",
    what: """
      The path of a selected file is not UTF-8, holds a control character or a component '.' or \
      '..', or is longer than 1,023 bytes in the archive, or has a component of more than 255.
      """,
    why: """
      Such names cannot be asked for by an app, or do not survive on every file system. The archive's \
      prefix 'Contents/' counts.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"fileSource": "a.txt", "fileDestination": "a\u0007.txt"}]"#,
      right: #""fileSelectors": [{"fileSource": "a.txt", "fileDestination": "a.txt"}]"#))

  /// What is wrong with a path.
  enum Fault: Equatable {
    case notUTF8, controlCharacter, dotComponent, empty
    case tooLong(Int)
    case longComponent(Int)
  }

  /// The most bytes that a path may have in the archive.
  static let limit = 1023
  /// A path of more names than this is longer than that in any case.
  static let mostComponents = limit / 2
  /// The most bytes that a file system takes for one name.
  static let componentLimit = 255
  /// What the archive puts before every path.
  static let prefixLength = "Contents/".utf8.count

  static func fault(in path: [UInt8]) -> Fault? {
    if path.isEmpty { return .empty }
    if path.count + prefixLength > limit { return .tooLong(path.count + prefixLength) }
    var isPlain = true
    var previous = slash
    var (length, longest) = (0, 0)
    for byte in path {
      // Only control characters, what is not ASCII and a dot first in a component need a second look.
      if byte < 0x20 || byte >= 0x7F || (byte == dot && previous == slash) { isPlain = false }
      length = byte == slash ? 0 : length + 1
      longest = max(longest, length)
      previous = byte
    }
    if longest > componentLimit { return .longComponent(longest) }
    return isPlain ? nil : closerLook(path)
  }

  private static func closerLook(_ path: [UInt8]) -> Fault? {
    guard let text = String(validating: path, as: UTF8.self) else { return .notUTF8 }
    if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      return .controlCharacter
    }
    let hasDots = path.split(separator: slash).contains {
      $0.elementsEqual([dot]) || $0.elementsEqual([dot, dot])
    }
    return hasDots ? .dotComponent : nil
  }

  static func finding(_ path: [UInt8], _ fault: Fault, at span: SourceSpan?) -> Diagnostic {
    let name = shownBytes(path)
    let message: Diagnostic.Message =
      switch fault {
      case .notUTF8: "the name '\(path: name)' is not UTF-8"
      case .controlCharacter: "the name '\(path: name)' holds a control character"
      case .dotComponent: "the path '\(path: name)' has a component '.' or '..'"
      case .empty: "a path in the pack is empty"
      case .tooLong(let count):
        "the path '\(name)' has \(count) bytes in the archive and may have \(limit)"
      case .longComponent(let count):
        "the path '\(name)' has a component of \(count) bytes, and a name may have \(componentLimit)"
      }
    return rule.finding(.error, message, at: span)
  }
}
