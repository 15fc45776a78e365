import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

// `download-manifest publish` and `rollback`: the packs first, then the manifest.

/// The common arguments of both commands.
private enum PublishingArguments {
  static let destination = Argument(
    "destination", .text, "A folder, or a remote of rclone, such as 'cdn:bucket'.")
  static let manifests = ArgumentList(
    "manifest", .file("json"), "The download manifests, which keep their file names.")
}

/// `download-manifest publish`: transfers packs and manifests to a server.
struct DownloadManifestPublishCommand: Subcommand {
  private typealias Shared = PublishingArguments
  private static let files = Option(
    "files", .folder, called: "folder", in: .input, isRequired: true,
    "Transfer the packs in this folder.",
    details: "Its paths are those below the destination.")

  static let definition = Command(
    "publish", overview: "Transfer packs and manifests to a server with rclone.",
    discussion: [
      """
      The packs are transferred first. When all packs of a manifest are there with their sizes, \
      the manifest is uploaded under another name, and then replaces the former one. If the \
      command or the connection ends before that, devices get the former manifest, and the next \
      run continues.
      """,
      """
      Files that the published manifest uses are never changed, and versions never decrease. The \
      former manifest is kept as '<name>.former', for 'download-manifest rollback'.
      """,
      """
      The replacement is one step in a folder and in object stores. A WebDAV server receives the \
      manifest as one file instead. rclone is a separate program with its own configuration.
      """,
    ],
    [Shared.destination, Shared.manifests, files],
    examples: [
      Term(
        "ba-package download-manifest publish cdn:bucket ios.json --files site",
        "Publish the packs of 'create --publish-to site/packs'.")
    ])

  private let destination: String
  private let manifests: [String]
  private let files: String

  init(_ arguments: ParsedArguments) throws(UsageError) {
    destination = try arguments.required(Shared.destination)
    manifests = arguments[Shared.manifests]
    files = try arguments.required(Self.files)
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    Interrupt.install()
    var releases: [ManifestRelease] = []
    for path in manifests {
      let files = PublicationFiles(path)
      let document = try files.readManifest(allowingHTTP: true, console.work)
      guard let release = ManifestRelease(document, named: FilePath(path).name.shown) else {
        console.report(document.findings, as: .text)
        return console.reportFailure("No file was transferred", document.findings)
      }
      releases.append(release)
    }
    let remote = RemoteFiles(destination, console.work)
    let before = try remote.sizes()
    var changed: [ManifestRelease] = []
    var used: Set<String> = []
    for release in releases {
      guard before[release.name] != nil else {
        changed.append(release)
        continue
      }
      let live = try release.readLive(remote)
      if let live {
        try release.checkFollows(live)
        used.formUnion(live.packs.compactMap { live.path(of: $0, in: before) })
      }
      if live?.bytes == release.bytes {
        console.summary("\(release.name): already published")
      } else {
        changed.append(release)
      }
    }
    // A file that an interrupted run left has another size; no manifest uses it.
    for (path, size) in try RemoteFiles(files, console.work).sizes() {
      guard let found = before[path], found != size, !used.contains(path),
        !releases.contains(where: { $0.name == path })
      else { continue }
      try remote.remove(path)
    }
    try remote.copy(files, except: releases.map(\.name))
    let after = try remote.sizes()
    for release in releases { try release.checkPacks(in: after) }
    for release in changed {
      try publish(release, remote, isFirst: before[release.name] == nil)
      console.summary("\(release.name): published \(Quantity.count(release.packs.count, "pack"))")
    }
    return .done
  }

  private func publish(
    _ release: ManifestRelease, _ remote: RemoteFiles, isFirst: Bool
  ) throws(PackError) {
    try remote.upload(release.path, as: release.newName)
    if !isFirst { try remote.duplicate(release.name, as: release.formerName) }
    try remote.replace(release.name, by: release.newName)
    guard try remote.contents(of: release.name) == release.bytes else {
      throw PackError(
        .conflict, "'\(release.name)' at the destination differs from the published file",
        remedy: "another process publishes at the same time; run the command again")
    }
  }
}

/// `download-manifest rollback`: puts the former manifest back.
struct DownloadManifestRollbackCommand: Subcommand {
  private typealias Shared = PublishingArguments

