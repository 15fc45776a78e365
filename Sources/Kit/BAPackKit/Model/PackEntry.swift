import AssetArchive
public import SystemIO

/// An entry of a pack, with the properties in its header.
public struct PackEntry: Sendable, Equatable {
  /// The kind of an entry; packs of this library contain only files and folders.
  public enum Kind: String, Sendable, CaseIterable {
    case file, directory, symbolicLink, hardLink, pipe, characterDevice, blockDevice, socket
    case whiteout, door, port, metadata
  }

  /// The path in the archive, or an invalid value of the header.
  let storedPath: StoredPath
  /// The kind.
  public var kind: Kind
  /// The size of the contents in bytes; nil if there are none.
  public var size: UInt64?
  /// The lower twelve bits of the mode.
  public var permissions: UInt16?
  /// The user ID of the owner.
  public var userID: UInt64?
  /// The group ID.
  public var groupID: UInt64?
  /// The time of the last modification.
  public var modified: Moment?
  /// The time of creation.
  public var created: Moment?
  /// The target of a link, unchanged.
  public var linkTarget: FilePath?
  /// The names of unusual fields, such as `XAT`.
  public var otherFields: [String]
  /// The digests and sizes of the contents in the header.
  var recorded: [Field] = []
  /// The offset of the header in the decoded stream.
  public var streamOffset: UInt64
  /// The offset of the header in the file; for an encoded block, the offset of the block.
  public var fileOffset: UInt64

  /// The path as the app sees it; for other entries, such as the manifest, the path in the archive.
  public var path: FilePath { FilePath(storedPath.bytesInContents ?? storedPath.bytes) }

  /// Whether the app can access it: a file or folder in `Contents`.
  public var isAsset: Bool { storedPath.bytesInContents != nil }

  /// The path in the archive, including `Contents`; empty for the root.
  package var archivePath: FilePath { FilePath(storedPath.bytes) }

  package var bytesInArchive: ArraySlice<UInt8> { storedPath.bytes }

  /// The path as the app sees it; nil outside `Contents`.
  package var pathInContents: AssetPath? { storedPath.pathInContents }

  /// Whether it is the folder `Contents` or is in it.
  package var isInContents: Bool { storedPath.isInContents }

  package var isManifest: Bool { kind == .file && storedPath == .manifest }
}

extension PackEntry {
  init(_ entry: ArchiveReader.Entry) {
    let header = entry.header
    let fields = header.fields
    self.init(
      storedPath: header.path ?? StoredPath(.root), kind: Kind(header.type), size: fields.dataSize,
      permissions: fields.mode.map { UInt16($0 & 0o7777) },
      userID: fields.userID, groupID: fields.groupID,
      modified: fields.modified, created: fields.created,
      linkTarget: fields.linkTarget.map { FilePath($0) },
      otherFields: fields.unusual.isEmpty ? [] : fields.unusual.map(\.description),
      recorded: fields.recorded, streamOffset: entry.offset, fileOffset: entry.place.fileOffset)
  }
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

  /// The kind for messages.
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
