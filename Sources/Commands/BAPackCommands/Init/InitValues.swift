import Arguments
import BAPackKit
import SystemIO
import TerminalText

// MARK: - Values of options

extension ValueType where Value == String {
  /// A pattern of a `fileExclusion`.
  static var exclusion: Self {
    Self { word throws(InvalidValue) in
      guard let pattern = String(validating: FilePath(word).bytes, as: UTF8.self) else {
        throw InvalidValue("a manifest cannot contain it, because it is not UTF-8")
      }
      let manifest = Manifest(
        assetPackID: "pack", downloadPolicy: .onDemand,
        fileSelectors: [.directory("."), .exclusion(pattern)], platforms: [])
      let document = ManifestDocument(parsing: manifest.authoredJSON(), named: "the manifest")
      if let error = document.findings.first(where: { $0.severity == .error }) {
        throw InvalidValue(error.message)
      }
      return pattern
    }
  }
}

extension ValueType where Value == Int {
  /// The major number of a system version, such as that of 26.1.
  static var majorVersion: Self {
    Self { word throws(InvalidValue) in
      let parts = word.split(separator: ".", omittingEmptySubsequences: false)
      guard let major = Int(parts[0]), (1...999).contains(major),
        parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) })
      else { throw InvalidValue("expected a version, such as 26") }
      return major
    }
  }
}

/// The policy of a proposed pack, as in `music=on-demand`.
struct PackPolicy: Sendable {
  let id: String
  let policy: DownloadPolicy
}

extension ValueType where Value == PackPolicy {
  /// An ID and a policy.
  static var policyOfPack: Self {
    Self { word throws(InvalidValue) in
      let parts = word.split(separator: "=").map(String.init)
      let always = Set(InstallationEvent.allCases)
      let policies: [String: DownloadPolicy] = [
        "essential": .essential(always), "prefetch": .prefetch(always), "on-demand": .onDemand,
      ]
      guard parts.count == 2, let policy = policies[parts[1]] else {
        throw InvalidValue(
          "expected the ID of a pack and 'essential', 'prefetch' or 'on-demand', such as "
            + "music=on-demand")
      }
      return PackPolicy(id: parts[0], policy: policy)
    }
  }
}

extension ValueType where Value == FilePath {
  /// A folder below the folder of the project.
  static var projectFolder: Self {
    Self(completion: .folders) { word throws(InvalidValue) in
      let path = FilePath(word)
      let names = path.components
      guard !path.isAbsolute, !names.isEmpty, !names.contains("..") else {
        throw InvalidValue("expected a folder below the project, without '..'")
      }
      guard path.shown == word, !word.utf8.contains(where: Array("*?[\\".utf8).contains) else {
        throw InvalidValue("the project file cannot contain this path in a pattern")
      }
      return path.normalized
    }
  }
}
