public import SourceDiagnostics

/// What an asset pack is: its ID, when it is downloaded, and which files are in it.
public struct Manifest: Sendable, Equatable {
  /// The name under which an app asks for the pack.
  public var assetPackID: String
  /// When the system downloads the pack.
  public var downloadPolicy: DownloadPolicy
  /// Which files are in the pack.
  public var fileSelectors: [FileSelector]
  /// Where the pack is offered; empty means everywhere.
  public var platforms: [Platform]
  /// The folder that selectors start from, relative to the manifest.
  public var sourceRoot: String?
  /// The language of a localized pack.
  public var language: LanguageTag?
  /// What a self-hosting developer hands to the app: an object.
  public var userInfo: JSONValue? {
    get { writtenUserInfo?.value }
    set { writtenUserInfo = newValue.map { .value($0) } }
  }
  /// The object as it was given: it may be large and is looked at only by those who want it.
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
  /// While the app installs; the app does not open before it is there.
  case essential(Set<InstallationEvent>)
  /// From the installation on, in the background.
  case prefetch(Set<InstallationEvent>)
  /// When the app asks.
  case onDemand
}

/// What kind of installation a policy applies to.
public enum InstallationEvent: String, Sendable, CaseIterable {
  case firstInstallation, subsequentUpdate
}

/// A kind of device a pack is offered to.
public enum Platform: String, Sendable, CaseIterable {
  case iOS, macOS, tvOS, visionOS
}

/// One way of naming files.
///
/// Two are equal when their bytes are: "é" has two spellings, and a file system may hold both.
public enum FileSelector: Sendable, Hashable {
  /// One file, at its own path.
  case file(String)
  /// A folder with everything below it, at its own path.
  case directory(String)
  /// Every file that a pattern matches, at its own path.
  case filePattern(String)
  /// One file, at another path.
  case renamedFile(source: String, destination: String)
  /// What is below a folder, below another path.
  case renamedDirectory(source: String, destination: String)
  /// Takes away what other selectors chose.
  case exclusion(String)

  /// Its kind and its paths, which are patterns in some kinds; the destination only where it is another.
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

  /// Hashes what makes two of them equal; texts that look equal may share a hash.
  public func hash(into hasher: inout Hasher) {
    let parts = parts
    hasher.combine(parts.kind)
    hasher.combine(parts.source)
    hasher.combine(parts.destination)
  }
}
