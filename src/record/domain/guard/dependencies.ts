const VERSION_VALUE = String.raw`"(?:[~^<>=*vV ]*\d|\*|latest|next|workspace:|npm:|file:|link:|catalog:|git|github:|https?:)[^"]*"`

/**
 * For each manifest, the form of an added line that names a package. A single line does not show its section, so a
 * version must be present.
 */
const READERS: readonly (readonly [file: RegExp, line: RegExp])[] = [
  [
    /(?:package|composer)\.json$/,
    new RegExp(
      String.raw`^\s*"(?!version"|node"|npm"|yarn"|pnpm"|php"|vscode")(@?[\w.-]+(?:/[\w.-]+)?)"\s*:\s*${VERSION_VALUE}`,
    ),
  ],
  [/deno\.jsonc?$/, /^\s*"[^"]+"\s*:\s*"(?:npm|jsr):(@?[\w.-]+(?:\/[\w.-]+)?)/],
  [
    /requirements[^/]*\.(?:txt|in)$|environment\.ya?ml$/,
    /^\s*(?:-\s+)?(?!#|pip$|name:|channels:)([A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*(?:[=<>!~;@ ].*)?$/,
  ],
  [
    /pyproject\.toml$|Pipfile$|setup\.(?:py|cfg)$/,
    /^\s*"?([A-Za-z][\w.-]*)(?:\[[^\]]*\])?"?\s*(?:=\s*(?:"[~^<>=*\d]|\{.*version)|(?:[<>!~]=?|==)\s*\d)/,
  ],
  [/pyproject\.toml$|setup\.py$/, /^\s*["']([A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*(?:[<>=!~;@ ][^"']*)?["']\s*,?\s*$/],
  [/Cargo\.toml$|libs\.versions\.toml$/, /^\s*([\w-]+)(?:\.workspace)?\s*=\s*(?:"[~^<>=*\d]|\{|true)/],
  [/go\.mod$/, /^\s*(?:require\s+)?([\w.-]+\.[\w.-]+(?:\/[\w.~-]+)+)\s+v\d(?!.*\/\/\s*indirect)/],
  [/Gemfile$|\.gemspec$/, /^\s*(?:gem|\w+\.add_(?:runtime_|development_)?dependency)\s*\(?\s*["']([\w.-]+)["']/],
  [/pom\.xml$/, /<artifactId>\s*([\w.-]+)\s*<\/artifactId>/],
  [
    /build\.gradle(?:\.kts)?$/,
    /^\s*\w*(?:[iI]mplementation|api|compileOnly|runtimeOnly|classpath|kapt|ksp)\w*\s*\(?\s*["']([\w.-]+:[\w.-]+)/,
  ],
  [/\.(?:cs|fs|vb)proj$/, /<PackageReference[^>]*Include="([\w.-]+)"/],
  [/mix\.exs$/, /\{\s*:(\w+)\s*,\s*(?:"|git:|github:|path:)/],
  [/pubspec\.yaml$/, /^\s+([a-z][\w]*):\s*(?:\^|>|any\b|\d)/],
  [/Package\.swift$/, /\.package\([^)]*url:\s*"[^"]*\/([\w.-]+?)(?:\.git)?"/],
  [/(?:Dockerfile[^/]*|Containerfile)$/, /^\s*FROM\s+(?:--\S+\s+)*(?:[\w.-]+(?::\d+)?\/)*([\w.-]+)/i],
  [/compose[^/]*\.ya?ml$/, /^\s*image:\s*["']?(?:[\w.-]+(?::\d+)?\/)*([\w.-]+)/],
]

/** The packages or images that an added line of a manifest names. */
export function dependenciesIn(path: string, line: string): string[] {
  const found = READERS.flatMap(([file, pattern]) => (file.test(path) ? (pattern.exec(line)?.[1] ?? []) : []))
  return [...new Set(found)]
}
