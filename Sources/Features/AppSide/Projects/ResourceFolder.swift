package import BAPackKit
import Glibc
package import SourceDiagnostics
package import SystemIO

/// The folder with the files of an app.
///
/// Paths and links that lead out of it are not followed.
package struct ResourceFolder {
  /// The path of the folder as the user named it.
  package let path: FilePath
  /// The path with links resolved.
  package let real: FilePath
  /// The path of the project's folder, relative to this one.
  package let project: FilePath
  /// The files that are written in the same run, which are ignored.
  private let outputs: Set<FileIdentity>

  /// The kind of file at a path.
  package enum Found: Equatable {
    case missing
    /// A link whose target is outside the folder.
    case outside
    case file
    /// A folder, with the relative paths of all files in it, sorted by their bytes.
    case folder([FilePath])
    /// A folder that exceeds a limit or contains a folder that cannot be opened.
    case tooLarge
  }

  /// The maximum number of files in a folder.
  package static let mostFiles = 200_000
  /// The maximum nesting depth; links can create endless paths.
  package static let deepest = 40
  /// The maximum size of a text in bytes.
  package static let largestText = 4 << 20

  /// Creates the folder of a project, or one that the user named instead.
  ///
  /// If the named folder contains the project's folder, paths must not leave it. Any other named
  /// folder replaces the project's folder: the paths of the project are relative to it.
  ///
  /// `folder` is the location of the files that the project specifies, relative to its folder.
  package init(
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

  /// Returns the path of a place in the project relative to this folder; nil if it is outside.
  package func path(of place: XcodeProject.FileLocation) -> FilePath? {
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

  /// Returns the names in a folder below this one, keyed by their case-folded form in one Unicode
  /// normalization; nil if the folder cannot be listed.
  fileprivate func names(in path: FilePath) -> [String: [FileName]]? {
    guard let place = try? realPath(of: real.appending(path).text), contains(FilePath(place)),
      let listing = try? FileDescriptor.open(place, for: .directory).list()
    else { return nil }
    return Dictionary(grouping: listing.items.map { listing.fileName(of: $0) }) {
      OtherSpellings.spelling($0)
    }
  }

  /// Returns the kind of file at a path below this folder.
  package func inspect(_ path: FilePath) -> Found {
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

  /// Returns the files in a folder, depth first and sorted by their bytes; nil if there are too
  /// many files, or if a folder cannot be opened.
  private func files(in folder: FilePath) -> [FilePath]? {
    var found: [FilePath] = []
    var open = [FilePath("")]
    var count = 0
    while let next = open.popLast() {
      let place = folder.appending(next)
      count += 1
      guard count <= Self.mostFiles else { return nil }
      if !next.bytes.isEmpty {
        // Files that no pack can contain, such as links that lead out, are listed too and
        // reported later.
        guard let real = try? realPath(of: place.text), contains(FilePath(real)),
          let status = try? FileStatus(ofFileAt: real), status.kind == .directory
        else {
          let identity = try? FileStatus(ofFileAt: place.text).identity
          if identity.map({ !outputs.contains($0) }) ?? true { found.append(next) }
          continue
        }
        // A link to an enclosing folder would create an endless path.
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

  /// Returns the text of a file below this folder; nil if it is not a regular file, or larger than
  /// the limit.
  package func text(_ path: FilePath, atMost limit: Int = largestText) -> SourceText? {
    guard let place = try? realPath(of: real.appending(path).text), contains(FilePath(place)),
      let kind = try? FileStatus(ofFileAt: place).kind, kind == .file,
      let file = try? FileDescriptor.open(place, for: .reading),
      let bytes = try? file.readToEnd(atMost: limit + 1), bytes.count <= limit
    else { return nil }
    return SourceText(bytes, named: self.path.appending(path).text)
  }
}

/// Finds files whose names differ in case, as on a Mac.
///
/// Each folder is listed once.
package struct OtherSpellings {
  private let root: ResourceFolder
  private var listed: [FilePath: [String: [FileName]]] = [:]

  package init(in root: ResourceFolder) { self.root = root }

  /// Returns a name in the form that Macs compare, independent of Unicode normalization.
  fileprivate static func spelling(_ name: FileName) -> String {
    String(decoding: name.bytes, as: UTF8.self).lowercased()
  }

  /// Returns the path as spelled on disk; nil if there is no such file.
  package mutating func path(of path: FilePath) -> FilePath? {
    var found = FilePath("")
    for name in path.components {
      if listed[found] == nil { listed[found] = root.names(in: found) ?? [:] }
      let candidates = listed[found]?[Self.spelling(name)] ?? []
      guard let next = candidates.first(where: { $0 == name }) ?? candidates.first else {
        return nil
      }
      found = found.appending(next)
    }
    return found
  }
}
