import BAPackKit
import SystemIO
import TerminalText

/// A file that a device creates in its folder, identified by its name.
enum DeviceFile: Hashable {
  /// `files-N`: a list of paths.
  case list(Int)
  /// `pack-….aar`: an archive in the download folder.
  case archive(FileName)

  /// Creates a file from its name; nil if the name is not the name of a device's file.
  init?(_ name: FileName) {
    let digits = name.bytes.dropFirst(Self.listPrefix.utf8.count)
    if name.bytes.starts(with: Self.listPrefix.utf8),
      let number = Int(String(decoding: digits, as: UTF8.self)), number > 0,
      FileName("\(Self.listPrefix)\(number)") == name
    {
      self = .list(number)
      return
    }
    let rest = name.bytes.dropFirst(RemoteServer.prefix.utf8.count)
    let suffix = Self.archiveSuffix.utf8
    guard name.bytes.starts(with: RemoteServer.prefix.utf8), rest.count > suffix.count,
      rest.suffix(suffix.count).elementsEqual(suffix),
      rest.dropLast(suffix.count).allSatisfy({
        $0 == UInt8(ascii: "-") || $0.isLowercaseHexadecimalDigit
      })
    else { return nil }
    self = .archive(name)
  }

  init?(_ name: String) { self.init(FileName(FilePath(name).bytes)) }

  private static let listPrefix = "files-"
  private static let archiveSuffix = ".aar"

  var isArchive: Bool { if case .archive = self { true } else { false } }

  /// The name of the file.
  var name: FileName {
    switch self {
    case .list(let number): FileName("\(Self.listPrefix)\(number)")
    case .archive(let name): name
    }
  }

  var text: String { FilePath(name.bytes).text }
}

/// The names of files that a device creates in its folder before its state is saved.
///
/// With these names, the next run finds the files of a run that was killed.
struct DeviceJournal: Sendable {
  private let entries: InTurn<Entries>

  private struct Entries: ~Copyable {
    let folder: FileDescriptor
    /// The files that this device created, in this run or before.
    var files: Set<DeviceFile>
    /// The files that are in the journal.
    var noted: Set<DeviceFile>
  }

  static let name: FileName = "state.journal"
  private static let head = "device-journal "
  private static let format = 1
  private static let largest = 64 << 20

  /// Continues the journal in a folder; `files` are the other files of the device.
  init(
    in folder: borrowing FileDescriptor, besides files: Set<DeviceFile>
  ) throws(Failure) {
    let left = try Self.read(in: folder)
    entries = InTurn(
      Entries(folder: try folder.duplicate(), files: files.union(left), noted: left))
  }

  /// Returns the files in the journal; empty if there is no journal.
  static func read(in folder: borrowing FileDescriptor) throws(Failure) -> Set<DeviceFile> {
    let path = folder.joined(name)
    func failure(_ fault: StateFault) -> Failure {
      Failure(.state(StateFailure(fault, KeptDevice.self)), path)
    }
    guard try folder.contains(name) else { return [] }
    guard try folder.status(of: name).kind == .file else { throw failure(.notAFile) }
    let bytes = try folder.open(name, for: .reading).readToEnd(atMost: largest + 1)
    guard bytes.count <= largest else { throw failure(.tooLarge) }
    let lines = bytes.split(separator: UInt8(ascii: "\n")).map { FileName($0) }
    guard let first = lines.first else { return [] }
    let digits = String(decoding: first.bytes.dropFirst(head.utf8.count), as: UTF8.self)
    guard first.bytes.starts(with: head.utf8), let number = Int(digits), number >= format else {
      throw failure(.damaged("its first line is not '\(head)\(format)'"))
    }
    guard number == format else { throw failure(.newer(format: number)) }
    // An incomplete line of a killed run does not name a file.
    return Set(lines.dropFirst().compactMap { DeviceFile($0) })
  }

  /// All files that the device created.
  var files: Set<DeviceFile> { entries.with { $0.files } }
  /// The files in the journal: the device created them after its state was saved.
  var noted: Set<DeviceFile> { entries.with { $0.noted } }

  /// Creates the journal, if it is missing; the journal marks the folder as a device folder.
  func begin() throws(Failure) {
    try entries.with { (entries) throws(Failure) in try Self.append([], in: entries.folder) }
  }

  /// Adds a file to the journal before the device creates it.
  ///
  /// Returns false if the file exists and the device did not create it.
  func claim(_ file: DeviceFile, isFree: Bool) throws(Failure) -> Bool {
    try entries.with { (entries) throws(Failure) in
      guard !entries.noted.contains(file) else { return true }
      guard isFree || entries.files.contains(file) else { return false }
      try Self.append(file.name.bytes, in: entries.folder)
      entries.files.insert(file)
      entries.noted.insert(file)
      return true
    }
  }

  /// Removes the journal, after its names were written to the document.
  func remove() {
    entries.with { $0.folder.removeQuietly(Self.name) }
  }

  private static func append(
    _ line: [UInt8], in folder: borrowing FileDescriptor
  ) throws(Failure) {
    let file = try folder.open(name, for: .appending)
    let isNew = try file.status().size == 0
    if isNew { try file.setPermissions(0o600) }
    guard isNew || !line.isEmpty else { return }
    // The new line must not continue an incomplete line of a killed run.
    try file.write(Array((isNew ? "\(head)\(format)" : "").utf8) + [0x0A] + line + [0x0A])
  }
}
