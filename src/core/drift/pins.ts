import { nameKey } from '../names/known-names.ts'
import { isTurnedAway } from '../names/stance.ts'

/** A version that a decision says is used: "Node 22", "Python 3.12". */
export interface StatedPin {
  readonly spelled: string
  readonly tool: string
  readonly version: string
}

/** A version that a file asks for. */
export interface FoundPin {
  readonly tool: string
  readonly version: string
  readonly line: number
}

const TOOLS: Readonly<Record<string, string>> = {
  node: 'node',
  nodejs: 'node',
  python: 'python',
  go: 'go',
  golang: 'go',
  ruby: 'ruby',
  rust: 'rust',
  java: 'java',
  jdk: 'java',
  openjdk: 'java',
  php: 'php',
  net: 'dotnet',
  dotnet: 'dotnet',
  postgres: 'postgres',
  postgresql: 'postgres',
  mysql: 'mysql',
  redis: 'redis',
  mongodb: 'mongo',
  mongo: 'mongo',
}

const MOST_TEXT = 4_000
// "22 or newer" leaves room; so does a range.
const LEAVES_ROOM =
  /^(?:\.x)?(?:\s*(?:\+|or (?:newer|later|higher|above|greater|up)|and (?:newer|later|above|up|higher)|to \d|through \d|–|-\d)|\.\d)/i
const IS_LEAST =
  /(?:>=?|at least|from|since|minimum|newer than|above|beyond|until|before|than|drop\w*|no longer|end of life|eol)\s*$/i

/** The versions that a text states plainly; none that it gives as the least, or speaks against. */
export function statedPins(text: string, isPackage: (key: string) => boolean): StatedPin[] {
  const pins: StatedPin[] = []
  for (const found of text
    .slice(0, MOST_TEXT)
    .matchAll(/(?<![\w.@/-])([A-Za-z][\w.+-]*(?:\.js|JS)?)[ \t@]v?(\d{1,4}(?:\.\d{1,4}){0,2})(?![\w%])/g)) {
    const [spelled, name, version] = [found[0], found[1]!, found[2]!]
    const tool =
      TOOLS[name.toLowerCase().replace(/[^a-z]/g, '')] ?? (isPackage(nameKey(name)) ? `#${nameKey(name)}` : undefined)
    const [start, end] = [found.index, found.index + spelled.length]
    if (tool === undefined || LEAVES_ROOM.test(text.slice(end, end + 20))) continue
    if (IS_LEAST.test(text.slice(Math.max(0, start - 24), start)) || isTurnedAway(text, start, end)) continue
    pins.push({ spelled, tool, version })
  }
  return [...new Map(pins.map((pin) => [pin.tool, pin])).values()]
}

/** Whether a version is the stated one, as far as that says: 22.18 is 22. */
export const agrees = (stated: string, found: string): boolean => {
  const [wanted, has] = [stated.split('.'), found.split('.')]
  return wanted.every((part, i) => has[i] === undefined || has[i] === part || has[i] === 'x' || has[i] === '*')
}

