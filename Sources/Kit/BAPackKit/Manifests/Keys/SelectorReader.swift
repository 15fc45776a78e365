import AssetArchive
import SourceDiagnostics

/// A key of a selector with its place and its value.
private struct FoundKey {
  let key: SelectorKey
  let node: JSONNode
  let value: JSONNode
}

extension Draft<Manifest> {
  /// Reads the selectors and their places.
  mutating func readSelectors(_ array: JSONNode, _ findings: inout Ledger) -> [FileSelector] {
    var selectors: [FileSelector] = []
    selectors.reserveCapacity(array.count)
    locations.selectors.reserveCapacity(array.count)
    for element in array.elements {
      guard element.kind == .object else {
        if element.kind != .invalid {
          findings.add(
            .wrongType(
              element, "a selector must be an object",
              fixes: SelectorRules.asSelector(element).map { [$0] } ?? []))
        }
        continue
      }
      guard let (selector, location) = Self.readSelector(element, &findings) else { continue }
      selectors.append(selector)
      locations.selectors.append(location)
    }
    findings.add(SelectorRules.none(array))
    SelectorRules.duplicate(selectors, locations.selectors, in: array, into: &findings)
    return selectors
  }

  private static func readSelector(
    _ object: JSONNode, _ findings: inout Ledger
  ) -> (FileSelector, SelectorLocation)? {
    var found: [FoundKey] = []
    var unknown: [JSONNode] = []
    for member in object.members {
      guard let name = member.key.string, !member.key.isDamaged else { continue }
      guard let key = SelectorKey(named: name) else {
        unknown.append(member.key)
        continue
      }
      if !found.contains(where: { $0.key == key }) {
        found.append(FoundKey(key: key, node: member.key, value: member.value))
      }
    }
    guard let first = found.first else {
      if !object.isDamaged || !unknown.isEmpty {
        findings.add(SelectorRules.unknownKind(object, unknown: unknown))
      }
      return nil
    }
    // Only the second key of the same kind is possible.
    let isAlone = found.count == 1
    let known = first.key.partner.flatMap { isAlone ? [$0.name] : nil } ?? []
    for key in unknown {
      findings.add(.error) {
        let name = key.string ?? ""
        if let fix = SelectorRules.ownExclusion(key, in: object) {
          var finding = Finding.unknownKey(key, name, owner: "a selector", known: [], near: nil)
          finding.fixes = [fix]
          return finding
        }
        return .unknownKey(
          key, name, owner: "a selector", known: known,
          near: Spelling.nearest(to: name, among: known))
      }
    }
    if let other = found.first(where: { $0.key.kind != first.key.kind }) {
      findings.add(SelectorRules.twoKinds(first.node, other.node))
      return nil
    }
    if let partner = first.key.partner, found.count == 1 {
      // A misspelled second key is not also reported as missing.
      let isMisspelt = unknown.contains {
        Spelling.nearest(to: $0.string ?? "", among: [partner.name]) != nil
      }
      if !object.isDamaged, !isMisspelt {
        findings.add(
          SelectorRules.halfPair(object, has: first.node, lacks: partner.name))
      }
      return nil
    }
    return makeSelector(object, found, &findings)
  }

  private static func makeSelector(
    _ object: JSONNode, _ found: [FoundKey], _ findings: inout Ledger
  ) -> (FileSelector, SelectorLocation)? {
    // The source is read first, in any order of the keys; both are checked, even after an error.
    let isReversed = found[0].key.isDestination
    let first = found[isReversed ? found.count - 1 : 0]
    let source = readPath(first, &findings)
    var destination: String?
    var second: FoundKey?
    if found.count > 1 {
      let other = found[isReversed ? 0 : 1]
      destination = readPath(other, &findings)
      if destination == nil { return nil }
      second = other
    }
    guard let source else { return nil }
    let location = SelectorLocation(
      whole: object.span, source: first.value.span, destination: second?.value.span)
    return (first.key.kind.selector(source, destination ?? ""), location)
  }

  /// Reads the path in a selector; returns nil after it has reported an error.
  private static func readPath(_ found: FoundKey, _ findings: inout Ledger) -> String? {
    let (key, value) = (found.key, found.value)
    guard let path = value.string else {
      if value.kind != .invalid {
        findings.add(.wrongType(value, "'\(key.name)' must be a string"))
      }
      return nil
    }
    let span = value.span
    if let error = SelectorPath.fault(in: path, of: key, at: span) {
      findings.add(error)
      return nil
    }
    findings.add(SelectorRules.backslash(path, of: key, at: value))
    findings.add(SelectorRules.globSigns(path, of: key, keyNode: found.node, at: span))
    let normalized = SelectorPath.normalized(path, isFolder: key.acceptsFolder)
    if key.acceptsPattern {
      findings.add(PatternRules.malformed(path, of: key, at: value))
    } else if key.namesPathInPack, normalized != ".",
      let fault = PackPath.fault(inContents: Array(normalized.utf8)[...])
    {
      findings.add(NameRules.name(Array(normalized.utf8), fault, at: span))
    }
    return key.isExclusion ? SelectorPath.normalized(exclusion: path) : normalized
  }
}
