import Glibc
package import SystemIO

/// The location of a project file.
package struct ProjectPlace: Sendable, Equatable {
  /// The default name of a project file.
  package static let fileName: FileName = "ba-package.json"

  /// The path of the file.
  package let path: String
  /// Whether the caller named the file; then it may belong to another user.
  package let isNamed: Bool

  /// Creates the place of a named file, or of the project file in a named folder.
  package init(named path: String) {
    let isFolder = (try? FileStatus(ofFileAt: path))?.kind == .directory
    self.path = isFolder ? FilePath(path).appending(Self.fileName).text : path
    isNamed = true
  }

  private init(found path: String) {
    self.path = path
    isNamed = false
  }

  /// Finds the nearest project file, from a folder upwards to the root of the repository.
  ///
  /// Files above a repository belong to other projects. Outside of a repository, the search ends
  /// below the home folder, and below the first folder of another user.
  package init?(from folder: String = ".") {
    var folders: [FilePath] = []
    var hasTop = false
    var last: FileIdentity?
    var next = FilePath(folder)
    /// The number of folders to search outside of a repository.
    var count: Int?
    let home = ProcessState.variable("HOME").flatMap { try? FileStatus(ofFileAt: $0).identity }
    // The parent of the root of the file system is that root.
    while !hasTop, folders.count < 256, let status = try? FileStatus(ofFileAt: next.text),
      status.identity != last
    {
      let isBorder = status.identity == home || status.userID != ProcessState.userID
      if isBorder, count == nil { count = max(1, folders.count) }
      last = status.identity
      folders.append(next)
      hasTop = Self.exists(next.appending(".git" as FileName))
      next = next.bytes == Array(".".utf8) ? FilePath("..") : next.appending(FilePath(".."))
    }
    let searched = hasTop ? folders : Array(folders.prefix(count ?? folders.count))
    guard
      let path = searched.lazy.map({ $0.appending(Self.fileName) }).first(where: Self.exists)
    else { return nil }
    self.init(found: path.text)
  }

  /// Returns the project files below a folder, at most two levels deep, without hidden folders.
  package static func below(_ folder: String) -> [String] {
    var found: [String] = []
    func search(in folder: FilePath, depth: Int) {
      guard
        let listing = try? FileDescriptor.open(
          folder.text.isEmpty ? "." : folder.text, for: .directory
        ).list()
      else { return }
      for item in listing.items where item.kind == .directory {
        let name = listing.fileName(of: item)
        guard name.bytes.first != UInt8(ascii: ".") else { continue }
        let below = folder.appending(name)
        let file = below.appending(fileName)
        if exists(file) {
          found.append(file.text)
        } else if depth < 2 {
          search(in: below, depth: depth + 1)
        }
      }
    }
    search(in: FilePath(folder == "." ? "" : folder), depth: 1)
    return found.sorted()
  }

  /// Whether a file or a link, even without a target, has this path.
  private static func exists(_ path: FilePath) -> Bool {
    (try? FileStatus(ofLinkAt: path.text)) != nil
  }

  /// The folder to which the file's paths are relative.
  package var folder: String { FilePath(path).folder.text }

  /// Reads the file.
  ///
  /// - Throws: ``PackError`` if it cannot be read, or if it belongs to another user and was not
  ///   named by the caller.
  func read(
    atMost count: Int, user: UInt32?, _ work: Work
  ) throws(PackError) -> [UInt8]? {
    do throws(Failure) {
      let file = try FileDescriptor.open(path, for: .waiting(work))
      let status = try file.status()
      if status.kind == .directory { return nil }
      let owners = [status.userID, (try? FileStatus(ofLinkAt: path))?.userID ?? status.userID]
      if !isNamed, let user, owners.contains(where: { $0 != user }) {
        throw Failure(.read, path, code: EPERM)
      }
      return try file.readToEnd(atMost: count)
    } catch {
      guard !isNamed, error.code == EPERM else {
        guard error.code == ENOENT else {
          throw isNamed ? PackError(error) : PackError(error, remedy: .leaveOutProject)
        }
        throw PackError(error, remedy: .startProject)
      }
      throw PackError(
        .system(EPERM), "the project file '\(path)' belongs to another user",
        remedies: [.specifyProject(path), .leaveOutProject])
    }
  }
}

// MARK: - Paths in it

extension ProjectPlace {
  /// Returns a path of a project file, relative to the current folder.
  package static func path(_ path: String, in folder: String) -> String {
    FilePath(folder).appending(FilePath(path.utf8)).text
  }

  /// Returns a path that may be a pattern, relative to the current folder.
  ///
  /// Pattern characters in the name of the project's folder are escaped.
  static func pattern(_ path: String, in folder: String) -> String {
    let special = Array("*?[\\".utf8)
    guard path.utf8.contains(where: special.contains) else { return Self.path(path, in: folder) }
    let escaped = FilePath(folder).bytes.flatMap {
      special.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0]
    }
    return FilePath(escaped).appending(FilePath(path.utf8)).text
  }

  /// Throws if a path is outside the folder of the project, for example because of a link.
  package func checkInside(_ path: String) throws(PackError) {
    guard try contains(path) else {
      throw PackError(
        .conflict,
        "cannot write '\(path)' as specified in '\(self.path)': it is outside the project",
        remedy: .specifyAnotherOutput)
    }
  }

  /// Returns whether a path, or the folder where it would be created, is in the project.
  private func contains(_ path: String) throws(PackError) -> Bool {
    let top: String
    do throws(Failure) { top = try realPath(of: folder) } catch { throw PackError(error) }
    // Missing folders are created below the nearest existing folder.
    var there = FilePath(path)
    var depth = 0
    while !Self.exists(there), depth < 256, !there.name.bytes.isEmpty {
      there = there.folder
      depth += 1
    }
    guard let real = try? realPath(of: there.text) else { return false }
    let inside = FilePath(top).bytes + (top.utf8.count == 1 ? [] : [slash])
    return real == top || FilePath(real).bytes.starts(with: inside)
  }
}
