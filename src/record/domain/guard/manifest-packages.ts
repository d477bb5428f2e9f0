import { parse as parseToml } from 'smol-toml'
import { parse as parseYaml } from 'yaml'
import { CONFIG_BOUNDS, yamlExcess } from '../../../kernel/domain/yaml-bounds.ts'
import { BUILD_FILES } from './build-file-packages.ts'
import { dependenciesIn } from './dependencies.ts'

/**
 * The packages and images required by a manifest, parsed by its grammar; if that fails, line by line. Names are as in
 * the manifest, without versions; a Python package includes its extras.
 */
export function packagesIn(path: string, text: string): string[] {
  const reader = READERS.find(([file]) => file.test(path))?.[1]
  return [...new Set((reader && attempt(() => reader(text, path))) ?? byLine(path, text))]
}

/** Packages used only if another package brings them: optional peers, and pins of transitive dependencies. */
export function looselyAskedIn(path: string, text: string): string[] {
  if (!/(?:^|\/)package\.json$/.test(path)) return []
  const manifest = attempt((): unknown => JSON.parse(text))
  const firm = new Set(
    ['dependencies', 'devDependencies', 'optionalDependencies', 'catalog'].flatMap((field) =>
      keys(at(manifest, field)),
    ),
  )
  const isOptional = (name: string): boolean => at(manifest, 'peerDependenciesMeta', name, 'optional') === true
  return [
    ...keys(at(manifest, 'peerDependencies')).filter(isOptional),
    ...['resolutions', 'overrides'].flatMap((field) => keys(at(manifest, field))),
  ].filter((name) => !firm.has(name))
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

const byLine = (path: string, text: string): string[] =>
  text.split('\n').flatMap((line) => [...dependenciesIn(path, line), ...extrasIn(path, line)])

/** `celery[redis]` requires both packages. */
const extrasIn = (path: string, line: string): string[] =>
  /requirements[^/]*\.(?:txt|in)$/.test(path) ? (/^\s*([\w.-]+\[[\w\s,.-]+\])/.exec(line)?.slice(1) ?? []) : []

type Tree = Readonly<Record<string, unknown>>

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)
const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((tree, key) => (isTree(tree) && Object.hasOwn(tree, key) ? tree[key] : undefined), value)
const keys = (value: unknown): string[] => (isTree(value) ? Object.keys(value) : [])
const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
const values = (value: unknown): unknown[] => (isTree(value) ? Object.values(value) : [])

function npm(text: string): string[] {
  const manifest: unknown = JSON.parse(text)
  const asked = [
    'dependencies',
    'devDependencies',
    'peerDependencies',
    'optionalDependencies',
    'resolutions',
    'overrides',
    'catalog',
  ].map((field) => at(manifest, field))
  const manager = at(manifest, 'packageManager')
  return [
    ...asked.flatMap((section) => [
      ...keys(section),
      // "queue": "npm:redis@4" installs redis.
      ...values(section).flatMap((version) => /^npm:(@?[^@]+)/.exec(String(version))?.[1] ?? []),
    ]),
    ...strings(at(manifest, 'bundledDependencies')),
    ...(typeof manager === 'string' ? [manager.replace(/@.*$/, '')] : []),
  ]
}

function composer(text: string): string[] {
  const manifest: unknown = JSON.parse(text)
  return ['require', 'require-dev'].flatMap((field) => keys(at(manifest, field))).filter((name) => name !== 'php')
}

function vcpkg(text: string): string[] {
  const manifest: unknown = JSON.parse(text)
  const lists = [manifest, ...values(at(manifest, 'features'))].map((part) => at(part, 'dependencies'))
  return lists.flatMap((list) =>
    Array.isArray(list)
      ? list.flatMap((each: unknown) => (typeof each === 'string' ? each : String(at(each, 'name') ?? [])))
      : [],
  )
}

function deno(text: string): string[] {
  return values(at(JSON.parse(text), 'imports')).flatMap(
    (from) => /^(?:npm|jsr):\/?(@?[^@]+)/.exec(String(from))?.[1] ?? [],
  )
}

/** A requirement in PEP 508 syntax, e.g. `celery[redis]>=5; python_version > "3"`. */
const requirement = (text: string): string => /^\s*([\w.-]+(?:\s*\[[^\]]*\])?)/.exec(text)?.[1] ?? ''

