/** How a changed file is read: as a manifest of packages, as code, or not at all. */
export type FileKind = 'manifest' | 'code' | 'ignored'

const LOCK_FILES =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|go\.sum|poetry\.lock|uv\.lock|pdm\.lock|Pipfile\.lock|Gemfile\.lock|composer\.lock|mix\.lock|pubspec\.lock|Podfile\.lock|flake\.lock|deno\.lock|packages\.lock\.json)$/
const GENERATED =
  /(?:^|\/)(?:node_modules|vendor|third_party|dist|build|__snapshots__|fixtures?|__fixtures__|testdata|test-data|cassettes|golden)\/|\.(?:min\.(?:js|css)|map|snap|svg|csv|tsv|ipynb|pdf|po|pb\.go|g\.dart)$|[._]generated\.\w+$|\.gen\.\w+$|(?:^|\/)ken-graph\.html$/i
// Prose may mention rejected alternatives freely; the record itself does nothing else.
const PROSE = /\.(?:md|mdx|markdown|txt|rst|adoc|org|tex)$|(?:^|\/)(?:LICENSE|NOTICE|CHANGELOG|AUTHORS)[^/]*$/i
const RECORD = /(?:^|\/)\.(?:ken|nauro)\//

export function fileKind(path: string): FileKind {
  if (GENERATED.test(path)) return 'ignored'
  if (isManifest(path)) return 'manifest'
  if (/^docs?\//.test(path)) return 'ignored'
  return LOCK_FILES.test(path) || PROSE.test(path) || RECORD.test(path) ? 'ignored' : 'code'
}

export const isLockFile = (path: string): boolean => LOCK_FILES.test(path)

/** True for files written by a program or a third party. */
export const isGenerated = (path: string): boolean => GENERATED.test(path) || LOCK_FILES.test(path)

/** Test data does not show which things the program uses; imports of a test do. */
export const isTest = (path: string): boolean =>
  /(?:^|\/)(?:tests?|specs?|__tests__|__mocks__)\/|[._-](?:test|spec)s?\.\w+$|(?:^|\/)test_\w+\.py$|Tests?\.(?:java|kt|cs)$/.test(
    path,
  )

const MANIFEST = new RegExp(
  '(?:^|/)(?:package\\.json|app\\.json|heroku\\.ya?ml|vcpkg\\.json|conanfile\\.(?:txt|py)|CMakeLists\\.txt|[^/]+\\.(?:cmake|sbt)|project/[^/]+\\.scala|build\\.(?:sc|mill)|MODULE\\.bazel|deno\\.jsonc?|composer\\.json|requirements[^/]*\\.(?:txt|in)|pyproject\\.toml|Pipfile|setup\\.(?:py|cfg)|environment\\.ya?ml|Cargo\\.toml|go\\.mod' +
    '|Gemfile|pom\\.xml|build\\.gradle(?:\\.kts)?|libs\\.versions\\.toml|Directory\\.Packages\\.props|packages\\.config|Chart\\.yaml|\\.github/workflows/[^/]+\\.ya?ml|mix\\.exs|pubspec\\.yaml|Package\\.swift|Dockerfile[^/]*|Containerfile|[^/]*compose[^/]*\\.ya?ml|[^/]+\\.(?:csproj|fsproj|vbproj|gemspec))$',
)

const isManifest = (path: string): boolean => MANIFEST.test(path)
