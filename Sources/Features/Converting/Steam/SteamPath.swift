import BAPackKit
import SystemIO
import TerminalText

/// A path as a script writes it: with either separator, possibly on a Windows drive.
struct SteamPath: Sendable {
  enum Start: Sendable, Equatable {
    case here
    /// The root of a file system.
    case top
    /// A Windows drive, or another computer.
    case drive(String)
  }

  let start: Start
  /// The number of leading `..`.
  let ups: Int
  /// The following names, without `.` and `..`.
  let names: [String]
  /// Whether it ends in a separator, or in a name that represents a folder.
  let meansFolder: Bool

  init(_ text: String) {
    let bytes = text.utf8.map { $0 == UInt8(ascii: "\\") ? slash : $0 }
    if bytes.first?.isLetter == true, bytes.dropFirst().first == colon {
      start = .drive(String(decoding: bytes.prefix(2), as: UTF8.self))
    } else if bytes.starts(with: [slash, slash]), text.utf8.first == UInt8(ascii: "\\") {
      start = .drive("\\\\")
    } else {
      start = bytes.first == slash ? .top : .here
    }
    let rest = if case .drive = start { bytes.dropFirst(2) } else { bytes[...] }
    var ups = 0
    var names: [String] = []
    let parts = rest.split(separator: slash)
    for part in parts where !part.elementsEqual(".".utf8) {
      if !part.elementsEqual("..".utf8) {
        names.append(String(decoding: part, as: UTF8.self))
      } else if names.popLast() == nil {
        ups += 1
      }
    }
    self.ups = ups
    self.names = names
    meansFolder =
      rest.last == slash
      || parts.last.map { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) } ?? true
  }

  /// Returns the names after a folder, if the path is below it; case is ignored.
  func names(below folder: SteamPath) -> [String]? {
    guard start == folder.start || isOnDrive(of: folder),
      start != .here || ups == folder.ups, names.count >= folder.names.count
    else { return nil }
    for (name, other) in zip(names, folder.names)
    where foldedCase(name.utf8) != foldedCase(other.utf8) { return nil }
    return Array(names.dropFirst(folder.names.count))
  }

  /// Whether both paths start at the same drive, or at the root of a file system.
  func isOnDrive(of other: SteamPath) -> Bool {
    start != .here && other.start != .here && isSameDrive(other)
  }

  private func isSameDrive(_ other: SteamPath) -> Bool {
    guard case .drive(let mine) = start, case .drive(let yours) = other.start else {
      return start == other.start
    }
    return mine.lowercased() == yours.lowercased()
  }

  /// Returns the path relative to a folder, if it is not on a drive.
  func path(from folder: FilePath) -> FilePath {
    let names = Array(repeating: "..", count: ups) + names
    let path = FilePath(joining: names.map { FileName($0) })
    if start == .top { return FilePath([slash] + path.bytes) }
    return path.bytes.isEmpty ? folder : folder.appending(path)
  }
}

/// A pattern of a script: `?` matches one character, and `*` matches any text.
struct SteamPattern: Sendable {
  /// The pattern as the script writes it.
  let text: String
  private let bytes: [UInt8]
  /// Whether it contains a wildcard.
  let hasWildcards: Bool

  /// Creates a pattern.
  ///
  /// It is compared with case-folded names, unless case matters.
  init(_ text: String, foldingCase: Bool = true) {
    self.text = text
    bytes = foldingCase ? foldedCase(text.utf8) : Array(text.utf8)
    hasWildcards = bytes.contains { $0 == star || $0 == mark }
  }

  /// Whether the pattern matches every name.
  ///
  /// On Windows, `*.*` does, because it also matches names without a dot.
  var matchesAll: Bool {
    !bytes.isEmpty && bytes.allSatisfy { $0 == star } || bytes.elementsEqual("*.*".utf8)
  }

  /// The bytes that every matching text contains.
  var needed: ByteSketch {
    var needed = ByteSketch()
    if matchesAll { return needed }
    for piece in bytes.split(whereSeparator: { $0 == star || $0 == mark }) { needed.add(piece) }
    return needed
  }

  /// Whether a whole name or path matches; `*` also matches separators.
  ///
  /// Complexity: at most the product of both lengths, because only the last `*` is extended.
  func matches(_ text: ArraySlice<UInt8>) -> Bool {
    if bytes.elementsEqual("*.*".utf8) { return true }
    var place = 0
    var position = text.startIndex
    var retry: (place: Int, position: Int)?
    while true {
      if place < bytes.count, bytes[place] == star {
        place += 1
        if place == bytes.count { return true }
        retry = (place, position)
        continue
      }
      if place == bytes.count, position == text.endIndex { return true }
      if place < bytes.count, position < text.endIndex {
        if bytes[place] == mark {
          place += 1
          position = text.afterCharacter(at: position)
          continue
        }
        if bytes[place] == text[position] {
          place += 1
          position += 1
          continue
        }
      }
      guard let last = retry, last.position < text.endIndex else { return false }
      retry = (last.place, last.position + 1)
      (place, position) = (last.place, last.position + 1)
    }
  }
}

extension ArraySlice<UInt8> {
  /// Returns the index after the UTF-8 character at an index.
  fileprivate func afterCharacter(at index: Int) -> Int {
    var next = index + 1
    while next < endIndex, self[next] & 0xC0 == 0x80 { next += 1 }
    return next
  }
}

private let colon = UInt8(ascii: ":")
private let star = UInt8(ascii: "*")
private let mark = UInt8(ascii: "?")
