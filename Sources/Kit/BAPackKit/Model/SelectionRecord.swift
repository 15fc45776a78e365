import AssetArchive
import SystemIO

/// The storage of an entry of a ``Selection``: 88 bytes, without its paths.
struct SelectionRecord: Sendable {
  var size: UInt64 = 0
  private var modifiedSeconds: Int64 = 0
  private var changedSeconds: Int64 = 0
  /// The identity of the file: a device and an inode, or 0 and an index in an archive.
  private var device: UInt64 = 0
  private var number: UInt64 = 0
  let place: PackPathBuffer.Place
  var permissions: UInt16 = 0o755
  var kind: Kind
  private(set) var hasSource = false
  /// The properties (permissions, owner, time) that the source does not have.
  private(set) var unknown: FileStatus.Unknown = []
  private var sourceStart: UInt64
  private var modifiedNanoseconds: UInt32 = 0
  private var changedNanoseconds: UInt32 = 0
  var userID: UInt32 = 0
  var groupID: UInt32 = 0
  /// The index of the selector; `max` if there is none.
  var selector: UInt32 = .max
  private var sourceLength: UInt32

  enum Kind: UInt8, Sendable {
    case file, directory
  }

  /// Creates a parent folder of selected files.
  init(folderAt place: PackPathBuffer.Place) {
    self.place = place
    kind = .directory
    sourceStart = 0
    sourceLength = 0
  }

  /// Creates a file or folder that a selector selected.
  init(
    _ status: FileStatus, at place: PackPathBuffer.Place, source: Range<Int>, selector: Int
  ) {
    self.init(folderAt: place)
    self.selector = UInt32(selector)
    kind = status.kind == .directory ? .directory : .file
    setSource(source, status)
  }

  mutating func setSource(_ source: Range<Int>, _ status: FileStatus) {
    hasSource = true
    sourceStart = UInt64(source.lowerBound)
    sourceLength = UInt32(source.count)
    size = kind == .file ? status.size : 0
    modifiedSeconds = status.modified.seconds
    modifiedNanoseconds = status.modified.nanoseconds
    changedSeconds = status.changed.seconds
    changedNanoseconds = status.changed.nanoseconds
    device = status.identity.device
    number = status.identity.number
    userID = status.userID
    groupID = status.groupID
    permissions = UInt16(status.permissions & 0o7777)
    unknown = status.unknown
  }

  /// The range of the path that an app sees.
  var destination: Range<Int> { Int(place.start)..<Int(place.start) + Int(place.count) }

  var source: Range<Int> { Int(sourceStart)..<Int(sourceStart) + Int(sourceLength) }

  var modified: Moment {
    Moment(seconds: modifiedSeconds, nanoseconds: modifiedNanoseconds)
  }

  /// The time of the last change of the contents or the status (`ctime`), which programs cannot
  /// set.
  var changed: Moment {
    Moment(seconds: changedSeconds, nanoseconds: changedNanoseconds)
  }

  var identity: FileIdentity { FileIdentity(device: device, number: number) }

  /// The index of the entry in the archive.
  var entryIndex: Int { Int(number) }
}