/** For each file, where a line names a version of a tool. */
const READERS: readonly (readonly [file: RegExp, line: RegExp, tool: string])[] = [
  [/(?:^|\/)\.(?:nvmrc|node-version)$/, /^\s*v?(\d[\d.]*)/, 'node'],
  [/(?:^|\/)\.python-version$/, /^\s*(\d[\d.]*)/, 'python'],
  [/(?:^|\/)\.ruby-version$/, /^\s*(?:ruby-)?(\d[\d.]*)/, 'ruby'],
  [/(?:^|\/)\.java-version$/, /^\s*(?:[a-z]+-?)?(\d[\d.]*)/, 'java'],
  [/(?:^|\/)package\.json$/, /^\s*(?:"engines"\s*:\s*\{\s*)?"node"\s*:\s*"[~^>=v ]*(\d[\d.]*)/, 'node'],
  [/(?:^|\/)pyproject\.toml$/, /^\s*(?:requires-python|python)\s*=\s*"[~^>= ]*(\d[\d.]*)/, 'python'],
  [/(?:^|\/)Pipfile$/, /^\s*python_version\s*=\s*"(\d[\d.]*)/, 'python'],
  [/(?:^|\/)setup\.(?:py|cfg)$/, /python_requires\s*=\s*["']?[~^>= ]*(\d[\d.]*)/, 'python'],
  [/(?:^|\/)go\.mod$/, /^go\s+(\d[\d.]*)/, 'go'],
  [/(?:^|\/)Cargo\.toml$/, /^\s*rust-version\s*=\s*"(\d[\d.]*)/, 'rust'],
  [/(?:^|\/)rust-toolchain(?:\.toml)?$/, /^\s*(?:channel\s*=\s*")?(\d[\d.]*)/, 'rust'],
  [/(?:^|\/)Gemfile$/, /^\s*ruby\s+["'][~>= ]*(\d[\d.]*)/, 'ruby'],
  [/(?:^|\/)composer\.json$/, /^\s*"php"\s*:\s*"[~^>= ]*(\d[\d.]*)/, 'php'],
  [/(?:^|\/)pom\.xml$/, /<(?:java\.version|maven\.compiler\.(?:release|source|target)|release)>\s*(\d[\d.]*)/, 'java'],
  [
    /(?:^|\/)build\.gradle(?:\.kts)?$/,
    /(?:JavaLanguageVersion\.of\(|JavaVersion\.VERSION_|sourceCompatibility\s*=\s*["']?)(\d[\d.]*)/,
    'java',
  ],
  [/\.(?:cs|fs|vb)proj$/, /<TargetFramework>net(\d[\d.]*)/, 'dotnet'],
  [/(?:^|\/)global\.json$/, /^\s*"version"\s*:\s*"(\d[\d.]*)/, 'dotnet'],
  ...(['node', 'python', 'go', 'ruby', 'java', 'php', 'dotnet'] as const).map(
    (tool) =>
      [
        /(?:^|\/)\.github\/workflows\/[^/]+\.ya?ml$/,
        new RegExp(`^\\s*(?:-\\s*)?${tool}-version\\s*:\\s*["']?(\\d[\\d.]*)`),
        tool,
      ] as const,
  ),
  ...(['nodejs', 'node', 'python', 'golang', 'go', 'ruby', 'java', 'php', 'rust', 'postgres'] as const).map(
    (tool) =>
      [
        /(?:^|\/)(?:\.tool-versions|mise\.toml)$/,
        new RegExp(`^\\s*${tool}\\s*[ =]\\s*"?(?:[a-z]+-)?(\\d[\\d.]*)`),
        TOOLS[tool]!,
      ] as const,
  ),
  ...(
    ['node', 'python', 'golang', 'ruby', 'rust', 'php', 'openjdk', 'postgres', 'mysql', 'redis', 'mongo'] as const
  ).map(
    (image) =>
      [
        /(?:^|\/)(?:Dockerfile[^/]*|Containerfile|[^/]*compose[^/]*\.ya?ml|\.github\/workflows\/[^/]+\.ya?ml)$/,
        new RegExp(`^\\s*(?:FROM\\s+(?:--\\S+\\s+)*|image:\\s*["']?)(?:[\\w.-]+\\/)*${image}:(\\d[\\d.]*)`, 'i'),
        TOOLS[image]!,
      ] as const,
  ),
]

const LONGEST_LINE = 500
const MOST_LINES = 5_000

/** The versions of some tools and packages that a file asks for. */
export function pinsIn(path: string, text: string, tools: ReadonlySet<string>): FoundPin[] {
  const readers = READERS.filter(([file, , tool]) => tools.has(tool) && file.test(path))
  const packages = [...tools].filter((tool) => tool.startsWith('#'))
  if (readers.length === 0 && packages.length === 0) return []
  return text.split('\n', MOST_LINES).flatMap((line, i) => {
    if (line.length > LONGEST_LINE) return []
    const own = readers.flatMap(([, pattern, tool]) => {
      const version = pattern.exec(line)?.[1]
      return version === undefined ? [] : [{ tool, version: version.replace(/\.$/, ''), line: i + 1 }]
    })
    return [...own, ...packagePins(line, packages).map((pin) => ({ ...pin, line: i + 1 }))]
  })
}

/** `"react": "^18.2.0"`, `django==4.2`, `gem "rails", "~> 7.1"`, `tokio = { version = "1" }`. */
function packagePins(line: string, packages: readonly string[]): Omit<FoundPin, 'line'>[] {
  const [, name, version] =
    /^\s*(?:gem\s+|-\s+)?["']?([@\w][\w./@-]*)["']?(?:\[[^\]]*\])?\s*[:=,~^<>!( ]+\s*(?:\{[^}]*?version\s*[:=]\s*)?["']?[~^>=<v ]*(\d+(?:\.\d+)*)/.exec(
      line,
    ) ?? []
  if (name === undefined) return []
  const tool = `#${nameKey(name)}`
  return packages.includes(tool) ? [{ tool, version: version! }] : []
}