function python(text: string): string[] {
  const manifest: unknown = parseToml(text)
  const poetry = at(manifest, 'tool', 'poetry')
  const tables = [
    at(poetry, 'dependencies'),
    at(poetry, 'dev-dependencies'),
    ...values(at(poetry, 'group')).map((group) => at(group, 'dependencies')),
    at(manifest, 'packages'),
    at(manifest, 'dev-packages'),
  ]
  const lists = [
    at(manifest, 'project', 'dependencies'),
    ...values(at(manifest, 'project', 'optional-dependencies')),
    ...values(at(manifest, 'dependency-groups')),
    ...values(at(manifest, 'tool', 'pdm', 'dev-dependencies')),
    at(manifest, 'tool', 'uv', 'dev-dependencies'),
    at(manifest, 'build-system', 'requires'),
  ]
  return [
    ...tables.flatMap((table) =>
      Object.entries(isTree(table) ? table : {}).map(([name, how]) => {
        const extras = strings(at(how, 'extras'))
        return extras.length === 0 ? name : `${name}[${extras.join(',')}]`
      }),
    ),
    ...lists.flatMap(strings).map(requirement),
  ].filter((name) => name !== '' && name !== 'python')
}

function cargo(text: string): string[] {
  const manifest: unknown = parseToml(text)
  const roots = [manifest, at(manifest, 'workspace'), ...values(at(manifest, 'target'))]
  return roots.flatMap((root) =>
    ['dependencies', 'dev-dependencies', 'build-dependencies'].flatMap((section) =>
      Object.entries((at(root, section) as Tree | undefined) ?? {}).map(([name, how]) =>
        String(at(how, 'package') ?? name),
      ),
    ),
  )
}

function gradleVersions(text: string): string[] {
  const manifest: unknown = parseToml(text)
  const libraries = values(at(manifest, 'libraries')).map((library) =>
    typeof library === 'string'
      ? library.split(':').slice(0, 2).join(':')
      : String(at(library, 'module') ?? `${String(at(library, 'group'))}:${String(at(library, 'name'))}`),
  )
  return [...libraries, ...values(at(manifest, 'plugins')).map((plugin) => String(at(plugin, 'id') ?? plugin))]
}

function yaml(text: string): unknown {
  if (yamlExcess(text, CONFIG_BOUNDS) !== undefined) throw new Error('too much')
  return parseYaml(text, { logLevel: 'silent', maxAliasCount: CONFIG_BOUNDS.aliases })
}

const imageName = (image: unknown): string[] =>
  typeof image === 'string' ? [image.replace(/@.*$/, '').replace(/:[^/]*$/, '')] : []

function pub(text: string): string[] {
  const manifest = yaml(text)
  return ['dependencies', 'dev_dependencies', 'dependency_overrides'].flatMap((field) => keys(at(manifest, field)))
}

function compose(text: string): string[] {
  return values(at(yaml(text), 'services')).flatMap((service) => {
    const environment = at(service, 'environment')
    return [
      ...imageName(at(service, 'image')),
      ...keys(environment),
      ...strings(environment).map((each) => each.replace(/=.*$/, '')),
    ]
  })
}

function conda(text: string): string[] {
  const asked = at(yaml(text), 'dependencies')
  const pip = Array.isArray(asked) ? asked.flatMap((each) => strings(at(each, 'pip'))) : []
  return [...strings(asked), ...pip]
    .map(requirement)
    .filter((name) => name !== '' && name !== 'python' && name !== 'pip')
}

function chart(text: string): string[] {
  const asked = at(yaml(text), 'dependencies')
  return Array.isArray(asked) ? asked.flatMap((each) => String(at(each, 'name') ?? [])) : []
}

function workflow(text: string): string[] {
  const file = yaml(text)
  return [...keys(at(file, 'env')), ...values(at(file, 'jobs')).flatMap(jobNames)]
}

function jobNames(job: unknown): string[] {
  const steps = at(job, 'steps')
  return [
    ...keys(at(job, 'env')),
    ...values(at(job, 'services')).flatMap((service) => imageName(at(service, 'image') ?? service)),
    ...imageName(at(job, 'container', 'image') ?? at(job, 'container')),
    ...actionName(at(job, 'uses')),
    ...(Array.isArray(steps)
      ? steps.flatMap((step) => [...actionName(at(step, 'uses')), ...keys(at(step, 'env'))])
      : []),
  ]
}

/** `snyk/actions/docker@master` is an action of `snyk/actions`; local actions of the repository are skipped. */
function actionName(uses: unknown): string[] {
  if (typeof uses !== 'string' || uses.startsWith('.')) return []
  if (uses.startsWith('docker://')) return imageName(uses.slice('docker://'.length))
  return [uses.replace(/@.*$/, '').split('/').slice(0, 2).join('/')]
}

function maven(text: string): string[] {
  const bare = withoutXmlComments(text)
  return ['dependency', 'plugin', 'parent', 'extension'].flatMap((tag) =>
    bare
      .split(`<${tag}>`)
      .slice(1)
      .flatMap((rest) => {
        const block = rest.slice(0, Math.max(0, rest.slice(0, LONGEST_BLOCK).indexOf(`</${tag}>`)))
        const [group, artifact] = ['groupId', 'artifactId'].map(
          (name) => new RegExp(`<${name}>\\s*([\\w.-]+)\\s*</${name}>`).exec(block)?.[1],
        )
        return artifact === undefined ? [] : [group === undefined ? artifact : `${group}:${artifact}`]
      }),
  )
}

