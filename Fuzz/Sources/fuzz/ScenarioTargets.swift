extension FuzzTarget {
  /// The reader of scenarios, and the device that plays what it read.
  static let scenario = FuzzTarget(name: "scenarios") { bytes in
    let violation = ScenarioProperties.violation(in: bytes)
    require(violation == nil, violation ?? "")
  }
}
