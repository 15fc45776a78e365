extension FuzzTarget {
  /// The reader of download manifests, and updates of what it read.
  static let downloadManifest = FuzzTarget(name: "download-manifests") { bytes in
    hold(DownloadManifestProperties.violation(inManifest: bytes))
  }

  /// The reader of the records beside them.
  static let publicationRecord = FuzzTarget(name: "publication-records") { bytes in
    hold(DownloadManifestProperties.violation(inRecord: bytes))
  }

  /// The reader of property lists.
  static let infoPlist = FuzzTarget(name: "info-plists") { bytes in
    hold(DownloadManifestProperties.violation(inPropertyList: bytes))
  }
}
