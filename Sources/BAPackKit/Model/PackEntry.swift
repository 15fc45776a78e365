import AssetArchive
public import SystemIO

/// One entry of a pack, as its header describes it.
public struct PackEntry: Sendable, Equatable {
  /// What an entry can be; packs that we make have only files and folders.
  public enum Kind: String, Sendable, CaseIterable {
    case file, directory, symbolicLink, hardLink, pipe, characterDevice, blockDevice, socket
    case whiteout, door, port, metadata
  }

  /// Its path in the archive, or what its header has instead.
  let storedPath: StoredPath
  /// What it is.
  public var kind: Kind
  /// The size of its contents in bytes; nil if it has none.
  public var size: UInt64?
  /// The lower twelve bits of its mode.
  public var permissions: UInt16?
  /// The number of its owner.
  public var userID: UInt64?
  /// The number of its group.
  public var groupID: UInt64?
  /// When it was last modified.
  public var modified: Moment?
  /// When it was made.
  public var created: Moment?
  /// The target of a link, as it is stored.
  public var linkTarget: FilePath?
  /// The names of fields that packs usually do not have, such as `XAT`.
  public var otherFields: [String]
  /// Digests and sizes of its contents that the header has, to be compared with the contents.
  var recorded: [Field] = []
  /// Where its header is in the decoded stream.
  public var streamOffset: UInt64
  /// Where its header is in the file; inside an encoded block, where the block starts.
  public var fileOffset: UInt64

  /// The path of an asset as the app sees it; of anything else, such as the manifest, its path in
  /// the archive.
  public var path: FilePath { FilePath(storedPath.bytesInContents ?? storedPath.bytes) }

  /// Whether the app sees it: a file or folder inside `Contents`.
  public var isAsset: Bool { storedPath.bytesInContents != nil }

  /// Its path in the archive, `Contents` included; empty for the root.
  package var archivePath: FilePath { FilePath(storedPath.bytes) }

  /// The same, as a view.
  package var bytesInArchive: ArraySlice<UInt8> { storedPath.bytes }

  /// Its path as the app sees it; nil outside `Contents`.
  package var pathInContents: AssetPath? { storedPath.pathInContents }

  /// Whether it is `Contents`, the folder that an app sees, or is inside it.
  package var isInContents: Bool { storedPath.isInContents }

  /// Whether it is the manifest of the pack.
  package var isManifest: Bool { kind == .file && storedPath == .manifest }
}

extension PackEntry {
  init(_ entry: ArchiveReader.Entry) {
    let header = entry.header
    self.init(
      storedPath: header.path ?? StoredPath(.root), kind: Kind(header.type), size: header.dataSize,
      permissions: header.number(.mode).map { UInt16($0 & 0o7777) },
      userID: header.number(.userID), groupID: header.number(.groupID),
      modified: header.time(.modified), created: header.time(.created),
      linkTarget: header.string(.linkTarget).map { FilePath($0) },
      otherFields: header.fields.map(\.key).filter { !Self.usualFields.contains($0) }
        .map(\.description),
      recorded: header.fields.filter { Self.recordedFields.contains($0.key) },
      streamOffset: entry.offset, fileOffset: entry.place.fileOffset)
  }

  /// The fields that describe the contents.
  private static let recordedFields: Set<FieldKey> = [
    .size, .checksum, .sha1, .sha256, .sha384, .sha512,
  ]

  private static let usualFields: [FieldKey] = [
    .linkTarget, .data, .userID, .groupID, .mode, .flags, .modified, .created, .backedUp,
  ]
}

extension PackEntry.Kind {
  init(_ type: EntryType) {
    self =
      switch type {
      case .file: .file
      case .directory: .directory
      case .symbolicLink: .symbolicLink
      case .hardLink: .hardLink
      case .fifo: .pipe
      case .characterDevice: .characterDevice
      case .blockDevice: .blockDevice
      case .socket: .socket
      case .whiteout: .whiteout
      case .door: .door
      case .port: .port
      case .metadata: .metadata
      }
  }

  /// The kind in the words of a message.
  var phrase: String {
    switch self {
    case .file: "a file"
    case .directory: "a folder"
    case .symbolicLink: "a symbolic link"
    case .hardLink: "a hard link"
    case .pipe: "a pipe"
    case .characterDevice, .blockDevice: "a device"
    case .socket: "a socket"
    case .whiteout: "a whiteout"
    case .door: "a door"
    case .port: "a port"
    case .metadata: "a metadata entry"
    }
  }
}
