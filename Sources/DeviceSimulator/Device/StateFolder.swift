package import BAPackKit
import SourceDiagnostics
import SystemIO

/// A device that is kept between runs, in a folder: whole or not at all, and for one process at a time.
///
/// `state.json` says what is on the device; the paths of its files stand in a second file, which it
/// names, so that both change together.
package struct StateFolder: ~Copyable {
  private let path: String
  private let lock: FileLock
  private let kept: Kept

  /// The device as it was left; a new one in a new folder.
  package var state: DeviceState { kept.state }
  /// The versions that archives were given in runs before.
  package var versions: [PackID: ReleaseReader.KnownVersion] { kept.versions }

  /// Where the archives are that were downloaded from servers.
  package static func packs(of path: String) -> String { place("packs", in: path) }

  /// Opens a folder, which is made if it is missing; `waiting` is called if another process has it.
  package init(_ path: String, waiting: () -> Void = {}) throws(PackError) {
    let lock = try Self.lock(path, waiting: waiting)
    let kept = try Kept(in: path)
    self.init(path: path, lock: lock, kept: kept)
  }

  private init(path: String, lock: consuming FileLock, kept: Kept) {
    self.path = path
    self.lock = lock
    self.kept = kept
  }

  /// Removes archives that were downloaded and that the device no longer has.
  private static func removePacks(
    besides state: DeviceState, in path: String
  ) throws(Failure) {
    let packs = packs(of: path)
    guard (try? FileStatus(ofFileAt: packs)) != nil else { return }
    let kept = Set(state.installed.values.map(\.pack.place))
    let folder = try FileDescriptor.open(packs, for: .directory)
    let listing = try folder.list()
    for item in listing.items {
      let name = listing.fileName(of: item)
      if !kept.contains(FilePath(packs).appending(name).text) { folder.removeQuietly(name) }
    }
  }

  private static func lock(
    _ path: String, waiting: () -> Void
  ) throws(PackError) -> FileLock {
    try during(.writing) { () throws(Failure) in
      // Its lock keeps the folder, which would go again if it were empty.
      let folder = try OutputFolder(path)
      let lock = try FileLock(
        besides: FilePath(path).appending(FilePath("state.json")).text, waiting: waiting)
      _ = consume folder
      return lock
    }
  }

  // MARK: Writing

  /// Keeps a device; what was kept before is there until then.
  package consuming func keep(
    _ state: DeviceState, versions: [PackID: ReleaseReader.KnownVersion]
  ) throws(PackError) {
    let before = kept.number
    let next = before + 1
    var files: [UInt8] = []
    var packs: [JSONValue] = []
    for id in state.installedIDs {
      guard let own = state.installed[id] else { continue }
      var members: [JSONValue.Member] = [
        .init("id", .string(id.text)), .init("version", .number("\(own.pack.version)")),
        .init("bytes", .number("\(own.pack.offered.size.download)")),
        .init("asked", .bool(own.isAskedFor)), .init("place", .string(own.pack.place)),
      ]
      if let language = own.pack.offered.language {
        members.append(.init("language", .string("\(language)")))
      }
      if let contents = own.pack.contents {
        members.append(.init("files", .number("\(contents.count)")))
        for index in 0..<contents.count {
          files += Array("\(contents.size(at: index)) ".utf8)
          files += contents[index]
          files.append(0)
        }
      }
      packs.append(.object(members))
    }
    var members: [JSONValue.Member] = [
      .init("format", .string(format)), .init("app", .bool(state.hasApp)),
      .init("clock", .number("\(state.clock)")), .init("poll", .number("\(state.lastPoll)")),
      .init("files", .number("\(next)")),
      .init("refused", .array(state.refused.sorted().map { .string($0.text) })),
      .init("packs", .array(packs)),
      .init(
        "versions",
        .array(
          versions.sorted { $0.key < $1.key }.map { id, known in
            .object([
              .init("id", .string(id.text)), .init("version", .number("\(known.version)")),
              .init("bytes", .number("\(known.size)")),
              .init("sha256", .string(known.sha256 ?? "")),
            ])
          })),
    ]
    if let launch = state.lastLaunch { members.append(.init("launch", .number("\(launch)"))) }
    if let language = state.chosenLanguage {
      members.append(.init("language", .string("\(language)")))
    }
    let text = JSONWriter.bytes(.object(members), .readable)
    let (list, name) = (place(filesName(next), in: path), place("state.json", in: path))
    try during(.writing) { () throws(Failure) in
      let paths = try AtomicFile(list, replacing: true)
      try paths.write(files)
      try paths.publish()
      let whole = try AtomicFile(name, replacing: true)
      try whole.write(text)
      try whole.publish()
      // Nothing names the paths of before any more.
      if before > 0 {
        let folder = try FileDescriptor.open(path, for: .directory)
        folder.removeQuietly(FileName(filesName(before)))
      }
      try Self.removePacks(besides: state, in: path)
    }
    lock.release()
  }
}

