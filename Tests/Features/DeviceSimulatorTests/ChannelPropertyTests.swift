import BAPackKit
import SourceDiagnostics
import TestSupport
import Testing

@testable import DeviceSimulator

/// Random scenarios in every channel, and with every behavior of undocumented rules.
@Suite struct ChannelPropertyTests {
  private static let steps = [
    "launch", "check-for-updates", "update-app", "wait 1 days", "wait 8 days", "reconcile",
    "offline", "online", "low-power", "low-power off", "background-refresh off",
    "background-refresh", "in-app-content off", "in-app-content on", "device-language fr",
    "device-language en", "set-language es-US", "set-language default", "request cave",
    "request voices-en", "request late", "remove cave", "remove island", "cancel cave",
    "read Levels/Cave/map.json", "read Voices/door.wav", "read logo.png", "refuse island", "status",
  ]

  /// Lines of a scenario; `two` is published at a random place, in the given channels.
  private static func scenario(
    _ random: inout Seeded, channel: Channel, publishingIn channels: [Channel?]
  ) -> (lines: [String], own: [Int]) {
    var lines = ["device channel \(channel.rawValue)", "release one", "install"]
    let place = random.next(below: 12)
    var own: [Int] = []
    for index in 0..<12 {
      if index == place {
        lines += channels.map { "release two" + ($0.map { " channel \($0.rawValue)" } ?? "") }
      }
      own.append(lines.count)
      lines.append(steps[random.next(below: steps.count)])
    }
    return (lines, own)
  }

  /// Runs a scenario; returns the events of its steps, without publications, and the device.
  private static func play(
    _ seed: UInt64, _ channel: Channel, publishingIn channels: [Channel?],
    otherwise: Set<SemanticRule>
  ) -> (events: [[Event.Kind]], state: DeviceState) {
    var random = Seeded(seed: seed)
    let (lines, own) = scenario(&random, channel: channel, publishingIn: channels)
    var profile = DeviceProfile()
    profile.otherwise = otherwise
    let run = Lantern.play(lines.joined(separator: "\n"), profile: profile)
    #expect(run.scenario.findings.map(\.message) == [], "\(lines)")
    #expect(run.moments.count == lines.count, "\(lines)")
    return (own.map { run.moments[$0].events.map(\.kind) }, run.state)
  }

  /// Every rule alone, all of them, and none.
  private static var switches: [Set<SemanticRule>] {
    SemanticRule.switchable.map { [$0] } + [Set(SemanticRule.switchable), []]
  }

  @Test(.heavy, arguments: (UInt64(1)...40).sampled(every: 4))
  func `a release in all channels has the same effects in each, with every other behavior`(
    seed: UInt64
  ) {
    for otherwise in Self.switches {
      let store = Self.play(seed, .store, publishingIn: [nil], otherwise: otherwise)
      for channel in Channel.allCases {
        // Once in all channels, or in each of them.
        for channels in [[nil], Channel.allCases] as [[Channel?]] {
          let other = Self.play(seed, channel, publishingIn: channels, otherwise: otherwise)
          #expect(other.events == store.events, "\(otherwise.map(\.id)) \(channel)")
          var state = other.state
          state.profile.channel = .store
          #expect(state == store.state, "\(otherwise.map(\.id)) \(channel)")
        }
      }
    }
  }

  @Test(.heavy, arguments: (UInt64(1)...40).sampled(every: 4))
  func `a release in other channels has no effect on a device, with every other behavior`(
    seed: UInt64
  ) {
    for otherwise in Self.switches {
      for channel in Channel.allCases {
        let others = Channel.allCases.filter { $0 != channel }
        let none = Self.play(seed, channel, publishingIn: [], otherwise: otherwise)
        let some = Self.play(seed, channel, publishingIn: others, otherwise: otherwise)
        #expect(some.events == none.events, "\(otherwise.map(\.id)) \(channel)")
        #expect(some.state.live[channel] == none.state.live[channel])
      }
    }
  }
}
