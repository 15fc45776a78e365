public import SourceDiagnostics

/// The description of an asset pack: its ID, its download policy, and its files.
public struct Manifest: Sendable, Equatable {
  /// The name by which the app requests the pack.
  public var assetPackID: String
  /// The download policy.
  public var downloadPolicy: DownloadPolicy
  /// The selectors of the files in the pack.
  public var fileSelectors: [FileSelector]
  /// The platforms that the pack is offered on; empty means all.
  public var platforms: [Platform]
  /// The folder or archive that contains the source files, relative to the folder of the manifest.
  public var sourceRoot: String?
  /// The language of a localized pack; nil for a pack for all languages.
  public var language: LanguageTag?
  /// Data for the app, for packs on the developer's own server: an object.
  public var userInfo: JSONValue? {
    get { writtenUserInfo?.value }
    set { writtenUserInfo = newValue.map { .value($0) } }
  }
  /// The unparsed object, because it may be large and is rarely used.
  var writtenUserInfo: WrittenValue?

  /// Creates a manifest.
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

/// The time at which the system downloads a pack.
public enum DownloadPolicy: Sendable, Equatable {
  /// During installation or update; the app opens after the download.
  case essential(Set<InstallationEvent>)
  /// In the background, starting with installation or update.
  case prefetch(Set<InstallationEvent>)
  /// When the app requests the pack.
  case onDemand
}

/// An installation event that a policy applies to.
public enum InstallationEvent: String, Sendable, CaseIterable {
  case firstInstallation, subsequentUpdate
}

/// A platform that a pack is offered on.
public enum Platform: String, Sendable, CaseIterable {
  case iOS, macOS, tvOS, visionOS
}

package enum SelectorKind: Int, CaseIterable, Sendable {
  case file, directory, filePattern, renamedFile, renamedDirectory, exclusion
}

/// A selector, which adds files of the source root to a pack, or excludes files.
///
/// Selectors are compared by their bytes, because a file system may contain both encodings of "é".
public enum FileSelector: Sendable, Hashable {
  /// One file, which keeps its path.
  case file(String)
  /// A folder with all its contents, which keeps its path.
  case directory(String)
  /// All files that match a pattern, which keep their paths.
  case filePattern(String)
  /// One file, with another path in the pack.
  case renamedFile(source: String, destination: String)
  /// The contents of a folder, with another folder in the pack.
  case renamedDirectory(source: String, destination: String)
  /// A pattern of files that are excluded.
  case exclusion(String)

  /// The kind, the source path or pattern, and the destination if it differs from the source.
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

  /// Returns whether both have the same kind and the same bytes in their paths.
  public static func == (left: Self, right: Self) -> Bool {
    let (left, right) = (left.parts, right.parts)
    return left.kind == right.kind && left.source.utf8.elementsEqual(right.source.utf8)
      && (left.destination ?? "").utf8.elementsEqual((right.destination ?? "").utf8)
  }

  /// Hashes the kind and the paths.
  public func hash(into hasher: inout Hasher) {
    let parts = parts
    hasher.combine(parts.kind)
    hasher.combine(parts.source)
    hasher.combine(parts.destination)
  }
}
