import { nameKey } from '../names/known-names.ts'
import { packageKeys, productKeys } from './package-keys.ts'
import type { Use } from './uses.ts'

type OwnUse = Pick<Use, 'name' | 'via'> & { readonly path: string }

// Bounded repetitions, because a clone may contain a megabyte of blanks.
const NAMES: readonly (readonly [file: RegExp, name: RegExp])[] = [
  [/(?:^|\/)package\.json$/, /^[ \t]{0,40}\{?\s{0,40}"name"\s{0,9}:\s{0,9}"([^"]{1,214})"/m],
  [/(?:^|\/)go\.mod$/, /^module\s+(\S+)/m],
  [/(?:^|\/)(?:pyproject|Cargo)\.toml$/, /^name\s*=\s*"([^"]+)"/m],
  [/(?:^|\/)composer\.json$/, /^[ \t]{0,40}\{?\s{0,40}"name"\s{0,9}:\s{0,9}"([^"]{1,214})"/m],
  [/(?:^|\/)pubspec\.yaml$/, /^name:\s*(\S+)/m],
]

/** Keys of a manifest's name: the scope of its packages is not a chosen product. */
export function ownKeys(path: string, text: string): string[] {
  if (path.endsWith('pom.xml')) {
    // Skips the names of the parent and the dependencies.
    const own = text
      .slice(Math.max(0, text.indexOf('</parent>')))
      .split(/<(?:dependenc|build|profiles|properties|modules)/, 1)[0]!
    const [group = 'own', artifact = ''] = ['groupId', 'artifactId'].map(
      (tag) => new RegExp(`<${tag}>\\s*([\\w.-]+)`).exec(own)?.[1],
    )
    return keysOf(`${group}:${artifact}`)
  }
  const name = NAMES.flatMap(([file, pattern]) => (file.test(path) ? (pattern.exec(text)?.[1] ?? []) : []))[0]
  const [scope] = /^@[\w.-]+(?=\/)/.exec(name ?? '') ?? []
  return name === undefined ? [] : [nameKey(name), ...(scope === undefined ? [] : keysOf(`${scope}/x`))]
}

const keysOf = (name: string): string[] => [...packageKeys(name), ...productKeys(name)]

const ROOTS = /^(?:[^/]+\/){0,3}?(?:src|lib|app|source|sources|python|packages|pkg|libs)\/([^/]+)/

/**
 * Whether a use refers to the repository's own code: a package of its workspace, or a module in it. `from shop.redis
 * import client` imports a local module of that name.
 */
export function ownModules(paths: readonly string[], manifests: ReadonlyMap<string, string>): (use: OwnUse) => boolean {
  const names = new Set(
    [...manifests].flatMap(([path, text]) =>
      NAMES.flatMap(([file, name]) => (file.test(path) ? (name.exec(text)?.[1] ?? []) : [])),
    ),
  )
  const roots = new Set(
    paths.flatMap((path) => [
      path.replace(/\/.*$/s, '').replace(/\.\w+$/, ''),
      ...(ROOTS.exec(path)
        ?.slice(1)
        .map((name) => name.replace(/\.\w+$/, '')) ?? []),
    ]),
  )
  const folders = paths.flatMap(
    (path) => /(?:^|\/)(?:java|kotlin|scala)\/([^/]+\/[^/]+)\//.exec(path)?.[1]?.replace('/', '.') ?? [],
  )
  const packages = new Set(folders)
  return ({ name, via, path }) => {
    if (names.has(name) || [...prefixes(name)].some((prefix) => names.has(prefix))) return true
    if (via !== 'import') return false
    if (/\.(?:java|kts?|scala|groovy)$/.test(path)) return packages.has(name.split('.').slice(0, 2).join('.'))
    // A single word is the external package, even if a folder here has the same name.
    if (/\.(?:pyi?|rb|php|exs?|cs)$/.test(path)) return /[./\\]/.test(name) && roots.has(name.split(/[./\\]/)[0]!)
    return false
  }
}

function* prefixes(name: string): Generator<string> {
  for (let at = name.indexOf('/'); at > 0; at = name.indexOf('/', at + 1)) yield name.slice(0, at)
}
