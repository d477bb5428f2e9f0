/** Facts that follow from a command line alone; they hold only if the command succeeded. */
export interface CommandFacts {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Subject of the commit; empty if the command line does not have it. */
  readonly commit?: string
  /** The test runner, without its arguments. */
  readonly tests?: string
}

/** Reads a command line as shells do: quotes group, `&&`, `;` and `|` separate, leading variables are skipped. */
export function readCommand(line: string): CommandFacts {
  const added: string[] = []
  const removed: string[] = []
  let commit: string | undefined
  let tests: string | undefined
  for (const words of simpleCommands(line)) {
    const change = packagesOf(words)
    added.push(...(change?.added ?? []))
    removed.push(...(change?.removed ?? []))
    commit ??= commitOf(words, line)
    tests ??= testsOf(words)
  }
  return { added, removed, ...(commit !== undefined && { commit }), ...(tests !== undefined && { tests }) }
}

/** A quoted part, a separator, whitespace, or a run of other characters; a quote without its end is one of those. */
const PART =
  /"(?<double>(?:[^"\\]|\\.)*)"|'(?<single>[^']*)'|(?<end>&&|\|\||[;|&\n])|(?<space>\s)|(?<rest>[^\s"';|&]+|["'])/gs

function simpleCommands(line: string): string[][] {
  const commands: string[][] = [[]]
  let word: string | undefined
  for (const { groups = {} } of line.matchAll(PART)) {
    const { double, single, rest, end, space } = groups
    const text = double?.replace(/\\(["\\$`])/g, '$1') ?? single ?? rest
    if (text !== undefined) word = (word ?? '') + text
    if (end === undefined && space === undefined) continue
    if (word !== undefined) commands.at(-1)!.push(word)
    word = undefined
    if (end !== undefined) commands.push([])
  }
  if (word !== undefined) commands.at(-1)!.push(word)
  return commands.map(withoutPrefix).filter((words) => words.length > 0)
}

/** Without variables, `sudo` and similar prefixes, redirections and comments. */
function withoutPrefix(words: readonly string[]): string[] {
  const kept = [...words]
  while (kept.length > 0 && /^(?:[A-Za-z_]\w*=.*|sudo|time|env|exec|command|\()$/s.test(kept[0]!)) kept.shift()
  const end = kept.findIndex((word) => /^(?:\d?>|<|&>|#)/.test(word))
  return end < 0 ? kept : kept.slice(0, end)
}

/** Managers whose `install` without names restores what a manifest lists, which adds nothing. */
const MANAGERS: readonly (readonly [RegExp, RegExp, RegExp])[] = [
  [/^(?:npm|pnpm|yarn|bun)$/, /^(?:add|install|i)$/, /^(?:remove|uninstall|rm|un|r)$/],
  [/^(?:pip3?|uv|poetry|pdm|pipenv|conda|mamba|rye)$/, /^(?:add|install)$/, /^(?:remove|uninstall)$/],
  [
    /^(?:cargo|deno|gem|bundle|mix|rebar3|shards|nimble|conan|vcpkg|opam|cabal|stack)$/,
    /^(?:add|install)$/,
    /^(?:remove|uninstall|rm)$/,
  ],
  [/^(?:composer)$/, /^(?:require)$/, /^(?:remove)$/],
  [/^(?:flutter|dart)$/, /^(?:add)$/, /^(?:remove)$/],
  [/^(?:go)$/, /^(?:get)$/, /^$/],
  [/^(?:expo)$/, /^(?:install)$/, /^$/],
]
/** Options with a value, which is not a package. */
const VALUED =
  /^(?:-r|--requirement|-c|--constraint|-i|--index-url|--extra-index-url|--registry|--prefix|-C|--dir|--cwd|-w|--workspace|--filter|-F|--features|--group|-G|--tag|--target|-t|--python|--package|-p|--manifest-path|--path|--git|--branch|--rename|--version|-v|--source)$/

function packagesOf(words: readonly string[]): { added: string[]; removed: string[] } | undefined {
  const dotnet = dotnetPackage(words)
  if (dotnet !== undefined) return dotnet
  const line = words.join(' ')
  const start = /^python3? -m pip\b/.test(line) ? 2 : /^(?:uv pip|npx expo)\b/.test(line) ? 1 : 0
  const [program = '', ...rest] = words.slice(start)
  const manager = MANAGERS.find(([names]) => names.test(program))
  if (manager === undefined) return undefined
  const isNested = rest[0] === 'pub' || rest[0] === 'global'
  const own = rest[0] === 'workspace' ? rest.slice(2) : isNested ? rest.slice(1) : rest
  const at = own.findIndex((word) => !word.startsWith('-') && !isValue(own, word))
  const action = own[at] ?? ''
  const isAdd = manager[1].test(action)
  if (!isAdd && !manager[2].test(action)) return undefined
  // A global tool belongs to the machine, not to the project.
  if (
    own.some((word) => /^(?:-g|--global)$/.test(word)) ||
    rest[0] === 'global' ||
    (program === 'cargo' && action === 'install')
  )
    return undefined
  const names = own.slice(at + 1).filter((word, i, all) => !word.startsWith('-') && !VALUED.test(all[i - 1] ?? ''))
  const gone = program === 'go' ? names.filter((name) => name.endsWith('@none')) : []
  const named = (some: readonly string[]): string[] => some.flatMap((name) => packageName(name) ?? [])
  if (!isAdd) return { added: [], removed: named(names) }
  return { added: named(names.filter((name) => !gone.includes(name))), removed: named(gone) }
}

const isValue = (words: readonly string[], word: string): boolean => VALUED.test(words[words.indexOf(word) - 1] ?? '')

function dotnetPackage(words: readonly string[]): { added: string[]; removed: string[] } | undefined {
  if (words[0] !== 'dotnet') return undefined
  const at = words.indexOf('package')
  const name = words[at + 1]
  if (at < 1 || name === undefined) return undefined
  if (words.includes('add')) return { added: [name], removed: [] }
  return words.includes('remove') ? { added: [], removed: [name] } : undefined
}

/** Without its version: `zod` for `zod@3`, `fastapi` for `fastapi[all]>=0.1`. Undefined for a path. */
function packageName(word: string): string | undefined {
  if (/^(?:\.{0,2}\/|\.$|~|file:|[A-Za-z]:\\)/.test(word) || /\.(?:whl|tgz|txt|tar\.gz)$/.test(word)) return undefined
  const name = word
    .replace(/^dev:(?=\w)/, '')
    .replace(/^([@\w].*?)@[^/]*$/, '$1')
    .replace(/(?:\[[^\]]*\])?(?:[=<>!~^].*)?$/, '')
  return /^@?[\w][\w./:@-]*$/.test(name) ? name : undefined
}

const HEREDOC_SUBJECT = /<<-?\s*\\?["']?[A-Za-z_]\w*["']? (.+?)(?: …|$)/

function commitOf(words: readonly string[], line: string): string | undefined {
  if (words[0] !== 'git') return undefined
  const at = words.findIndex((word, i) => i > 0 && !word.startsWith('-') && !/^-[Cc]$/.test(words[i - 1]!))
  if (words[at] !== 'commit' || words.includes('--dry-run')) return undefined
  for (const [i, word] of words.entries()) {
    const joined = /^(?:--message=|-m(?=.))(.*)$/s.exec(word)?.[1]
    const message = joined ?? (/^(?:--message|-[a-zA-Z]*m)$/.test(word) ? words[i + 1] : undefined)
    if (message === undefined) continue
    const subject = message.startsWith('$(cat') ? (HEREDOC_SUBJECT.exec(line)?.[1] ?? '') : message
    return subject.split(/\n|\\n/)[0]!.trim()
  }
  return ''
}

const RUNNERS: readonly RegExp[] = [
  /^(?:npm|pnpm|yarn|bun) (?:run )?(?:test|t|vitest|jest|[\w:]*test[\w:]*)(?=\s|$)/,
  /^(?:(?:npx|pnpm|yarn|bunx|bun x|pnpm exec|npm exec --?) )?(?:vitest|jest|mocha|ava|playwright test|cypress run|tap)(?=\s|$)/,
  /^node (?:--[\w-]+(?:=\S+)? )*--test(?=\s|$)/,
  /^(?:(?:uv run|poetry run|python3? -m|pipenv run) )*(?:pytest|unittest|tox|nox)(?=\s|$)/,
  /^python3? manage\.py test(?=\s|$)/,
  /^(?:cargo (?:test|nextest run)|go test|dotnet test|swift test|flutter test|dart test|deno test|mix test|zig build test|zig test|stack test|cabal test|bazel test|dune (?:test|runtest)|composer test|gleam test|sbt test|lein test|ctest|forge test)(?=\s|$)/,
  /^(?:\.\/gradlew|gradle|mvn|\.\/mvnw) (?:\S+ )*?(?:\S*[tT]est\w*|verify|check)(?=\s|$)/,
  /^make (?:\S+ )*?[\w-]*(?:test|check)[\w-]*(?=\s|$)/,
  /^(?:bundle exec )?(?:rspec|rake (?:test|spec)|rails test|bin\/rails test|minitest)(?=\s|$)/,
  /^(?:php )?(?:(?:\.\/)?vendor\/bin\/)?(?:phpunit|pest)(?=\s|$)/,
  /^(?:php )?artisan test(?=\s|$)/,
  /^(?:(?:npm|pnpm|yarn|bun) run |npx )?(?!git\s)[\w./:-]*(?:lint|typecheck|tsc)[\w./:-]*(?=\s|$)/,
  /^(?:(?:python3?(?: -m)?|node|bash|sh|ruby) )?\.{0,2}(?:[\w/-]*[._/-])(?:check|tests?|verify|selftest|smoke)(?:\.\w{1,4})?(?=\s|$)/,
  /^(?:(?:terraform|tofu|packer|terragrunt) validate|helm (?:lint|test)|(?:molecule|kitchen|conftest|kubeconform|promtool) (?:test|verify|check))(?=\s|$)/,
  /^(?:bats|busted|gdunit|gut|pio test|platformio test|xcodebuild test|tofu test|terraform test)(?=\s|$)/,
]

function testsOf(words: readonly string[]): string | undefined {
  const line = words.join(' ')
  for (const runner of RUNNERS) {
    const found = runner.exec(line)
    if (found !== null) return found[0]
  }
  return undefined
}
