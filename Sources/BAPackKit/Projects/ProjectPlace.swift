import Glibc
package import SystemIO

/// Where a project file is.
package struct ProjectPlace: Sendable, Equatable {
  /// What a project file is called where nobody names it.
  package static let fileName: FileName = "ba-package.json"

  /// The path of the file.
  package let path: String
  /// Whether a person named it: then it may belong to anybody.
  package let isNamed: Bool

  /// The file that a person named; of a folder, the project file in it.
  package init(named path: String) {
    let isFolder = (try? FileStatus(ofFileAt: path))?.kind == .directory
    self.path = isFolder ? FilePath(path).appending(Self.fileName).text : path
    isNamed = true
  }

  private init(found path: String) {
    self.path = path
    isNamed = false
  }

  /// The nearest project file, from a folder upwards to the top of the repository; outside of one
  /// only in the folder itself.
  ///
  /// What lies above a repository belongs to somebody else's work.
  package init?(from folder: String = ".") {
    var folders: [FilePath] = []
    var hasTop = false
    var last: FileIdentity?
    var next = FilePath(folder)
    // The folder above the root of the file system is that root.
    while !hasTop, folders.count < 256,
      let identity = try? FileStatus(ofFileAt: next.text).identity, identity != last
    {
      last = identity
      folders.append(next)
      hasTop = Self.isThere(next.appending(".git" as FileName))
      next = next.bytes == Array(".".utf8) ? FilePath("..") : next.appending(FilePath(".."))
    }
    let searched = hasTop ? folders : Array(folders.prefix(1))
    guard
      let path = searched.lazy.map({ $0.appending(Self.fileName) }).first(where: Self.isThere)
    else { return nil }
    self.init(found: path.text)
  }

  /// The project files in the folders below a folder, at most two levels deep, without hidden
  /// folders.
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
        if isThere(file) {
          found.append(file.text)
        } else if depth < 2 {
          search(in: below, depth: depth + 1)
        }
      }
    }
    search(in: FilePath(folder == "." ? "" : folder), depth: 1)
    return found.sorted()
  }

  /// Whether the name is taken, by a file or by a link that leads nowhere.
  private static func isThere(_ path: FilePath) -> Bool {
    (try? FileStatus(ofLinkAt: path.text)) != nil
  }

  /// The folder that its paths start from.
  package var folder: String { FilePath(path).folder.text }

  /// Reads the file; throws if the machine refuses, or if it is another user's and nobody named it.
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
        remedies: [.nameProject(path), .leaveOutProject])
    }
  }
}

// MARK: - Paths in it

extension ProjectPlace {
  /// A path of a project file as it is seen from where the program runs.
  package static func path(_ path: String, in folder: String) -> String {
    FilePath(folder).appending(FilePath(path.utf8)).text
  }

  /// The same for one that may be a pattern: the signs of patterns in the folder's name stand for
  /// themselves.
  static func pattern(_ path: String, in folder: String) -> String {
    let signs = Array("*?[\\".utf8)
    guard path.utf8.contains(where: signs.contains) else { return Self.path(path, in: folder) }
    let escaped = FilePath(folder).bytes.flatMap {
      signs.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0]
    }
    return FilePath(escaped).appending(FilePath(path.utf8)).text
  }

  /// Throws if what is written at a path would be outside the folder of the project: behind a link
  /// that leads there.
  package func checkInside(_ path: String) throws(PackError) {
    let outside = PackError(
      .conflict, "'\(path)' leads out of the project, and '\(self.path)' says to write there",
      remedy: .nameAnotherOutput)
    let top: String
    do throws(Failure) { top = try realPath(of: folder) } catch { throw PackError(error) }
    // What is not there yet is made below what is there.
    var there = FilePath(path)
    var depth = 0
    while !Self.isThere(there), depth < 256, !there.name.bytes.isEmpty {
      there = there.folder
      depth += 1
    }
    guard let real = try? realPath(of: there.text) else { throw outside }
    let inside = FilePath(top).bytes + (top.utf8.count == 1 ? [] : [slash])
    guard real == top || FilePath(real).bytes.starts(with: inside) else { throw outside }
  }
}
