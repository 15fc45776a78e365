import Glibc

if CommandLine.arguments.dropFirst().first == "--list" {
  for target in FuzzTarget.all { print(target.name) }
} else {
  exit(FuzzTarget.main())
}
