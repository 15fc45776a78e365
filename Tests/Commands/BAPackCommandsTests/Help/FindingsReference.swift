import BAPackKit
import SourceDiagnostics

@testable import BAPackCommands

/// The reference of all findings, by area.
enum FindingsReference {
  /// Findings with a common first part of their IDs.
  struct Area {
    /// The first part of the IDs.
    let name: String
    /// The subject of the findings.
    let subject: String

    fileprivate init(_ name: String, _ subject: String) {
      self.name = name
      self.subject = subject
    }
  }

  /// The areas, in the order of the reference.
  static let areas = [
    Area("json", "the text of manifests and of other JSON documents"),
    Area("text", "the report"),
    Area("manifest", "manifest files"),
    Area("source-root", "the source root of a manifest"),
    Area("user-info", "`userInfo` of a manifest"),
    Area("id", "asset pack IDs"),
    Area("policy", "download policies"),
    Area("selector", "file selectors"),
    Area("platform", "platforms"),
    Area("language", "languages of localized packs"),
    Area("packs", "the packs of an app, compared with each other"),
    Area("files", "the selected files"),
    Area("list", "lists of source files (`--files-from`)"),
    Area("project", "the project file"),
    Area("budget", "budgets"),
    Area("archive", "archives"),
    Area("shards", "shards"),
    Area("download", "download manifests and Info.plist of self-hosted apps"),
    Area("unmanaged", "unmanaged manifests"),
    Area("scenario", "scenarios of `simulate`"),
    Area("convert", "all conversions"),
    Area("steam", "conversions of Steam scripts"),
    Area("odr", "conversions of On-Demand Resources"),
    Area("init", "proposals of `init`"),
    Area("change", "changes between releases"),
    Area("accept", "the file of accepted changes"),
    Area("app", "apps that read packs, checked by `app check`"),
  ]

  /// Returns the rules of an area.
  static func rules(of area: Area) -> [Rule] { Rulebook.all.filter { $0.area == area.name } }

  /// The pages in Markdown, with their paths below docs/reference: the index, and a page for each
  /// area.
  static var pages: [(path: String, text: String)] {
    [("findings.md", index)] + areas.map { ("findings/\($0.name).md", page(of: $0)) }
  }

  private static var index: String {
    var text = """
      # Findings

      This page lists all findings of `ba-package`, by area. `ba-package explain ID` prints the text
      of a finding. Each finding has an ID, which keeps its meaning in later versions.

      A finding is an error, a warning or a note. An error causes exit status 1; with `--strict`, a
      warning does, too. The severity can depend on the hosting (`--hosting`). A finding has an
      automatic fix only if its text names one.

      | Area | Findings |
      |---|---|

      """
    for area in areas {
      let links = rules(of: area).map {
        "[\($0.id.name.dropFirst(area.name.count + 1))](findings/\(area.name).md#\($0.anchor))"
      }
      text += "| [\(area.name)](findings/\(area.name).md): \(area.subject) | "
      text += links.joined(separator: ", ") + " |\n"
    }
    return text
  }

  private static func page(of area: Area) -> String {
    let title = "# Findings: \(area.name)\n\nFindings about \(area.subject). "
    return title + "[All areas](../findings.md)\n" + rules(of: area).map(entry).joined()
  }

  private static func entry(of rule: Rule) -> String {
    let weight = rule.weightText.joined(separator: " ").replacing("'", with: "`")
    let hosting = rule.example.hosting.map { " with `--hosting \($0.rawValue)`" } ?? ""
    return """

      ## \(rule.id.name)

      \(weight)

      \(rule.what)

      \(rule.whyText)

      \(rule.exampleTitles.0)\(hosting):

      ```\(language(of: rule.example.wrong))
      \(rule.example.wrong)
      ```

      \(rule.exampleTitles.1):

      ```\(language(of: rule.example.right))
      \(rule.example.right)
      ```

      """
  }

  /// The language of an example: JSON, or a text.
  private static func language(of example: String) -> String {
    example.hasPrefix("\"") || example.hasPrefix("{\n") || example.hasPrefix("{\"")
      ? "json5" : "text"
  }
}
