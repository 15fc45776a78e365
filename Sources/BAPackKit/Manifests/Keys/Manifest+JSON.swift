public import SourceDiagnostics

extension Manifest {
  /// The strict JSON that goes into an archive as `Manifest.json`: always the same bytes for the
  /// same meaning, without what only the packager needs.
  public func archivedJSON() -> [UInt8] { JSONWriter.bytes(archivedValue, .readable) }

  /// What `archivedJSON` writes.
  public var archivedValue: JSONValue {
    var members = [
      JSONValue.Member("assetPackID", .string(assetPackID)),
      JSONValue.Member("downloadPolicy", downloadPolicy.jsonValue),
      JSONValue.Member("fileSelectors", .array(fileSelectors.map(\.jsonValue))),
      JSONValue.Member("platforms", .array(platforms.map { .string($0.rawValue) })),
    ]
    if let language { members.append(.init("language", .string(language.description))) }
    if let userInfo { members.append(.init("userInfo", userInfo)) }
    return .object(members)
  }
}

extension DownloadPolicy {
  /// The policy as a manifest writes it, events in their usual order.
  public var jsonValue: JSONValue {
    func policy(_ name: String, _ events: Set<InstallationEvent>) -> JSONValue {
      let list = InstallationEvent.allCases.filter(events.contains)
      return .object([
        .init(
          name,
          .object([
            .init("installationEventTypes", .array(list.map { .string($0.rawValue) }))
          ]))
      ])
    }
    return switch self {
    case .essential(let events): policy("essential", events)
    case .prefetch(let events): policy("prefetch", events)
    case .onDemand: .object([.init("onDemand", .object([]))])
    }
  }
}

extension FileSelector {
  /// The selector as a manifest writes it.
  public var jsonValue: JSONValue {
    func object(_ members: (String, String)...) -> JSONValue {
      .object(members.map { JSONValue.Member($0.0, .string($0.1)) })
    }
    return switch self {
    case .file(let path): object(("file", path))
    case .directory(let path): object(("directory", path))
    case .filePattern(let pattern): object(("filePattern", pattern))
    case .renamedFile(let source, let destination):
      object(("fileSource", source), ("fileDestination", destination))
    case .renamedDirectory(let source, let destination):
      object(("directorySource", source), ("directoryDestination", destination))
    case .exclusion(let pattern): object(("fileExclusion", pattern))
    }
  }
}
