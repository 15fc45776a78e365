package import BAPackKit
import Glibc
package import SystemIO

/// New files, and changes of existing files, that are written together.
package struct FileChanges: Sendable {
  /// The change of an existing file.
  package struct Edit: Sendable {
    package var path: FilePath
    /// The contents before and after the change.
    package var before, after: [UInt8]

    package init(path: FilePath, before: [UInt8], after: [UInt8]) {
      self.path = path
      self.before = before
      self.after = after
    }
  }

  package var newFiles: [ProposedFiles.Text]
  package var edits: [Edit]

  package init(newFiles: [ProposedFiles.Text] = [], edits: [Edit] = []) {
    self.newFiles = newFiles
    self.edits = edits
  }

  package var isEmpty: Bool { newFiles.isEmpty && edits.isEmpty }

  /// Writes the new files, then the changed ones, in this order.
  ///
  /// All contents are first written to the disk under other names, read again, and compared. Then
  /// the files get their names. If one of them cannot, those before it get their earlier contents
  /// again.
  ///
  /// - Throws: An error if a new file exists, or if a changed one was changed since it was read.
  package func write() throws(PackError) {
    // Up to three files are open for each one, and some others.
    ProcessState.allowOpenFiles(3 * (newFiles.count + edits.count) + 100)
    let new = try mapFailure(.rewriting) { () throws(Failure) in
      try newFiles.map { file throws(Failure) in try StagedFile(file) }
    }
    let changed = try mapFailure(.rewriting) { () throws(Failure) in
      try edits.map { edit throws(Failure) in try StagedFile(edit) }
    }
    // Folders that are empty at the end are removed.
    defer { extendLifetime(new) }
    var undo: [() -> Void] = []
    do throws(PackError) {
      // The last step of a file may fail after the file has its name.
      for (file, staged) in zip(newFiles, new) {
        undo.append { staged.remove(file.path.text) }
        try mapFailure(.rewriting) { () throws(Failure) in try staged.publish() }
      }
      for (edit, staged) in zip(edits, changed) {
        undo.append {
          let former = Edit(path: edit.path, before: edit.after, after: edit.before)
          try? StagedFile(former).publish()
        }
        try mapFailure(.rewriting) { () throws(Failure) in try staged.publish() }
      }
    } catch {
      for action in undo.reversed() { action() }
      throw error
    }
  }
}

/// A file whose new contents are on the disk, but do not have its name yet.
private final class StagedFile {
  private enum Contents: ~Copyable {
    case new(AtomicFile)
    case changed(FileRewrite.Staged)
  }

  private var contents: Contents?
  /// The folder of a new file, which is removed if it was created and is still empty.
  private let folder: OutputFolder?
  private let identity: FileIdentity

  init(_ text: ProposedFiles.Text) throws(Failure) {
    let folder = text.path.folder
    self.folder = folder.bytes.isEmpty ? nil : try OutputFolder(folder.text)
    let file = try AtomicFile(text.path.text, makingFolder: true)
    try file.write(text.bytes)
    try file.verify(text.bytes)
    identity = try file.descriptor.status().identity
    contents = .new(file)
  }

  init(_ edit: FileChanges.Edit) throws(Failure) {
    let path = edit.path.text
    let rewrite = try FileRewrite(path)
    guard try rewrite.contents(atMost: edit.before.count + 1) == edit.before else {
      throw Failure(.rewrite, path, code: ESTALE)
    }
    let staged = try rewrite.stage(edit.after)
    try staged.file.verify(edit.after)
    identity = try staged.file.descriptor.status().identity
    contents = .changed(staged)
    folder = nil
  }

  /// Gives the contents their name.
  func publish() throws(Failure) {
    switch contents.take() {
    case .new(let file): try file.publish()
    case .changed(let staged): try staged.publish()
    case nil: break
    }
  }

  /// Removes the file from a path, unless another file is there.
  func remove(_ path: String) {
    if (try? FileStatus(ofLinkAt: path).identity) == identity { removeQuietly(path) }
  }
}
