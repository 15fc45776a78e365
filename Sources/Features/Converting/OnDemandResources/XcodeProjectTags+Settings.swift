import AppSide
import BAPackKit
import SourceDiagnostics

// MARK: - Build settings

extension XcodeProjectTags {
  /// The settings that specify when packs are downloaded.
  static let scheduleKeys = [
    "ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS", "ON_DEMAND_RESOURCES_PREFETCH_ORDER",
  ]

  /// Reads the download policies of a target's tags.
  mutating func readSettings(of target: XcodeProject.Object, _ name: String, hasTags: Bool) {
    var all = project.settings(of: target, named: self.name, in: folder)
    guard let settings = all.first else { return }
    guard hasTags || Self.scheduleKeys.contains(where: settings.assigns) else { return }
    let sdks = readPlatforms(settings)
    for index in all.indices { all[index].sdk = sdks[0] }
    readSchedule(of: name, all, for: sdks)
    if let word = elements("ENABLE_ON_DEMAND_RESOURCES", all[0])?.last, word.text == "NO" {
      findings.add(OnDemandRules.disabled(in: name, at: word.span))
    }
    let prefix = "ASSET_PACK_MANIFEST_URL_PREFIX"
    if let given = all[0].assignments(of: prefix).first, let text = given.texts.last {
      // An address that cannot be evaluated is shown as written.
      let word =
        (try? all[0].elements(of: prefix))?.last ?? SettingElement(text: text, span: given.span)
      findings.add(OnDemandRules.ownServer(word.text, at: word.span))
    }
    findings.add(settings, isPolicyGiven: options.downloadPolicy != nil, once: &reported)
  }

  /// Reads the platforms of a target; returns the SDKs for which its settings are evaluated.
  private mutating func readPlatforms(_ settings: XcodeProject.Settings) -> [String] {
    var names: [String] = []
    for key in ["SDKROOT", "SUPPORTED_PLATFORMS"] {
      // Platforms that the user specifies take precedence.
      let found = options.platforms.isEmpty ? elements(key, settings) : settings[key]
      names += found?.map(\.text) ?? []
    }
    result.platforms += names
    // Macs do not support On-Demand Resources.
    let devices: [(name: String, platform: Platform)] = [
      ("iphoneos", .iOS), ("appletvos", .tvOS), ("xros", .visionOS),
    ]
    let meant = devices.filter { device in
      options.platforms.isEmpty
        ? names.contains { $0.hasPrefix(device.name) } : options.platforms.contains(device.platform)
    }
    return meant.isEmpty ? ["iphoneos"] : meant.map(\.name)
  }

  private mutating func readSchedule(
    of target: String, _ all: [XcodeProject.Settings], for sdks: [String]
  ) {
    var values: [[SettingElement]] = []
    for key in Self.scheduleKeys {
      let value = elements(key, all[0]) ?? []
      values.append(value)
      for sdk in sdks.dropFirst() {
        var other = all[0]
        other.sdk = sdk
        guard let differing = elements(key, other), differing.map(\.text) != value.map(\.text)
        else {
          continue
        }
        let span = (value.first ?? differing.first)?.span
        if reported.insert("\(key) \(sdk) \(span?.start ?? 0)").inserted {
          findings.add(
            OnDemandRules.setting(key, differsBetween: sdks[0], and: sdk, at: span))
        }
      }
      for other in all.dropFirst() {
        guard let differing = try? other.elements(of: key),
          differing.map(\.text) != value.map(\.text)
        else { continue }
        findings.add(
          OnDemandRules.configurations(
            key, taken: all[0].name, other: other.name,
            at: (differing.first ?? value.first)?.span))
      }
    }
    result.initialInstallTags += values[0]
    result.prefetchOrder += values[1]
    result.schedules.append(
      .init(target: target, initialInstallTags: values[0], prefetchOrder: values[1]))
  }

  /// Returns the value of a setting; nil and a finding if it cannot be evaluated.
  private mutating func elements(_ key: String, _ settings: XcodeProject.Settings)
    -> [SettingElement]?
  {
    do throws(SettingFault) {
      return try settings.elements(of: key)
    } catch {
      let span = error.assignment.place?.span ?? error.assignment.span
      let name = error.assignment.place?.source.name ?? ""
      if reported.insert("\(key) \(name) \(span.start)").inserted {
        let finding = OnDemandRules.setting(key, error, at: span)
        if let place = error.assignment.place {
          findings.add(finding, about: place.source)
        } else {
          findings.add(finding)
        }
      }
      return nil
    }
  }
}

extension Ledger {
  /// Reports the unreadable parts of settings files, each place once.
  mutating func add(
    _ settings: XcodeProject.Settings, isPolicyGiven: Bool, once reported: inout Set<String>
  ) {
    for file in settings.unread {
      let source = file.place?.source
      let span = file.place?.span ?? file.span
      guard reported.insert("\(file.path) \(source?.name ?? "") \(span.start)").inserted else {
        continue
      }
      let finding = OnDemandRules.settingsFile(file.path, isPolicyGiven: isPolicyGiven, at: span)
      if let source { add(finding, about: source) } else { add(finding) }
    }
    for line in settings.malformed
    where reported.insert("\(line.source.name) \(line.span.start)").inserted {
      let key = XcodeProjectTags.scheduleKeys.first { line.text.contains($0) }
      add(
        OnDemandRules.setting(
          malformed: line.text, naming: isPolicyGiven ? nil : key, at: line.span),
        about: line.source)
    }
  }
}
