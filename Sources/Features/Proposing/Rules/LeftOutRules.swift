import BAPackKit

/// The rules about files that no pack contains.
package enum LeftOutRules {
  /// The rules in the order of the reference.
  static let all: [Rule] =
    named.map(\.rule) + [
      names, links, special, platforms, secondSpelling, similarNames, excluded, own, output, nested,
    ]

  /// The rules that match names, in the order in which they are tried.
  package static let named = [
    secrets, junk, bundle, sources, code, scripts, editors, builds, documents, unfinished,
  ]

  static let secrets = LeftOutRule(
    Rule(
      "init.secret", .always(.note),
      what: "A key, a certificate or a file of passwords is in no pack.",
      why: """
        Every user of the app can read the files of a pack. A published key must be revoked.
        """,
      example: .init(wrong: "AuthKey_2X9R4HXF34.p8, .env", right: "no pack contains them")),
    "keys and passwords",
    extensions: "p8 p12 pfx pem key jks keystore mobileprovision provisionprofile cer crt ppk",
    names: "credentials.json secrets.json google-services.json googleservice-info.plist id_rsa "
      + "id_ed25519 .env .netrc .npmrc .pypirc",
    starts: ".env.")

  static let junk = LeftOutRule(
    Rule(
      "init.junk", .always(.note),
      what: "A file that an operating system, an editor or version control wrote is in no pack.",
      why: "The app does not use these files, and some contain private data of your computer.",
      example: .init(wrong: ".DS_Store, Thumbs.db, hero.png~", right: "no pack contains them")),
    "files of systems and editors",
    extensions: "swp swo bak tmp temp orig rej log aar part crdownload",
    names: "thumbs.db desktop.ini ehthumbs.db icon\r",
    folders: "__macosx .git .svn .hg .idea .vscode .vs .cache .trash lost+found node_modules "
      + "__pycache__ .build .gradle .github .venv",
    starts: ".")

  static let bundle = LeftOutRule(
    Rule(
      "init.bundle", .always(.note),
      what: "A file that an app can read only from its bundle is in no pack.",
      why: """
        Apple's frameworks search translations, compiled storyboards, asset catalogs, app icons \
        and launch screens in the bundle of the app. Keep them there. If the app parses a file of \
        this kind itself, include it.
        """,
      example: .init(
        wrong: "de.lproj/Localizable.strings, de.lproj/intro.mp4",
        right: "a pack contains intro.mp4")),
    "files that stay in the bundle of the app",
    extensions:
      "strings stringsdict xcstrings nib storyboardc car appiconset launchimage icon icns ico "
      + "xcprivacy entitlements",
    starts: "infoplist. appicon launchscreen launchimage", hasFolders: true)

  static let sources = LeftOutRule(
    Rule(
      "init.source", .always(.note),
      what: "A source file of an artist's program is in no pack.",
      why: """
        The app loads exported files, such as images and models. Sources are large, and contain \
        unpublished work.
        """,
      example: .init(wrong: "Art/hero.psd, Art/hero.png", right: "a pack contains Art/hero.png")),
    "sources of artists",
    extensions: "psd psb ai xcf kra ora blend blend1 blend2 max ma mb c4d ztl zpr spp sbs sbsar "
      + "aseprite fla aep prproj als flp logicx rpp aup aup3 ptx cpr sketch fig afdesign "
      + "afphoto clip sai procreate hip hiplc skp fcpx drp cdr fspro wproj")

  static let code = LeftOutRule(
    Rule(
      "init.code", .always(.note),
      what: "Program code is in no pack, and no text in a folder of code.",
      why: """
        The App Store requires that the code of an app is in the app. Packs contain data. In a \
        folder of code, at least four of five files are code, and the others are texts; or half of \
        the files are parts of a program, and the others are its settings, such as App.config.
        """,
      example: .init(wrong: "Game/main.cpp, Game/map.json", right: "a pack contains Game/map.json")
    ),
    "program code",
    extensions:
      "c cc cpp cxx h hh hpp m mm s swift cs java kt rs go zig pas asm nim jl r sh bash bat "
      + "cmd ps1 tsx jsx gdextension o a lib so dylib dll exe pdb jar class wasm app framework "
      + "xcframework appex",
    hasFolders: true)

  static let scripts = LeftOutRule(
    Rule(
      "init.script", .always(.note),
      what: "A script among assets is in no pack, unless the user includes it.",
      why: """
        A script may be code of the app, or data such as the rules of a level. The App Store \
        requires that code is in the app. If the app reads scripts as data, include them.
        """,
      example: .init(
        wrong: "Missions/door.lua, Missions/map.json",
        right: "a pack contains Missions/map.json, or both files if the user includes scripts")),
    "scripts, which may be data",
    extensions: "lua luac js mjs cjs py pyc rb pl php tcl nut gd gdc vbs")

  static let editors = LeftOutRule(
    Rule(
      "init.editor", .always(.note),
      what: "A project file of an editor, an engine or a build is in no pack.",
      why: """
        The editor or the build reads these files. The app does not load them. Folders for tools \
        and packaging are left out next to program code.
        """,
      example: .init(
        wrong: "hero.png.import, hero.gd.uid, project.godot", right: "no pack contains them")),
    "project files of editors and builds",
    extensions:
      "cmake mk ninja gradle bazel bzl import uid godot uproject uplugin sln csproj vcxproj "
      + "unityproj "
      + "xcodeproj xcworkspace xcassets pbxproj storyboard xib tiled-project tiled-session "
      + "code-workspace suo asmdef cscfg rc desktop in am ac m4",
    names: "project.godot export_presets.cfg game.project .cocos-project.json cocos-project.json "
      + "projectversion.txt info.plist makefile cmakelists.txt dockerfile gemfile podfile "
      + "podfile.lock package.json package-lock.json yarn.lock pubspec.yaml pubspec.lock "
      + "cargo.toml cargo.lock build.settings gradlew gradle.properties gradle-wrapper.properties "
      + "directory.build.props launchsettings.json omnisharp.json codecov.yml appveyor.yml "
      + "jenkinsfile doxyfile meson.build",
    folders: "cmake debian rpm flatpak msvc git-hooks githooks android-project bash-completion",
    besideCode: "packaging tools tool util utils contrib ci installer",
    hasFolders: true)

  static let builds = LeftOutRule(
    Rule(
      "init.build", .always(.note),
      what: "A folder with results of builds and caches is in no pack.",
      why: "A build creates the files again. The app does not load them from there.",
      example: .init(wrong: "DerivedData/, .godot/", right: "no pack contains them")),
    "results of builds",
    folders: "deriveddata .godot .import .mono pods carthage xcuserdata cmakefiles target.noindex "
      + "deriveddatacache usersettings .dart_tool")

  static let documents = LeftOutRule(
    Rule(
      "init.document", .always(.note),
      what: "A document for developers is in no pack.",
      why: """
        The app does not show it. Licenses and credits are kept, because many require that they \
        are distributed with the files. A folder such as 'docs' is left out next to program code.
        """,
      example: .init(wrong: "Music/README.md, Music/LICENSE", right: "a pack contains LICENSE")),
    "documents for developers",
    extensions: "md markdown rst adoc",
    names: "changelog changelog.txt todo todo.txt install.txt",
    besideCode: "doc docs documentation man",
    starts: "readme")

  static let unfinished = LeftOutRule(
    Rule(
      "init.unfinished", .always(.note),
      what: "An unfinished or unused file is in no pack.",
      why: """
        The name of the file or its folder means that it is not for the users of the app, such as \
        'wip', 'test' or '-draft'.
        """,
      example: .init(wrong: "Levels/wip/, Levels/01/", right: "a pack contains Levels/01/")),
    "unfinished files",
    folders: "wip _wip test test_old tests dev unused _unused backup backups _backup deprecated",
    stemEndings: "-draft _draft -wip _wip -backup _backup")

  static let names = Rule(
    "init.name", .always(.note),
    what: "A file whose name no manifest can contain is in no pack.",
    why: """
      A manifest is UTF-8 text without control characters. Devices also reject other names. \
      Rename the file.
      """,
    example: .init(wrong: #"'caf\xE9.png' in Latin-1"#, right: "'café.png' in UTF-8"))

  static let links = Rule(
    "init.link", .always(.note),
    what: "A symbolic link that cannot be packed, or that leads to a folder, is in no pack.",
    why: """
      A link must lead to a file below the source root. The files of a linked folder are packed at \
      their own paths. A link to a file that a rule leaves out is left out by the same rule.
      """,
    example: .init(wrong: "Fonts/main.ttf -> /usr/share/fonts/main.ttf", right: "a copy of it"))

  static let special = Rule(
    "init.special", .always(.note),
    what: "A device, a pipe, a socket, or an unreadable file or folder is in no pack.",
    why: """
      A pack contains only files and folders that can be read. To pack a file or folder that is \
      not readable, change its permissions.
      """,
    example: .init(wrong: "a folder with the mode 000", right: "the folder is in no pack"))

  static let platforms = Rule(
    "init.platform-variant", .always(.note),
    what: "The variant of a file for another platform is in no pack.",
    why: """
      Apple devices cannot load it, such as textures in S3TC formats or bundles for Android. The \
      same content exists for an Apple platform.
      """,
    example: .init(wrong: "Bundles/Android/, Bundles/iOS/", right: "a pack contains Bundles/iOS/"))

  static let similarNames = Rule(
    "init.similar-name", .always(.note),
    what: "A file or folder is in no pack if its name differs only by case from another one.",
    why: """
      Some file systems of Apple's platforms treat such names as one name, also if only their \
      Unicode normalization differs. The one with more files is packed. Rename the other one, or \
      merge the two folders.
      """,
    example: .init(
      wrong: "Data/a.bin, Data/b.bin, data/c.bin",
      right: "a pack contains Data/a.bin and Data/b.bin"))

  static let excluded = Rule(
    "init.excluded", .always(.note),
    what: "A file that matches a pattern of the user is in no pack.",
    why: """
      The user chose it. A manifest contains the pattern as a 'fileExclusion' if its other \
      selectors would select such a file.
      """,
    example: .init(wrong: "the pattern *-draft.png", right: "no pack contains hero-draft.png"))

  static let own = Rule(
    "init.own-file", .always(.note),
    what: "A manifest, a scenario or a project file of ba-package is in no pack.",
    why: "The app does not read them.",
    example: .init(wrong: "ba-package.json, Packs/", right: "no pack contains them"))

  static let output = Rule(
    "init.output", .always(.note),
    what: "A file in the folder of the project for outputs, such as 'build', is in no pack.",
    why: "Builds create the files again, and 'pack' writes packs there.",
    example: .init(wrong: "build/cache.bin", right: "no pack contains it"))

  static let nested = Rule(
    "init.nested-project", .always(.note),
    what: "A folder with its own project file is in no pack.",
    why: """
      The folder is another project of ba-package, and its manifests describe its packs. To pack \
      its files here, remove its project file.
      """,
    example: .init(
      wrong: "Addons/winter/ba-package.json, Addons/winter/Packs/",
      right: "no pack contains Addons/winter/"))

  static let secondSpelling = Rule(
    "init.second-spelling", .always(.note),
    what:
      "A file of a language is in no pack if its region or another spelling has the same file.",
    why: """
      A pack contains one file at a path. The file of a region is used, such as of 'en_US' next to \
      'en', or else that of the folder with more files. If the other file is the right one, remove \
      the first one, or correct the tag of the language.
      """,
    example: .init(
      wrong: "Voices/en/hello.wav, Voices/english/hello.wav",
      right: "the pack voices-en contains Voices/en/hello.wav"))
}
