import BAPackKit
import Glibc
import SourceDiagnostics
import SystemIO

/// The folder that the files of an app are in: what is looked at is in it, whatever links there
/// are.
struct ResourceFolder {
  /// The folder as the user reaches it.
  let path: FilePath
  /// The same without links.
  let real: FilePath
  /// Where the folder of the project is, below this one.
  let project: FilePath
  /// What is written in the same run, and so is never there.
  private let outputs: Set<FileIdentity>

  /// What is at a path.
  enum Found: Equatable {
    case missing
    /// A link leads out of the folder.
    case outside
    case file
    /// A folder; all files in it, by their paths below it, in the order of their bytes.
    case folder([FilePath])
    /// A folder with more than is looked at, or with one that cannot be opened.
    case tooLarge
  }

  /// The most files that a folder may have.
  static let mostFiles = 200_000
  /// How deep folders in it may be nested; links can make it endless.
  static let deepest = 40
  /// The largest text that is read.
  static let largestText = 4 << 20

  /// A project's own folder, or one that the user named instead.
  ///
  /// A named folder around the project's is what paths may not leave; another one has the files in
  /// place of the project's.
  ///
  /// `folder` is where the project says that its files are, below its own folder.
  init(
    ofProjectIn path: FilePath, at folder: FilePath = FilePath(""), named root: FilePath?,
    leavingOut outputs: [String] = []
  ) throws(PackError) {
    self.outputs = Set(outputs.compactMap { try? FileStatus(ofFileAt: $0).identity })
    func resolved(_ path: FilePath) throws(PackError) -> FilePath {
      try mapFailure(.reading) { () throws(Failure) in
        FilePath(try realPath(of: path.bytes.isEmpty ? "." : path.text))
      }
    }
    let own = try? resolved(path)
    guard let root else {
      self.path = path
      real = if let own { own } else { try resolved(path) }
      project = folder
      return
    }
    self.path = root
    real = try resolved(root)
    let names = real.components
    if let own, own.components.starts(with: names) {
      project = FilePath(joining: own.components.dropFirst(names.count)).appending(folder)
    } else {
      project = FilePath("")
    }
  }

  /// The path below this folder of a place in the project; nil if it is outside.
  func path(of place: XcodeProject.Place) -> FilePath? {
    switch place {
    case .elsewhere: return nil
    case .project(let path):
      guard !project.isAbsolute else {
        return self.path(of: .absolute(project.appending(path)))
      }
      let inside = project.appending(path).withoutWaysBack
      return inside.leavesFolder || inside.components.isEmpty ? nil : inside
    case .absolute(let path):
      let names = path.withoutWaysBack.components
      guard names.starts(with: real.components), names.count > real.components.count else {
        return nil
      }
      return FilePath(joining: names.dropFirst(real.components.count))
    }
  }

  /// What is in a folder below this one, by names whose case is folded, and which are the same
  /// whether letters are composed or not; nil if it cannot be listed.
  fileprivate func names(in path: FilePath) -> [String: [FileName]]? {
    guard let place = try? realPath(of: real.appending(path).text), contains(FilePath(place)),
      let listing = try? FileDescriptor.open(place, for: .directory).list()
    else { return nil }
    return Dictionary(grouping: listing.items.map { listing.fileName(of: $0) }) {
      OtherSpellings.spelling($0)
    }
  }

  /// What is at a path below this folder.
  func inspect(_ path: FilePath) -> Found {
    guard let place = try? realPath(of: real.appending(path).text) else { return .missing }
    guard contains(FilePath(place)) else { return .outside }
    guard let status = try? FileStatus(ofFileAt: place) else { return .missing }
    switch status.kind {
    case .directory: return files(in: FilePath(place)).map { .folder($0) } ?? .tooLarge
    case .file: return outputs.contains(status.identity) ? .missing : .file
    default: return .missing
    }
  }

  private func contains(_ place: FilePath) -> Bool {
    place.isAbsolute && place.components.starts(with: real.components)
  }

  /// The files in a folder: depth first, in the order of bytes; nil if there are too many, or if a
  /// folder cannot be opened.
  private func files(in folder: FilePath) -> [FilePath]? {
    var found: [FilePath] = []
    var open = [FilePath("")]
    var looks = 0
    while let next = open.popLast() {
      let place = folder.appending(next)
      looks += 1
      guard looks <= Self.mostFiles else { return nil }
      if !next.bytes.isEmpty {
        // What no pack can have, such as a link that leads out, is found all the same, to be
        // reported.
        guard let real = try? realPath(of: place.text), contains(FilePath(real)),
          let status = try? FileStatus(ofFileAt: real), status.kind == .directory
        else {
          let identity = try? FileStatus(ofFileAt: place.text).identity
          if identity.map({ !outputs.contains($0) }) ?? true { found.append(next) }
          continue
        }
        // A link to a folder around it would never end.
        if folder.components.starts(with: FilePath(real).components) { continue }
      }
      guard let listing = try? FileDescriptor.open(place.text, for: .directory).list() else {
        return nil
      }
      guard next.components.count < Self.deepest || listing.items.isEmpty else { return nil }
      for item in listing.items.reversed() {
        open.append(next.appending(listing.fileName(of: item)))
      }
    }
    return found
  }

  /// The text of a file below this folder; nil if it is no regular file, or larger than that.
  func text(_ path: FilePath, atMost limit: Int = largestText) -> SourceText? {
    guard let place = try? realPath(of: real.appending(path).text), contains(FilePath(place)),
      let kind = try? FileStatus(ofFileAt: place).kind, kind == .file,
      let file = try? FileDescriptor.open(place, for: .reading),
      let bytes = try? file.readToEnd(atMost: limit + 1), bytes.count <= limit
    else { return nil }
    return SourceText(bytes, named: self.path.appending(path).text)
  }
}

/// Finds what is there under names that differ in case, as they may on a Mac: each folder is listed
/// once.
struct OtherSpellings {
  private let root: ResourceFolder
  private var listed: [FilePath: [String: [FileName]]] = [:]

  init(in root: ResourceFolder) { self.root = root }

  /// A name as Macs compare it; texts are equal however their letters are composed.
  fileprivate static func spelling(_ name: FileName) -> String {
    String(decoding: name.bytes, as: UTF8.self).lowercased()
  }

  /// The path as it is on disk; nil if there is nothing.
  mutating func path(of path: FilePath) -> FilePath? {
    var found = FilePath("")
    for name in path.components {
      if listed[found] == nil { listed[found] = root.names(in: found) ?? [:] }
      let alike = listed[found]?[Self.spelling(name)] ?? []
      guard let next = alike.first(where: { $0 == name }) ?? alike.first else { return nil }
      found = found.appending(next)
    }
    return found
  }
}
