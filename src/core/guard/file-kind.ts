/** How a changed file is read: what says which packages are used, what is code, and what says nothing about either. */
export type FileKind = 'manifest' | 'code' | 'ignored'

const LOCK_FILES =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|go\.sum|poetry\.lock|uv\.lock|pdm\.lock|Pipfile\.lock|Gemfile\.lock|composer\.lock|mix\.lock|pubspec\.lock|Podfile\.lock|flake\.lock|deno\.lock|packages\.lock\.json)$/
const GENERATED =
  /(?:^|\/)(?:node_modules|vendor|third_party|dist|build|__snapshots__)\/|\.(?:min\.(?:js|css)|map|snap|svg|csv|tsv|ipynb|pdf|po)$|(?:^|\/)ken-graph\.html$/i
// A text may speak of what was rejected as often as it likes; the record itself does nothing else.
const PROSE = /\.(?:md|mdx|markdown|txt|rst|adoc|org|tex)$|(?:^|\/)(?:LICENSE|NOTICE|CHANGELOG|AUTHORS)[^/]*$/i
const RECORD = /(?:^|\/)\.(?:ken|nauro)\//

export function fileKind(path: string): FileKind {
  if (isManifest(path)) return 'manifest'
  return LOCK_FILES.test(path) || GENERATED.test(path) || PROSE.test(path) || RECORD.test(path) ? 'ignored' : 'code'
}

const MANIFEST = new RegExp(
  '(?:^|/)(?:package\\.json|deno\\.jsonc?|composer\\.json|requirements[^/]*\\.(?:txt|in)|pyproject\\.toml|Pipfile|setup\\.(?:py|cfg)|environment\\.ya?ml|Cargo\\.toml|go\\.mod' +
    '|Gemfile|pom\\.xml|build\\.gradle(?:\\.kts)?|libs\\.versions\\.toml|mix\\.exs|pubspec\\.yaml|Package\\.swift|Dockerfile[^/]*|Containerfile|[^/]*compose[^/]*\\.ya?ml|[^/]+\\.(?:csproj|fsproj|vbproj|gemspec))$',
)

const isManifest = (path: string): boolean => MANIFEST.test(path) && !/(?:^|\/)node_modules\//.test(path)
