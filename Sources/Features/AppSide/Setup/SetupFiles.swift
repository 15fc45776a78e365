package import BAPackKit
package import SystemIO

/// The files that a setup writes.
package struct SetupFiles: Sendable {
  /// A file, with its path below the folder.
  package struct File: Sendable {
    package let path: FilePath
    package let text: String
  }

  package let files: [File]

  /// The name of the file with the keys for a larger property list.
  static let fragmentName: FileName = "Info-keys.fragment"

  /// Creates the files of a setup.
  package init(of setup: AppSetup) {
    let itself = DownloaderExtension(of: setup.kind, in: setup.language)
    let folder = FilePath(DownloaderExtension.targetName)
    func list(_ value: PropertyList.Value) -> String {
      PropertyList.xml(value, comment: DownloaderExtension.mark)
    }
    var files = [
      File(path: folder.appending("Info.plist" as FileName), text: list(itself.infoPlist)),
      File(
        path: folder.appending(FilePath(DownloaderExtension.targetName + ".entitlements")),
        text: list(
          DownloaderExtension.entitlements(group: setup.group, isSandboxed: setup.isForMac))),
      File(path: folder.appending(FilePath(itself.sourceName)), text: itself.source),
      File(
        path: "App.entitlements",
        text: list(DownloaderExtension.entitlements(group: setup.group))),
    ]
    if let keys = setup.keys {
      files.append(File(path: "Info-keys.plist", text: list(.dictionary(keys.keys))))
      files.append(
        File(path: FilePath(joining: [Self.fragmentName]), text: PropertyList.members(keys.keys)))
    }
    self.files = files
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
