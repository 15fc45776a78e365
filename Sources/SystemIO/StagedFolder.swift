import Glibc

/// A folder that appears under its name whole, or not at all.
///
/// It is filled beside its place under a temporary name. ``publish()`` gives it its own, where nothing
/// or an empty folder may be; a value that ends in any other way takes everything away again.
package struct StagedFolder: ~Copyable {
  /// The path that it will have.
  package let path: String
  /// The folder to fill.
  package let contents: FileDescriptor
  private let parent: FileDescriptor
  private let name: FileName
  private var temporary: FileName?

  /// Begins a folder.
  package init(_ path: String) throws(SystemError) {
    let place = OutputPlace(path)
    let parent = try FileDescriptor.open(place.folder, for: .directory)
    let temporary = TemporaryName.make()
    do throws(SystemError) {
      try parent.makeFolder(temporary)
    } catch {
      throw SystemError(error.operation, path, code: error.code)
    }
    do throws(SystemError) {
      contents = try parent.open(temporary, for: .directory)
    } catch {
      parent.removeTreeQuietly(temporary)
      throw error
    }
    self.path = path
    self.parent = parent
    name = place.name
    self.temporary = temporary
  }

  deinit {
    if let temporary { parent.removeTreeQuietly(temporary) }
  }

  /// Gives the folder its name; one that has something in it is refused.
  package consuming func publish() throws(SystemError) {
    if let temporary {
      try contents.sync()
      // An empty folder makes way; the system refuses one that is not.
      try parent.rename(temporary, to: name, replacing: true, shown: path)
      self.temporary = nil
    }
    try parent.sync()
  }
}
