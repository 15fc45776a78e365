import BAPackKit
import TestSupport
import Testing

@Suite("Addresses of packs")
struct PackURLsTests {
  private func url(
    base: String? = nil, template: String? = nil, id: PackID = "tutorial", file: String = "a b.aar",
    allowingHTTP: Bool = false
  ) throws -> String {
    try PackURLs(base: base, template: template, allowingHTTP: allowingHTTP)
      .url(id: id, version: 7, sha256: digest("c"), fileName: file)
  }

  @Test(arguments: [
    "https://d.example.com/packs", "https://d.example.com/packs/",
    "https://d.example.com/packs//",
  ])
  func `exactly one slash separates base and ID`(base: String) throws {
    #expect(try url(base: base) == "https://d.example.com/packs/tutorial")
  }

  @Test
  func `a base without a path has the ID at its root`() throws {
    #expect(try url(base: "https://d.example.com") == "https://d.example.com/tutorial")
    #expect(try url(base: "https://d.example.com:8443/") == "https://d.example.com:8443/tutorial")
  }

  @Test
  func `special characters in an ID or a file name are percent-encoded`() throws {
    let base = "https://d.example.com"
    #expect(try url(base: base, id: "Tür 1#?%") == base + "/T%C3%BCr%201%23%3F%25")
    #expect(try url(base: base, template: "{file}") == base + "/a%20b.aar")
  }

  @Test
  func `a template places ID, version, digest and file name`() throws {
    let whole = "https://cdn.example.com/{id}/{version}/{sha256}/{file}?v={version}"
    #expect(
      try url(template: whole)
        == "https://cdn.example.com/tutorial/7/\(digest("c"))/a%20b.aar?v=7")
    // A complete address needs no base.
    #expect(try url(base: "https://other.example.com", template: whole).hasPrefix("https://cdn."))
    #expect(
      try url(base: "https://d.example.com/p/", template: "/v{version}/{id}.aar")
        == "https://d.example.com/p/v7/tutorial.aar")
  }

  @Test
  func `the host of the packs is in lower case`() throws {
    #expect(try PackURLs(base: "https://D.Example.com:8443/x").host == "d.example.com")
  }

  @Test(arguments: [
    "https://{id}.b.com/p", "https://d{version}.b.com/{id}", "https://{sha256}/{id}",
  ])
  func `a host that depends on the pack is rejected: an app cannot allow it`(template: String) {
    #expect(
      refusal(template: template)?.message
        == "the URL template '\(template)' has a placeholder in its host")
  }

  @Test
  func `{base} is the base URL without a slash at its end`() throws {
    for base in ["https://d.example.com/packs", "https://d.example.com/packs//"] {
      let urls = try PackURLs(base: base, template: "{base}/{id}.aar")
      #expect(urls.template == "https://d.example.com/packs/{id}.aar")
    }
    #expect(refusal(template: "{base}/{id}.aar") != nil)
  }

  private func refusal(
    base: String? = nil, template: String? = nil, allowingHTTP: Bool = false
  ) -> PackError? {
    do {
      _ = try PackURLs(base: base, template: template, allowingHTTP: allowingHTTP)
      return nil
    } catch {
      return error
    }
  }

  @Test
  func `http is rejected unless it is allowed`() throws {
    let refused = try #require(refusal(base: "http://localhost:8080/packs"))
    #expect(
      refused.message
        == "the base URL 'http://localhost:8080/packs' is not https; devices download only "
        + "over https")
    #expect(refused.remedies == ["use https", .allowInsecureAddresses])
    #expect(refusal(base: "http://localhost:8080/packs", allowingHTTP: true) == nil)
    #expect(refusal(template: "http://localhost/{id}")?.message.contains("not https") == true)
  }

  @Test(arguments: [
    "", "downloads.example.com/packs", "ftp://d.example.com", "https://", "https:///packs",
    "https://d.example.com/two words",
  ])
  func `an invalid address is rejected`(base: String) {
    #expect(refusal(base: base)?.message == "the base URL '\(base)' is not an address")
  }

  @Test
  func `a base with a query is rejected with a hint about templates`() {
    let refused = refusal(base: "https://d.example.com/?key=1")
    #expect(
      refused?.message == "the base URL 'https://d.example.com/' has a query or a fragment")
    #expect(refused?.remedies == [.specifyAddressTemplate])
  }

  @Test(arguments: [
    ("{name}", "{name}"), ("{id", "{"), ("id}", "}"), ("{}", "{}"), ("{ID}", "{ID}"),
  ])
  func `an unknown placeholder is rejected with the list of placeholders`(
    template: String, shown: String
  ) {
    let refused = refusal(base: "https://d.example.com", template: template)
    #expect(refused?.message == "unknown placeholder '\(shown)' in the URL template")
    #expect(refused?.remedies == ["valid placeholders: {base}, {id}, {version}, {sha256}, {file}"])
  }

  @Test
  func `a base or a template is required`() {
    #expect(refusal()?.remedies == [.specifyAddresses])
    #expect(refusal(template: "{id}")?.message == "the URL template is not a complete address")
  }
}

@Suite("The list of allowed hosts")
struct DomainAllowListTests {
  @Test(arguments: [
    ("downloads.example.com", "downloads.example.com", true),
    ("Downloads.Example.com", "downloads.EXAMPLE.com", true),
    ("*.example.com", "downloads.example.com", true),
    ("*.example.com", "a.b.example.com", true),
    ("*.example.com", "example.com", false),
    ("*.example.com", "badexample.com", false),
    ("*.example.com", ".example.com", false),
    ("example.com", "downloads.example.com", false),
    ("*", "example.com", false),
    ("https://example.com", "example.com", false),
    ("down*.example.com", "downloads.example.com", false),
  ])
  func `a domain covers the same name, and with a wildcard every name below it`(
    pattern: String, host: String, expected: Bool
  ) {
    #expect(DomainAllowList([pattern]).covers(host) == expected)
  }

  @Test
  func `many hosts are compared with many domains`() {
    let list = DomainAllowList((0..<30_000).map { "*.d\($0).example.com" })
    // 900 million comparisons took more than a minute.
    let covered = (0..<30_000).count { list.covers("a.b.d\($0).example.com") }
    #expect(covered == 30_000)
  }

  @Test
  func `invalid host names are detected`() {
    let list = DomainAllowList(["*.example.com", "https://example.com", "*", "a.b", "", "x:80"])
    #expect(list.malformed == ["https://example.com", "*", "", "x:80"])
    #expect(!DomainAllowList([]).covers("example.com"))
  }
}