  static let definition = Command(
    "rollback", overview: "Publish the former manifest again.",
    discussion: [
      """
      Exchanges the manifest and '<name>.former', which 'publish' kept, if all packs of the former \
      one are still there. This helps devices that do not have the newer versions yet. A device \
      never goes back to a lower version: for the others, 'update' publishes the old archive as a \
      new version.
      """
    ],
    [Shared.destination, Shared.manifests],
    examples: [
      Term(
        "ba-package download-manifest rollback cdn:bucket ios.json",
        "Publish the manifest before the last 'publish'.")
    ])

  private let destination: String
  private let manifests: [String]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    destination = try arguments.required(Shared.destination)
    manifests = arguments[Shared.manifests]
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    Interrupt.install()
    let remote = RemoteFiles(destination, console.work)
    let sizes = try remote.sizes()
    for name in manifests.map({ FilePath($0).name.shown }) {
      let former = ManifestRelease.formerName(of: name)
      guard sizes[former] != nil else {
        throw PackError(
          .missing, "there is no former manifest '\(former)'",
          remedy: "'download-manifest publish' keeps it from the second release on")
      }
      let document = DownloadManifestDocument(
        parsing: try remote.contents(of: former), named: former, allowingHTTP: true)
      guard let release = ManifestRelease(document, named: name) else {
        console.report(document.findings, as: .text)
        return console.reportFailure("The manifest was not changed", document.findings)
      }
      try release.checkPacks(in: sizes)
      try remote.duplicate(former, as: release.newName)
      try remote.duplicate(name, as: former)
      try remote.replace(name, by: release.newName)
      console.summary("\(name): the former manifest is published again")
    }
    return .done
  }
}

/// A download manifest with the name that it has on a server.
private struct ManifestRelease {
  let name: String
  /// The path of the local file.
  let path: String
  let bytes: [UInt8]
  let packs: [PublishedPack]

  /// Creates a release; nil if the manifest has errors.
  init?(_ document: DownloadManifestDocument, named name: String) {
    guard let manifest = document.manifest, !document.findings.hasErrors else { return nil }
    self.name = name
    path = document.source.name
    bytes = Array(document.source.bytes)
    packs = manifest.packs
  }

  /// The name under which it is uploaded.
  var newName: String { "\(name).new" }
  var formerName: String { Self.formerName(of: name) }
  static func formerName(of name: String) -> String { "\(name).former" }

  /// Returns the published manifest of this name; nil if it is not readable.
  func readLive(_ remote: RemoteFiles) throws(PackError) -> ManifestRelease? {
    let document = DownloadManifestDocument(
      parsing: try remote.contents(of: name), named: name, allowingHTTP: true)
    return ManifestRelease(document, named: name)
  }

  /// Returns the path of a pack's archive: the longest one at the end of its address.
  func path(of pack: PublishedPack, in sizes: [String: UInt64]) -> String? {
    var names = WebAddress(pack.url)?.path ?? []
    while !names.isEmpty {
      let path = names.joined(separator: "/")
      if sizes[path] != nil { return path }
      names.removeFirst()
    }
    return nil
  }

  /// Throws if a version decreases, or if an address gets another archive.
  func checkFollows(_ live: ManifestRelease) throws(PackError) {
    for pack in packs {
      if let old = live.packs.first(where: { $0.id == pack.id }), old.version > pack.version {
        throw PackError(
          .conflict,
          "'\(name)' has version \(pack.version) of '\(pack.id)', and version \(old.version) is "
            + "published",
          remedy: .updateDownloadManifest)
      }
      guard let old = live.packs.first(where: { $0.url == pack.url }),
        old.version != pack.version || old.downloadSize != pack.downloadSize
      else { continue }
      throw PackError(
        .conflict,
        "the address of '\(pack.id)' is published with other bytes: \(publicAddress(pack.url))",
        remedy: .advice(
          "put {version} or {sha256} into --url-template, so that each archive has its own "
            + "address"))
    }
  }

  /// Throws if a pack is not there with its size.
  func checkPacks(in sizes: [String: UInt64]) throws(PackError) {
    for pack in packs {
      guard let path = path(of: pack, in: sizes) else {
        throw PackError(
          .missing,
          "'\(name)' was not published: no file for '\(pack.id)', whose address is "
            + publicAddress(pack.url),
          remedy: "transfer the folder that corresponds to the host, with '--files'")
      }
      guard sizes[path] == pack.downloadSize else {
        throw PackError(
          .conflict,
          "'\(name)' was not published: '\(path)' has \(sizes[path] ?? 0) bytes instead of "
            + "\(pack.downloadSize)",
          remedy: "create the files again with '--publish-to'")
      }
    }
  }
}
