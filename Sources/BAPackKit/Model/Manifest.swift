public import SourceDiagnostics

/// Describes an asset pack: its ID, when it is downloaded, and which files are in it.
public struct Manifest: Sendable, Equatable {
  /// The name under which an app asks for the pack.
  public var assetPackID: String
  /// When the system downloads the pack.
  public var downloadPolicy: DownloadPolicy
  /// Selects the files in the pack.
  public var fileSelectors: [FileSelector]
  /// The platforms that the pack is offered on; empty means all.
  public var platforms: [Platform]
  /// The folder that selectors are relative to; itself relative to the manifest.
  public var sourceRoot: String?
  /// The language of a localized pack.
  public var language: LanguageTag?
  /// Data for the app from a developer who hosts packs: an object.
  public var userInfo: JSONValue? {
    get { writtenUserInfo?.value }
    set { writtenUserInfo = newValue.map { .value($0) } }
  }
  /// The object as it was given: it may be large, and few callers want it.
  var writtenUserInfo: WrittenValue?

  /// Makes a manifest.
  public init(
    assetPackID: String, downloadPolicy: DownloadPolicy, fileSelectors: [FileSelector],
    platforms: [Platform], sourceRoot: String? = nil, language: LanguageTag? = nil,
    userInfo: JSONValue? = nil
  ) {
    self.assetPackID = assetPackID
    self.downloadPolicy = downloadPolicy
    self.fileSelectors = fileSelectors
    self.platforms = platforms
    self.sourceRoot = sourceRoot
    self.language = language
    writtenUserInfo = userInfo.map { .value($0) }
  }
}

/// When the system downloads a pack.
public enum DownloadPolicy: Sendable, Equatable {
  /// While the app is installed; the app cannot be opened before the pack is there.
  case essential(Set<InstallationEvent>)
  /// In the background, starting with the installation.
  case prefetch(Set<InstallationEvent>)
  /// When the app asks for it.
  case onDemand
}

/// The kind of installation that a policy applies to.
public enum InstallationEvent: String, Sendable, CaseIterable {
  case firstInstallation, subsequentUpdate
}

/// A kind of device that a pack is offered to.
public enum Platform: String, Sendable, CaseIterable {
  case iOS, macOS, tvOS, visionOS
}

/// A kind of selectors.
package enum SelectorKind: Int, CaseIterable, Sendable {
  case file, directory, filePattern, renamedFile, renamedDirectory, exclusion
}

/// One way to choose files.
///
/// Two selectors are equal if their bytes are: "é" has two spellings, and a file system may have
/// both.
public enum FileSelector: Sendable, Hashable {
  /// One file, which keeps its path.
  case file(String)
  /// A folder with everything in it, which keeps its path.
  case directory(String)
  /// Every file that a pattern matches; they keep their paths.
  case filePattern(String)
  /// One file, with another path in the pack.
  case renamedFile(source: String, destination: String)
  /// The contents of a folder, in another folder of the pack.
  case renamedDirectory(source: String, destination: String)
  /// Drops what other selectors choose.
  case exclusion(String)

  /// Its kind and its paths, which are patterns in some kinds; the destination only where it is
  /// another.
  var parts: (kind: SelectorKind, source: String, destination: String?) {
    switch self {
    case .file(let path): (.file, path, nil)
    case .directory(let path): (.directory, path, nil)
    case .filePattern(let pattern): (.filePattern, pattern, nil)
    case .renamedFile(let source, let destination): (.renamedFile, source, destination)
    case .renamedDirectory(let source, let destination): (.renamedDirectory, source, destination)
    case .exclusion(let pattern): (.exclusion, pattern, nil)
    }
  }

  /// Whether both are of one kind and their paths the same bytes.
  public static func == (left: Self, right: Self) -> Bool {
    let (left, right) = (left.parts, right.parts)
    return left.kind == right.kind && left.source.utf8.elementsEqual(right.source.utf8)
      && (left.destination ?? "").utf8.elementsEqual((right.destination ?? "").utf8)
  }

  /// Texts that look equal may share a hash even if they differ.
  public func hash(into hasher: inout Hasher) {
    let parts = parts
    hasher.combine(parts.kind)
    hasher.combine(parts.source)
    hasher.combine(parts.destination)
  }
}
