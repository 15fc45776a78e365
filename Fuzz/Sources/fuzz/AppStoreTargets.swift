extension FuzzTarget {
  /// Bodies that a client sends to the mock of App Store Connect.
  static let appStoreDocument = FuzzTarget(name: "app-store-documents") { bytes in
    hold(DocumentProperty.violation(inBody: bytes))
  }

  /// Faults and switches of the mock, as people write them.
  static let appStoreText = FuzzTarget(name: "app-store-texts") { bytes in
    hold(DocumentProperty.violation(inText: bytes))
  }
}