/// A file in a folder.
private func place(_ name: String, in path: String) -> String {
  FilePath(path).appending(FilePath(name)).text
}

private func filesName(_ number: Int) -> String { "files-\(number)" }

private let format = "1"

/// What a run before has left.
private struct Kept: Sendable {
  var state = DeviceState()
  var versions: [PackID: ReleaseReader.KnownVersion] = [:]
  /// The number of the file with the paths; 0 while there is none.
  var number = 0

  init(in path: String) throws(PackError) {
    let name = place("state.json", in: path)
    let bytes: [UInt8]
    do throws(Failure) {
      bytes = try FileDescriptor.open(name, for: .waiting).readToEnd(atMost: Self.limits.size)
    } catch {
      guard error.code == 2 else { throw PackError(error, while: .reading) }
      return
    }
    let document = JSONDocument(
      parsing: SourceText(bytes, named: name), limits: Self.limits)
    guard !document.findings.hasErrors, let root = document.root,
      root["format"]?.string == format, let packs = root["packs"]
    else {
      throw PackError(
        .malformed(offset: nil), "'\(name)' is no device that was kept",
        remedy: "name another folder, or an empty one")
    }
    number = root["files"]?.number.flatMap { Int($0) } ?? 0
    var files = Files(try Self.files(number, in: path))
    state.hasApp = root["app"]?.bool ?? false
    state.clock = root["clock"]?.number.flatMap { UInt64($0) } ?? 0
    state.lastLaunch = root["launch"]?.number.flatMap { UInt64($0) }
    state.lastPoll = root["poll"]?.number.flatMap { UInt64($0) } ?? 0
    state.chosenLanguage = root["language"]?.string.flatMap { LanguageTag($0) }
    state.refused = Set(root["refused"]?.elements.compactMap { $0.string.map { PackID($0) } } ?? [])
    for node in packs.elements {
      guard let id = node["id"]?.string, let version = node["version"]?.number.flatMap({ Int($0) }),
        let size = node["bytes"]?.number.flatMap({ UInt64($0) })
      else { continue }
      var contents: PackContents?
      if let count = node["files"]?.number.flatMap({ Int($0) }) { contents = files.take(count) }
      let offered = OfferedPack(
        id: PackID(id), policy: .onDemand,
        language: node["language"]?.string.flatMap { LanguageTag($0) },
        size: PackSize(download: size, unpacked: contents?.unpackedSize ?? 0))
      state.put(
        InstalledPack(
          ReleasedPack(
            offered, version: version, contents: contents, place: node["place"]?.string ?? ""),
          isAskedFor: node["asked"]?.bool ?? false))
    }
    for node in root["versions"].map({ Array($0.elements) }) ?? [] {
      guard let id = node["id"]?.string, let version = node["version"]?.number.flatMap({ Int($0) }),
        let size = node["bytes"]?.number.flatMap({ UInt64($0) }),
        let sha256 = node["sha256"]?.string
      else { continue }
      versions[PackID(id)] = .init(version: version, size: size, sha256: sha256, path: "")
    }
  }

  private static var limits: JSONLimits {
    var limits = JSONLimits()
    limits.size = 256 << 20
    return limits
  }

  private static func files(_ number: Int, in path: String) throws(PackError) -> [UInt8] {
    guard number > 0 else { return [] }
    return try during(.reading) { () throws(Failure) in
      try FileDescriptor.open(place(filesName(number), in: path), for: .waiting)
        .readToEnd(atMost: .max)
    }
  }

  /// The paths of all packs, one behind the other: the size, a space, the path, a NUL.
  private struct Files {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func take(_ count: Int) -> PackContents {
      var contents = PackContents()
      for _ in 0..<count {
        guard let end = bytes[place...].firstIndex(of: 0) else { break }
        let line = bytes[place..<end]
        let digits = line.prefix { $0 != UInt8(ascii: " ") }
        let size = UInt64(String(decoding: digits, as: UTF8.self)) ?? 0
        contents.append(line.dropFirst(digits.count + 1), size: size)
        place = end + 1
      }
      contents.sort()
      return contents
    }
  }
}
