package import BAPackKit
package import Proposing
import SourceDiagnostics
package import SystemIO

/// The change of an Xcode project that adds a downloader extension to an app.
///
/// Existing parts are not added again. A project that is not understood is refused
/// before any file is written.
package struct ExtensionAddition: Sendable {
  /// The values that the user or the packs determine.
  package struct Request: Sendable {
    package var kind: AppKind
    package var group: String
    /// The keys of the app's Info.plist; nil if they are not known.
    package var keys: [(key: String, value: PropertyList.Value)]?

    package init(
      kind: AppKind, group: String, keys: [(key: String, value: PropertyList.Value)]?
    ) {
      self.kind = kind
      self.group = group
      self.keys = keys
    }
  }

  /// The folder `.xcodeproj`.
  package let project: FilePath
  /// The target of the app.
  package let app: String
  /// The target of the extension.
  package private(set) var target = ""
  /// Whether the target is added.
  package private(set) var addsTarget = false
  /// The new and changed files.
  package private(set) var changes = FileChanges()
  /// The remaining tasks.
  package private(set) var notes: [String] = []

  /// Determines the change of a project for one of its apps.
  package init(
    to project: FilePath, app: String, _ request: Request, _ work: Work
  ) throws(PackError) {
    self.project = project
    self.app = app
    do throws(PackError) {
      try plan(request, work)
    } catch {
      guard error.kind == .unsupported else { throw error }
      throw PackError(
        .unsupported, "cannot add an extension to '\(project)': \(error.message)",
        remedies: error.remedies)
    }
  }

  private mutating func plan(_ request: Request, _ work: Work) throws(PackError) {
    let file = project.appending("project.pbxproj" as FileName)
    let source = try Self.source(file, work)
    var draft = try ExtensionDraft(source, in: project, app: app, request)
    try draft.addExtension()
    try draft.changeLists()
    let result = try draft.result()
    target = draft.name
    addsTarget = draft.addsTarget
    notes = draft.notes
    changes.newFiles = draft.newFiles
    changes.edits = draft.edits
    guard result != source.bytes else { return }
    // The former project has its name before the new one is written.
    if let backup = try Self.backup(of: file, source.bytes, work) {
      changes.newFiles.append(ProposedFiles.Text(path: backup, bytes: source.bytes))
    }
    changes.edits.append(.init(path: file, before: source.bytes, after: result))
  }

  /// Writes all files.
  package func write() throws(PackError) { try changes.write() }

  private static func source(_ file: FilePath, _ work: Work) throws(PackError) -> SourceText {
    let bytes = try mapFailure(.reading) { () throws(Failure) in
      try FileDescriptor.open(file.text, for: .waiting(work))
        .readToEnd(atMost: PropertyListText.largest + 1)
    }
    return SourceText(bytes, named: file.text)
  }

  /// The maximum number of former projects that are kept.
  private static let mostBackups = 100

  /// Returns the path for the former project; nil if it is kept already.
  private static func backup(
    of file: FilePath, _ bytes: [UInt8], _ work: Work
  ) throws(PackError) -> FilePath? {
    for number in 1...mostBackups {
      let path = FilePath(file.text + ".orig" + (number == 1 ? "" : ".\(number)"))
      guard (try? FileStatus(ofLinkAt: path.text)) != nil else { return path }
      let found = try? FileDescriptor.open(path.text, for: .waiting(work))
        .readToEnd(atMost: bytes.count + 1)
      if found == bytes { return nil }
    }
    throw PackError(
      .limit, "'\(file).orig' and \(mostBackups - 1) others exist",
      remedy: "delete the ones that you do not need")
  }
}
