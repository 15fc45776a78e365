import BAPackKit
import Glibc
import SystemIO

/// A `.gitignore` to which lines are appended; its other bytes are unchanged.
struct IgnoreFile {
  /// The name of the file in the folder of a project.
  static let name: FileName = ".gitignore"

  private let path: String
  /// The contents; nil if the file does not exist.
  private let before: [UInt8]?
  private let after: [UInt8]

  /// The maximum size of a file that is read.
  private static let largest = 16 << 20

  /// Reads the file.
  ///
  /// - Throws: An error if lines are missing and the file cannot be changed: it is a link, or not a
  ///   regular file.
  init(in folder: FilePath, adding lines: [String]) throws(PackError) {
    let path = folder.appending(Self.name).text
    self.path = path
    let (kind, before) = try mapFailure(.reading) { () throws(Failure) in try Self.read(path) }
    guard kind.map({ $0 == .file || $0 == .symbolicLink }) ?? true else {
      throw PackError(
        .unsupported, "cannot append to '\(FilePath(path).shown)': it is not a file",
        remedy: "rename it")
    }
    guard (before?.count ?? 0) <= Self.largest else {
      throw Self.refusal(path, "it is too large", lines)
    }
    let missing = lines.filter { !Self.isIn(before ?? [], $0) }
    self.before = before
    after = (before ?? []) + Self.addition(of: missing, to: before ?? [])
    guard isIncomplete else { return }
    if kind == .symbolicLink { throw Self.refusal(path, "it is a symbolic link", lines) }
    if before == nil {
      try mapFailure(.writing) { () throws(Failure) in
        try AtomicFile.check(path, replacing: false)
      }
    }
  }

  /// Whether lines are missing in the file.
  var isIncomplete: Bool { before.map { $0 != after } ?? !after.isEmpty }

  /// Returns the kind of the file, nil if there is none, and the contents, nil if there is no file
  /// or its name is a link to none.
  private static func read(
    _ path: String
  ) throws(Failure) -> (kind: FileKind?, bytes: [UInt8]?) {
    let kind: FileKind
    do throws(Failure) {
      kind = try FileStatus(ofLinkAt: path).kind
    } catch {
      guard error.code == ENOENT else { throw error }
      return (nil, nil)
    }
    guard (try? FileStatus(ofFileAt: path))?.kind == .file else { return (kind, nil) }
    return (kind, try FileDescriptor.open(path, for: .reading).readToEnd(atMost: largest + 1))
  }

  private static func refusal(_ path: String, _ reason: String, _ lines: [String]) -> PackError {
    PackError(
      .unsupported, "cannot append to '\(FilePath(path).shown)': \(reason)",
      remedy: .advice("add the line '\(lines.joined(separator: "', '"))' to it"))
  }

  /// Returns whether the text contains the line of a folder, with or without slashes at its ends.
  private static func isIn(_ text: [UInt8], _ line: String) -> Bool {
    let name = line.utf8.drop { $0 == slash }
    let forms = [Array(line.utf8), Array(line.utf8.dropLast()), Array(name), name.dropLast()]
    return text.split { $0 == 0x0A || $0 == 0x0D }.contains { forms.contains(Array($0)) }
  }

  /// Returns the bytes to append, with the line ends of the text.
  private static func addition(of lines: [String], to text: [UInt8]) -> [UInt8] {
    guard !lines.isEmpty else { return [] }
    let first = text.firstIndex(of: 0x0A)
    let end: [UInt8] =
      first.map { $0 > 0 && text[$0 - 1] == 0x0D } ?? false ? [0x0D, 0x0A] : [0x0A]
    let start = text.isEmpty || text.last == 0x0A ? [] : end
    return start + lines.flatMap { Array($0.utf8) + end }
  }

  /// Writes the file, if lines are missing.
  func write() throws(PackError) {
    guard isIncomplete else { return }
    guard let before else {
      return try mapFailure(.writing) { () throws(Failure) in
        try AtomicFile.write(after, to: path)
      }
    }
    try mapFailure(.rewriting) { () throws(Failure) in
      let file = try FileRewrite(path)
      guard try file.contents(atMost: Self.largest + 1) == before else {
        throw Failure(.rewrite, path, code: ESTALE)
      }
      try file.replace(by: after)
    }
  }
}

/// Removes a file, if that is possible.
func removeQuietly(_ path: String) {
  let place = OutputPlace(path)
  (try? FileDescriptor.open(place.folder, for: .directory))?.removeQuietly(place.name)
}
