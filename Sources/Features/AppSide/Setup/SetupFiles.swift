package import BAPackKit
package import SystemIO

/// The files that a setup writes.
package struct SetupFiles: Sendable {
  /// A file, with its path below the folder.
  package struct File: Sendable {
    package let path: FilePath
    package let text: String

    init(path: FilePath, text: String) {
      self.path = path
      self.text = text
    }

    /// Creates a file with a property list.
    init(path: FilePath, _ list: PropertyList.Value) {
      self.init(path: path, text: PropertyList.xml(list, comment: DownloaderExtension.mark))
    }
  }

  package let files: [File]

  /// The name of the file with the keys for a larger property list.
  static let fragmentName: FileName = "Info-keys.fragment"

  /// Creates the files of a setup.
  package init(of setup: AppSetup) {
    var files = Self.files(
      of: DownloaderExtension(of: setup.kind, in: setup.language), group: setup.group,
      isSandboxed: setup.isForMac, in: FilePath(DownloaderExtension.targetName))
    files.append(
      File(
        path: "App.entitlements", DownloaderExtension.entitlements(group: setup.group)))
    if let keys = setup.keys {
      files.append(File(path: "Info-keys.plist", .dictionary(keys.keys)))
      files.append(
        File(path: FilePath(joining: [Self.fragmentName]), text: PropertyList.members(keys.keys)))
    }
    self.files = files
  }

  /// Creates the files of an extension: its Info.plist, its entitlements and its code.
  static func files(
    of itself: DownloaderExtension, group: String?, isSandboxed: Bool, in folder: FilePath
  ) -> [File] {
    [
      File(path: folder.appending("Info.plist" as FileName), itself.infoPlist),
      File(
        path: folder.appending(FilePath(DownloaderExtension.targetName + ".entitlements")),
        DownloaderExtension.entitlements(group: group, isSandboxed: isSandboxed)),
      File(path: folder.appending(FilePath(itself.sourceName)), text: itself.source),
    ]
  }

  /// Writes the files into a folder, and returns the paths of the written ones.
  ///
  /// A file with equal contents is kept. If any file has other contents, no file is written.
  package func write(to folder: FilePath, _ work: Work) throws(PackError) -> [FilePath] {
    var missing: [(path: FilePath, text: String)] = []
    var foreign: [String] = []
    for file in files {
      let path = folder.appending(file.path)
      let bytes = Array(file.text.utf8)
      guard (try? FileStatus(ofLinkAt: path.text)) != nil else {
        missing.append((path, file.text))
        continue
      }
      let found = try? FileDescriptor.open(path.text, for: .waiting(work))
        .readToEnd(atMost: bytes.count + 1)
      if found != bytes { foreign.append("'\(path)'") }
    }
    guard foreign.isEmpty else {
      throw PackError(
        .conflict,
        "\(foreign.joined(separator: ", ")) \(foreign.count == 1 ? "has" : "have") other contents",
        remedy: .advice("specify another folder, and compare the files; none was written"))
    }
    try mapFailure(.writing) { () throws(Failure) in
      for (path, _) in missing {
        try AtomicFile.check(path.text, replacing: false, makingFolder: true)
      }
      for (path, text) in missing {
        let file = try AtomicFile(path.text, replacing: false, makingFolder: true)
        try file.write(Array(text.utf8))
        try file.publish()
      }
    }
    return missing.map(\.path)
  }
}
