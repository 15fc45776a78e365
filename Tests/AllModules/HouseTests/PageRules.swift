import Foundation
import TestSupport
import Testing

/// The rules for the web pages.
extension HouseRules {
  @Test(.needs("python3"))
  func `the web files in the program are the ones in the folders Web`() throws {
    let process = Process()
    process.executableURL = Checkout.file(".ci/embed")
    process.arguments = ["--check"]
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(text)")
  }

  @Test
  func `a web file has lines of at most 100 columns`() throws {
    let files = try SourceTree.files(
      below: "Sources", extensions: ["css", "html", "js", "svg"])
    #expect(files.count > 20)
    let long = files.flatMap { file in
      file.lines.enumerated().filter { $0.element.count > 100 }
        .map { "\(file.path):\($0.offset + 1)" }
    }
    #expect(long == [])
  }

  @Test
  func `pages escape by HTML values, and link only to checked addresses`() {
    let addressed = #/\b(href|src|action|formaction|srcdoc|style|on[a-z]+)=\\?"\\\(/#
    for text in [#"<a href="\(address)">"#, #"<p style=\"\(style)\">"#] {
      #expect(text.contains(addressed))
    }
    var places: [String] = []
    for file in sources {
      for (index, line) in file.lines.enumerated() {
        let isPage = file.path.contains("/Page/") || file.path.hasSuffix("/Enrolment.swift")
        let isUnsafe =
          line.contains(addressed) && file.path != "Sources/Base/TerminalText/HTML.swift"
          || isPage && line.contains(#/\binMarkup\(/#)
        if isUnsafe { places.append("\(file.path):\(index + 1)") }
      }
    }
    #expect(places == [])
  }
}
