import AssetArchive
import SourceDiagnostics
import SystemIO

/// A pack before it is packed: all input that determines its bytes.
///
/// A plan is created from a manifest without errors and its selected files. Packing it can then
/// fail only if a system call fails or a source has changed.
package struct PackPlan: Sendable {
  package let manifest: Manifest
  /// The files and folders in the pack, in their order.
  package let selection: Selection
  /// The source root of the files.
  package let source: SourceRoot
  /// The settings for writing the archive.
  package let settings: PackSettings
  /// The contents of the `Manifest.json` in the pack.
  package let manifestJSON: [UInt8]

  /// Creates a plan.
  ///
  /// - Throws: ``PackError`` if the manifest would be too large or too deeply nested.
  package init(
    _ manifest: Manifest, _ selection: Selection, from source: SourceRoot, settings: PackSettings
  ) throws(PackError) {
    self.manifest = manifest
    self.selection = selection
    self.source = source
    self.settings = settings
    let size = JSONSize(of: manifest.archivedValue)
    guard size.isWithin(JSONLimits()), size.depth <= ManifestRules.deepestUserInfo + 1 else {
      throw PackError(
        .limit, "the manifest of '\(manifest.assetPackID)' would be too large or too deeply nested",
        remedy: "make it smaller, or reduce the nesting of its 'userInfo'")
    }
    manifestJSON = manifest.archivedJSON()
  }

  /// The number of entries of the archive, including the root, `Contents` and `Manifest.json`.
  package var entryCount: Int { selection.count + 3 }

  /// The total size of the files, including the manifest.
  package var contentSize: UInt64 {
    selection.totalSize.addingSaturated(UInt64(manifestJSON.count))
  }

  /// Whether the file at a path is a source file of the pack.
  package func reads(_ path: String) -> Bool {
    guard let file = try? FileStatus(ofFileAt: path).identity else { return false }
    return !sources(among: [file]).isEmpty
  }

  /// Returns the source files of the pack among some files.
  package func sources(among files: Set<FileIdentity>) -> Set<FileIdentity> {
    guard !files.isEmpty else { return [] }
    var sources: Set<FileIdentity> = []
    for record in selection.records where record.hasSource && record.kind == .file {
      if files.contains(record.identity) { sources.insert(record.identity) }
    }
    if let root = try? FileStatus(ofFileAt: source.path).identity, files.contains(root) {
      sources.insert(root)
    }
    return sources
  }
}

// MARK: - The entries

extension PackPlan {
  /// Header templates for entries with fixed metadata.
  struct HeaderTemplates {
    fileprivate let file: HeaderTemplate
    fileprivate let program: HeaderTemplate
    fileprivate let folder: HeaderTemplate
  }

  /// The header templates of its entries.
  var headerTemplates: HeaderTemplates {
    func form(_ type: EntryType, mode: UInt16) -> HeaderTemplate {
      HeaderTemplate(type, Self.fields(attributes(mode: mode)))
    }
    return HeaderTemplates(
      file: form(.file, mode: Self.mode), program: form(.file, mode: Self.executableMode),
      folder: form(.directory, mode: Self.executableMode))
  }

  private static let mode: UInt16 = 0o644
  private static let executableMode: UInt16 = 0o755

  /// Appends the header of the entry at `index` of the selection.
  func encodeHeader(
    at index: Int, _ forms: HeaderTemplates, into bytes: inout [UInt8]
  ) throws(Failure) {
    let isFile = selection.isFile(at: index)
    let size = isFile ? selection.size(at: index) : nil
    let isExecutable = selection.isExecutable(at: index)
    let path = selection.path(at: index)
    if settings.metadata == .preserved, let metadata = selection.metadata(at: index) {
      var attributes = attributes(mode: isFile && !isExecutable ? Self.mode : Self.executableMode)
      attributes.apply(metadata)
      let header = Self.header(isFile ? .file : .directory, path, attributes, size: size)
      return try header.encode(into: &bytes)
    }
    let form = isExecutable ? forms.program : isFile ? forms.file : forms.folder
    try form.encode(path, size: size, into: &bytes)
  }

  /// The headers of the root of the archive and of the folder that the app sees.
  var leadingHeaders: [EntryHeader] {
    [PackPath.root, .contents].map { Self.header(.directory, $0, attributes(mode: 0o755)) }
  }

  var manifestHeader: EntryHeader {
    Self.header(.file, .manifest, attributes(mode: 0o644), size: UInt64(manifestJSON.count))
  }

  struct Attributes {
    var userID: UInt32
    var groupID: UInt32
    var mode: UInt16
    var time: Moment
  }

  private func attributes(mode: UInt16) -> Attributes {
    Self.attributes(mode: mode, settings.timestamp)
  }

  static func attributes(mode: UInt16, _ time: Moment) -> Attributes {
    Attributes(userID: 501, groupID: 20, mode: mode, time: time)
  }

  /// Returns a header with the fields in the order in which Apple's current tools write them.
  static func header(
    _ type: EntryType, _ path: PackPath, _ attributes: Attributes, size: UInt64? = nil
  ) -> EntryHeader {
    var header = EntryHeader(type, path, fields(attributes))
    if let size { header.fields.append(Field(.data, .blob(size))) }
    return header
  }

  private static func fields(_ attributes: Attributes) -> [Field] {
    [
      Field(.userID, .number(UInt64(attributes.userID))),
      Field(.groupID, .number(UInt64(attributes.groupID))),
      Field(.mode, .number(UInt64(attributes.mode))),
      Field(.flags, .number(0)),
      Field(.created, .time(attributes.time)),
      Field(.modified, .time(attributes.time)),
    ]
  }
}

extension PackPlan.Attributes {
  /// Applies the metadata of the source.
  ///
  /// Fields that it does not contain keep their values.
  fileprivate mutating func apply(_ metadata: Selection.Metadata) {
    userID = metadata.userID ?? userID
    groupID = metadata.groupID ?? groupID
    mode = metadata.permissions ?? mode
    time = metadata.modified ?? time
  }
}
