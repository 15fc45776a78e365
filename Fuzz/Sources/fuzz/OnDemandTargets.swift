extension FuzzTarget {
  /// The readers of property lists in the old form and in XML, and of specs in YAML.
  static let propertyList = FuzzTarget(name: "property-lists") { bytes in
    hold(OnDemandProperties.violation(inPropertyList: bytes))
  }

  /// Conversions of projects and specs, from the text to the manifests.
  static let onDemandProject = FuzzTarget(name: "on-demand-projects") { bytes in
    hold(OnDemandProperties.violation(inProject: bytes))
  }
}