const LONGEST_BLOCK = 4_000

/** Add-ons and buildpacks that an app requests from Heroku; other tools use the name `app.json` as well. */
function heroku(text: string, path: string): string[] {
  const file: unknown = path.endsWith('.json') ? JSON.parse(text) : yaml(text)
  const plans = [at(file, 'addons'), at(file, 'setup', 'addons')].flatMap((list) => (Array.isArray(list) ? list : []))
  const packs = at(file, 'buildpacks')
  const asked = [
    ...plans.map((plan: unknown) => String(at(plan, 'plan') ?? plan).replace(/:.*$/, '')),
    ...(Array.isArray(packs) ? packs.map((pack: unknown) => String(at(pack, 'url') ?? pack)) : []),
    ...[at(file, 'stack')].filter((stack) => typeof stack === 'string'),
  ]
  const isHeroku = asked.length > 0 || isTree(at(file, 'formation')) || !path.endsWith('.json')
  const settings = [at(file, 'env'), at(file, 'setup', 'config')].flatMap(keys)
  return isHeroku ? [...asked, ...settings, 'Heroku'] : []
}

/** Runs in one pass: a regular expression would search for the end of each comment again. */
function withoutXmlComments(text: string): string {
  const [first = '', ...rest] = text.split('<!--')
  const after = (part: string): string => {
    const end = part.indexOf('-->')
    return end === -1 ? '' : part.slice(end + '-->'.length)
  }
  return first + rest.map(after).join('')
}

function nuget(text: string): string[] {
  return [
    ...withoutXmlComments(text).matchAll(
      /<(?:PackageReference|PackageVersion|package)\b[^<>]{0,400}?(?:Include|Update|id)\s*=\s*"([\w.-]+)"/g,
    ),
  ].map(([, name]) => name!)
}

/** Base images of a build, packages it installs, and keys it sets. Names of earlier stages are skipped. */
function dockerfile(text: string): string[] {
  const lines = text
    .replaceAll(/\\\r?\n/g, ' ')
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
  const stages = new Set(lines.flatMap((line) => /^\s*FROM\s.*\sAS\s+(\S+)/i.exec(line)?.[1]?.toLowerCase() ?? []))
  const images = lines.flatMap((line) => /^\s*FROM\s+(?:--\S+\s+)*(\S+)/i.exec(line)?.[1] ?? [])
  return [
    ...images.filter((image) => !stages.has(image.toLowerCase())).flatMap(imageName),
    ...lines.filter((line) => /^\s*RUN\b/i.test(line)).flatMap(installed),
    ...lines.flatMap((line) => /^\s*(?:ENV|ARG)\s+([A-Z][A-Z0-9_]+)/i.exec(line)?.[1] ?? []),
  ]
}

const INSTALLS =
  /\b(?:apt-get|apt|apk|dnf|yum|pip3?|npm|yarn|pnpm|gem|cargo|go|composer|brew)\s+(?:-\S+\s+)*(?:install|add|i|get|require)\s+([^;&|]+)/g

const installed = (command: string): string[] =>
  [...command.matchAll(INSTALLS)].flatMap(([, names]) =>
    names!
      .split(/\s+/)
      .filter((name) => /^@?[a-z][\w./@+-]*(?:\[[^\]]*\])?/i.test(name))
      .map((name) => name.replace(/(?<=.)[=@~<>].*$/, '')),
  )

const READERS: readonly (readonly [file: RegExp, read: (text: string, path: string) => string[]])[] = [
  [/(?:^|\/)package\.json$/, npm],
  [/(?:^|\/)composer\.json$/, composer],
  [/(?:^|\/)vcpkg\.json$/, vcpkg],
  [/(?:^|\/)deno\.json$/, deno],
  [/(?:^|\/)(?:pyproject\.toml|Pipfile)$/, python],
  [/(?:^|\/)Cargo\.toml$/, cargo],
  [/(?:^|\/)libs\.versions\.toml$/, gradleVersions],
  [/(?:^|\/)pubspec\.yaml$/, pub],
  [/(?:^|\/)Chart\.yaml$/, chart],
  [/(?:^|\/)environment\.ya?ml$/, conda],
  [/(?:^|\/)\.github\/workflows\/[^/]+\.ya?ml$/, workflow],
  [/(?:^|\/)[^/]*compose[^/]*\.ya?ml$/, compose],
  [/(?:^|\/)(?:app\.json|heroku\.ya?ml)$/, heroku],
  [/(?:^|\/)pom\.xml$/, maven],
  [/\.(?:cs|fs|vb)proj$|(?:^|\/)(?:Directory\.Packages\.props|packages\.config)$/, nuget],
  [/(?:^|\/)(?:Dockerfile[^/]*|Containerfile)$/, dockerfile],
  ...BUILD_FILES,
]
