package import BAPackKit
package import SourceDiagnostics

/// Rules for scenarios, and for problems of packs that a scenario detects.
package enum ScenarioRules {
  package static let all: [Rule] = [
    expectation, empty, unknownStep, step, installation, noEffect, release, unknownPack, absent,
  ]

  /// An expectation must be met.
  package static let expectation = Rule(
    "scenario.expectation",
    what: "An expectation of a scenario is not met.",
    why: """
      Either the packs or the scenario are wrong. The finding describes the actual result, and \
      the timeline shows the events that led to it.
      """,
    example: .init(
      wrong: "install\nexpect downloaded level-cave", right: "install\nexpect downloaded tutorial"))

  package static func expectation(
    _ wanted: Finding.Message, _ instead: Finding.Message, at span: SourceSpan?,
    notes: [Finding.Message] = []
  ) -> Finding {
    expectation.finding(wanted + ": " + instead, at: span, notes: notes)
  }

  /// Whether a finding is a failed expectation.
  package static func isExpectation(_ finding: Finding) -> Bool { finding.id == expectation.id }

  /// A scenario must have a step or an expectation.
  package static let empty = Rule(
    "scenario.empty",
    what: "A scenario has no steps and no expectations.",
    why: "A scenario without steps always succeeds, so it checks no packs.",
    example: .init(wrong: "# install", right: "install"))

  package static func empty(at span: SourceSpan?) -> Finding {
    empty.finding("the scenario has no steps and no expectations", at: span)
  }

  /// A line must begin with a step.
  package static let unknownStep = Rule(
    "scenario.unknown-step", fixGrade: .shownOnly,
    what: "A line of a scenario begins with an unknown step.",
    why: "If the line were ignored, a scenario could succeed although it checks no packs.",
    example: .init(wrong: "instal", right: "install"))

  package static func unknownStep(
    _ word: String, of known: [String], at span: SourceSpan
  ) -> Finding {
    let near = Spelling.nearest(to: word, among: known)
    return unknownStep.finding(
      "unknown step '\(word)'", at: span,
      notes: near == nil ? ["the steps are \(Finding.list(known))"] : [],
      fixes: near.map { [Fix("write '\($0)'", .shownOnly)] } ?? [])
  }

  /// A step must have the right form.
  package static let step = Rule(
    "scenario.step",
    what: "A step of a scenario has a syntax error.",
    why: """
      Each step has its own form, with IDs of packs, a path, sizes such as 200M, or durations \
      such as '8 days'. A scenario with an invalid step is not run.
      """,
    example: .init(
      wrong: "install\nwait eight days", right: "install\nwait 8 days"))

  package static func step(
    _ what: Finding.Message, form: String?, at span: SourceSpan
  ) -> Finding {
    step.finding(what, at: span, notes: form.map { [.init(whole: "the form is '\($0)'")] } ?? [])
  }

  /// Returns the finding for an unknown word of a step.
  package static func step(
    _ what: Finding.Message, _ word: String, of known: [String], form: String, at span: SourceSpan
  ) -> Finding {
    let near = Spelling.nearest(to: word, among: known)
    return step.finding(
      what, at: span,
      notes: near == nil
        ? ["expected \(Finding.list(known))", .init(whole: "the form is '\(form)'")] : [],
      fixes: near.map { [Fix("write '\($0)'", .shownOnly)] } ?? [])
  }

  /// An installation or update of the app must succeed.
  package static let installation = Rule(
    "scenario.installation",
    what: "An installation or update of the app fails, and the scenario does not expect it.",
    why: """
      An app that is not installed downloads and reads nothing, so later expectations could \
      succeed for the wrong reason. If the failure is intended, write \
      'expect app not installed' or 'expect app not updated' before the next installation or update.
      """,
    example: .init(
      wrong: "offline\ninstall", right: "offline\ninstall\nexpect app not installed"))

  package static func installation(_ reason: Finding.Message, at span: SourceSpan) -> Finding {
    installation.finding(reason, at: span)
  }

  /// A step must be possible.
  package static let noEffect = Rule(
    "scenario.no-effect", .always(.warning),
    what: "A step of a scenario has no effect, because it is impossible at this point.",
    why: """
      An app that is not installed sends no requests, and an installed app is not installed \
      again. Later expectations may be met only because the step had no effect.
      """,
    example: .init(
      wrong: "request level-cave\ninstall", right: "install\nrequest level-cave"))

  package static func noEffect(_ reason: Finding.Message, at span: SourceSpan) -> Finding {
    noEffect.finding("this step has no effect: " + reason, at: span)
  }

  /// A release must be readable.
  package static let release = Rule(
    "scenario.release",
    what: "A release of a scenario cannot be read.",
    why: """
      A release is a folder of packs, a list of packs, a download manifest or an address. Paths \
      are relative to the current folder.
      """,
    example: .init(wrong: "release build/0.9\ninstall", right: "install"))

  package static func release(_ reason: Finding.Message, at span: SourceSpan?) -> Finding {
    release.finding(reason, at: span)
  }

  /// A pack must be in a release.
  package static let unknownPack = Rule(
    "scenario.unknown-pack", .always(.warning),
    what: "A scenario names a pack that no release of the scenario contains.",
    why: """
      With a misspelled ID, 'expect not downloaded' is always met and 'refuse' has no effect. \
      Ignore the warning if the scenario requests a missing pack on purpose.
      """,
    example: .init(
      wrong: "install\nexpect not downloaded tutorail",
      right: "install\nexpect not downloaded level-cave"))

  package static func unknownPack(
    _ id: PackID, of known: [PackID], at span: SourceSpan
  ) -> Finding {
    let near = Spelling.nearest(to: id.text, among: known.map(\.text))
    return unknownPack.finding(
      "no release contains a pack '\(id.text)'", at: span,
      fixes: near.map { [Fix("write '\($0)'", .shownOnly)] } ?? [])
  }

  /// Returns the finding for a fault pattern that matches no pack of any release.
  package static func unknownPack(fitting pattern: String, at span: SourceSpan) -> Finding {
    unknownPack.finding("no release contains a pack that matches '\(pattern)'", at: span)
  }

  /// A step must get its pack or file.
  package static let absent = Rule(
    "scenario.absent",
    what: "A step does not get its pack or file.",
    why: """
      The app would get an error: the download failed, the pack was removed or is not offered, or \
      no pack contains the file. If the failure is intended, write 'expect failed ID' or 'expect \
      absent PATH' directly after the step.
      """,
    example: .init(
      wrong: "install\nremove level-cave", right: "install\nrequest level-cave\nremove level-cave"))

  package static func absent(
    _ reason: Finding.Message, at span: SourceSpan, labels: [Finding.Label] = []
  ) -> Finding {
    absent.finding(reason, at: span, labels: labels)
  }
}
