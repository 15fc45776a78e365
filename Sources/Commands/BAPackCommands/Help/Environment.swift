import Arguments

/// The environment variables and exit statuses of the program, as tables.
enum ProgramEnvironment {
  static let variables: [Variable] = [
    Variable(["NO_COLOR"], "Disables colors if it is not empty."),
    Variable(["TERM"], "The value dumb disables colors and the progress line."),
    Variable(
      ["TMPDIR"], "The folder of temporary files, which can be large (default: /var/tmp)."),
    Variable(
      ["SOURCE_DATE_EPOCH"], readBy: ["pack", "report", "project"],
      "The time of all entries of packs, and of a bill of materials, in seconds since 1970."),
    Variable(
      ["BA_TRUST_PROJECT"],
      """
      With the value 1, a project file of another user is used without '--project'. The container \
      image sets it.
      """),
    Variable(
      ["BA_CACHE_ORIGIN"], readBy: ["pack", "project"],
      """
      The origin of the shared cache, for example https://cache.example.com. Credentials are sent \
      only to this server. Blocks are written to a server from the project file only if this \
      variable names that server.
      """),
    Variable(
      ["BA_CACHE_TOKEN"], readBy: ["pack"],
      "The bearer token for the shared cache; requires BA_CACHE_ORIGIN."),
    Variable(
      ["BA_CACHE_USER", "BA_CACHE_PASSWORD"], readBy: ["pack"],
      "The user name and password for the shared cache, instead of a token."),
    Variable(
      ["BA_CACHE_KEY"], readBy: ["pack"],
      """
      A secret of at least 16 characters. It authenticates the blocks in the shared cache; blocks \
      without a valid authentication code are not used.
      """),
    Variable(
      ["BA_CACHE_CA_FILE"], readBy: ["pack"],
      "A certificate authority of the shared cache, as a PEM file. '--cache-ca' overrides it."),
    Variable(["BA_SERVE_PASSWORD"], readBy: ["serve"], "The password for 'serve --user'."),
    Variable(
      ["BA_WEBHOOK_SECRET"], readBy: ["app-store webhook"],
      "The secret of the webhook in App Store Connect."),
    Variable(
      ["BA_IDENTITY_PASSWORD"], readBy: ["identity export"],
      "The password of a p12 file from 'identity export'."),
    Variable(
      ["ASC_KEY_ID", "ASC_ISSUER_ID"], readBy: service,
      "The ID of the API key of App Store Connect, and the issuer of a team key."),
    Variable(
      ["ASC_KEY_PATH", "ASC_KEY"], readBy: service,
      "The file of the API key, or the key itself, which can be in Base64."),
    Variable(
      [
        "APP_STORE_CONNECT_API_KEY_KEY_ID", "APP_STORE_CONNECT_API_KEY_ISSUER_ID",
        "APP_STORE_CONNECT_API_KEY_KEY_FILEPATH", "APP_STORE_CONNECT_API_KEY_KEY",
      ],
      readBy: service,
      "The names of the same values in fastlane. They are used if the names above are not set."),
    Variable(
      ["API_PRIVATE_KEYS_DIR"], readBy: service,
      "A folder of API keys, which are files with the name AuthKey_<id>.p8."),
    Variable(
      ["ASC_API_URL", "ASC_CA_FILE"], readBy: service,
      "The URL of another service, such as a mock, and its certificate as a PEM file."),
    Variable(
      ["SSL_CERT_FILE", "SSL_CERT_DIR"], readBy: clients,
      """
      The trusted certificate authorities as a PEM file and as a folder, instead of those of the \
      system.
      """),
    Variable(
      ["http_proxy", "https_proxy", "all_proxy", "no_proxy"], readBy: clients,
      """
      The proxies for http, for https, and for both, and the hosts without a proxy. Except for \
      http_proxy, the names in capital letters are used, too.
      """),
    Variable(
      ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"],
      readBy: ["validate", "verify", "convert", "diff", "download-manifest", "unmanaged"],
      """
      The checkout in GitHub Actions or GitLab. Paths in reports for them and in JUnit reports are \
      relative to it.
      """),
    Variable(
      ["GITHUB_STEP_SUMMARY"], readBy: ["pack", "diff", "report", "upload"],
      "A file of GitHub Actions to which a summary is added."),
    Variable(["HOME"], "The folder of '~' in these defaults."),
    Variable(
      ["XDG_CACHE_HOME"], readBy: ["pack", "project"],
      "The folder of caches (default: ~/.cache)."),
    Variable(
      ["XDG_DATA_HOME"], readBy: ["serve", "identity", "simulate"],
      "The folder of the certificate authority (default: ~/.local/share)."),
    Variable(
      ["XDG_STATE_HOME"], readBy: ["serve", "upload", "app-store"],
      "The folder of served versions and upload journals (default: ~/.local/state)."),
  ]

  /// The commands that send requests to App Store Connect.
  private static let service = [
    "upload", "app-store list", "app-store status", "app-store wait", "app-store limits",
    "app-store submit", "app-store submissions", "app-store archive",
  ]

  /// The commands that send requests to servers.
  private static let clients = service + ["pack", "simulate"]

  /// The variables that the command of '--exec' receives.
  static let ofChildren: [Variable] = [
    Variable(["BA_BASE_URL"], readBy: ["serve"], "The URL of the server."),
    Variable(
      ["BA_PAGE_URL", "BA_CONTROL_TOKEN"], readBy: ["serve"],
      "The URL of the live page and the token for its switches, unless '--no-page' is set."),
    Variable(
      ["BA_CA_FILE"], readBy: ["serve"], "The certificate authority of the server as a PEM file."),
    Variable(
      ["ASC_API_URL", "ASC_CA_FILE"], readBy: ["app-store mock"],
      "The URL of the mock, and its certificate authority as a PEM file."),
    Variable(
      ["ASC_KEY_ID", "ASC_ISSUER_ID", "ASC_KEY_PATH"], readBy: ["app-store mock"],
      "A team key of the mock. Other variables with keys are removed."),
    Variable(
      [
        "BA_WEBHOOK_TYPE", "BA_WEBHOOK_ID", "BA_WEBHOOK_TIME", "BA_WEBHOOK_OLD_STATE",
        "BA_WEBHOOK_NEW_STATE", "BA_WEBHOOK_INSTANCE",
      ], readBy: ["app-store webhook"],
      """
      The type and the ID of the event, its time, both states, and the ID of the changed resource; \
      empty where the event has none.
      """),
    Variable(
      ["XDG_STATE_HOME"], readBy: ["app-store mock"],
      "A separate folder, so that journals of real uploads are not changed."),
  ]

  static let exitStatuses = [
    Term("0", "Success."),
    Term(
      "1",
      """
      The work failed: an invalid manifest, a file or network error, a failed expectation, or an \
      exceeded budget.
      """),
    Term("64", "The command line is invalid."),
    Term("75", "Timed out; run 'app-store wait' to continue."),
    Term("126, 127", "The command of '--exec' cannot be executed (126) or does not exist (127)."),
    Term("129, 130, 143", "Stopped by SIGHUP, SIGINT or SIGTERM. No incomplete output remains."),
  ]
}
