import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { rolldown, type Plugin, type RolldownOutput } from 'rolldown'

const ROOT = resolve(import.meta.dirname, '..')
const SRC = join(ROOT, 'src')

// Modules opened by name from outside the bundle: the launcher, the entry points of `kenbase/core`, and the processes
// and threads that Ken starts. Each keeps its path; everything else goes into chunks.
const ENTRIES = [
  'app/main',
  'core',
  'memory/index-worker',
  'memory/documents/index',
  'retrieval/embed/static/elsewhere',
  'memory/index/sqlite/writer',
  'context/warehouse/engine-guard',
  'context/warehouse/duckdb/duckdb-process',
  'context/warehouse/duckdb/parquet-process',
  'context/warehouse/sqlite/sqlite-process',
]

// Modules of everyday commands, bundled into few files instead of dozens: opening a file costs more than the code in
// it. A hook in a folder without a project, the common case, needs only the first.
const STARTS: Readonly<Record<string, readonly string[]>> = {
  // Imports of the launcher itself: if they shared a chunk with anything else, every start would load that too.
  launcher: ['kernel/domain/suppress-warnings.ts', 'surfaces/cli/guard-output.ts'],
  hook: ['app/hook.ts', 'kernel/projects/index.ts', 'kernel/system/clock.ts', 'kernel/domain/project/disconnected.ts'],
  record: [
    'record/store/files/index.ts',
    'record/store/semantic-search.ts',
    'memory/adapters/files-session-memory.ts',
    'retrieval/embed/static/index.ts',
    'retrieval/vectors/index.ts',
    'app/bundled-model.ts',
    'setup/operations/hook-context.ts',
    'operations/redacted-store.ts',
  ],
  command: ['app/cli.ts', 'record/operations/check-decision.ts', 'memory/operations/memory-search.ts'],
  memory: [
    'memory/index/sqlite/index.ts',
    'kernel/lease/sqlite/index.ts',
    'memory/open-memory.ts',
    'memory/search-models.ts',
    'memory/documents/index.ts',
  ],
}
// Modules that stay lazy: the launcher chooses between hook and command, a hook loads the record only if there is one,
// and only some commands need the memory.
const LAZY = new Set(['app/hook.ts', 'app/cli.ts', ...STARTS['memory']!].map((path) => join(SRC, path)))
const LAZY_IMPORTERS = new Set(['app/hook.ts', 'surfaces/cli/hook.ts'].map((path) => join(SRC, path)))

/** Bundles the CLI with all packages that users need not install, and returns the bundled modules. */
export async function bundleCli(folder: string): Promise<Set<string>> {
  const outputs = await Promise.all([bundleSource(folder), bundleYaml(folder)])
  const chunks = outputs.flatMap(({ output }) => output).filter((part) => part.type === 'chunk')
  return new Set(chunks.flatMap((chunk) => chunk.moduleIds))
}

async function bundleSource(folder: string): Promise<RolldownOutput> {
  const bundle = await rolldown({
    input: Object.fromEntries(ENTRIES.map((name) => [name, join(SRC, `${name}.ts`)])),
    platform: 'node',
    external: installed().map((name) => new RegExp(`^${name}(?:/|$)`)),
    // `module` comes before `main`, which in some packages is a wrapper that hides its requires.
    resolve: { mainFields: ['module', 'main'] },
    preserveEntrySignatures: 'allow-extension',
    plugins: [ownAddresses(), yamlWhenUsed(), joinStarts()],
    // Some modules are deliberately imported lazily in some places and eagerly in others.
    checks: { ineffectiveDynamicImport: false },
  })
  const output = await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: startOf(), debugName: 'starts' }] },
  })
  await bundle.close()
  return output
}

/** Packages installed with Ken or optionally by a user; all others are bundled. */
function installed(): string[] {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, object | undefined>
  return ['dependencies', 'optionalDependencies', 'peerDependencies'].flatMap((kind) =>
    Object.keys(manifest[kind] ?? {}),
  )
}

const PLACE = 'ken-place:'

/**
 * Replaces `import.meta.url`, which in a chunk is the chunk's URL, by the URL of the module's own file, so that paths
 * to workers, models and package.json work in the source and in the bundle.
 */
function ownAddresses(): Plugin {
  return {
    name: 'own-addresses',
    transform(code, id) {
      if (!id.startsWith(SRC + sep) || !code.includes('import.meta.url')) return undefined
      const place = relative(SRC, id).split(sep).join('/').replace(/\.ts$/, '.js')
      return code.replaceAll('import.meta.url', `new URL("${PLACE}${place}", import.meta.url).href`)
    },
    renderChunk(code, chunk) {
      if (!code.includes(PLACE)) return undefined
      return code.replaceAll(new RegExp(`${PLACE}([\\w./-]+)`, 'g'), (_, place: string) => {
        const path = relative(dirname(chunk.fileName), place).split(sep).join('/')
        return path.startsWith('.') ? path : `./${path}`
      })
    },
  }
}

const YAML = '\0yaml-when-used'

/**
 * Loads the YAML library at the first call of one of its functions: decisions written by Ken are read without it, and
 * their readers cannot wait for an import.
 */
function yamlWhenUsed(): Plugin {
  const names = [
    'Lexer',
    'LineCounter',
    'isAlias',
    'isMap',
    'isNode',
    'isScalar',
    'isSeq',
    'parse',
    'parseDocument',
    'stringify',
  ]
  return {
    name: 'yaml-when-used',
    resolveId: (id) => (id === 'yaml' ? YAML : undefined),
    load(id) {
      if (id !== YAML) return undefined
      return `
        import { createRequire } from 'node:module'
        let library
        const yaml = () => (library ??= createRequire(import.meta.url)(${JSON.stringify(`${PLACE}chunks/yaml.cjs`)}))
        const later = (name) => new Proxy(function () {}, {
          apply: (_, self, values) => Reflect.apply(yaml()[name], self, values),
          construct: (_, values) => Reflect.construct(yaml()[name], values),
        })
        ${names.map((name) => `export const ${name} = /* @__PURE__ */ later('${name}')`).join('\n')}`
    },
  }
}

async function bundleYaml(folder: string): Promise<RolldownOutput> {
  const bundle = await rolldown({ input: createRequire(import.meta.url).resolve('yaml'), platform: 'node' })
  const output = await bundle.write({ file: join(folder, 'chunks/yaml.cjs'), format: 'cjs' })
  await bundle.close()
  return output
}

/**
 * Makes lazy imports of the start modules static: these are loaded anyway, and a lazy import would only add a file that
 * names them.
 */
function joinStarts(): Plugin {
  const paths = (starts: readonly string[]) =>
    new Set(starts.map((path) => join(SRC, path)).filter((path) => !LAZY.has(path)))
  const [all, ofHook] = [paths(Object.values(STARTS).flat()), paths(STARTS['hook']!)]
  return {
    name: 'join-starts',
    transform(code, id) {
      if (!id.startsWith(SRC + sep)) return undefined
      const joined = LAZY_IMPORTERS.has(id) ? ofHook : all
      const imports: string[] = []
      const text = code.replaceAll(/\bimport\('(\.[^']+)'\)/g, (whole, path: string) => {
        if (!joined.has(resolve(dirname(id), path))) return whole
        imports.push(`import * as joined${imports.length} from '${path}'`)
        return `Promise.resolve(joined${imports.length - 1})`
      })
      return imports.length === 0 ? undefined : `${imports.join('\n')}\n${text}`
    },
  }
}

interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

/** The first start that reaches a module by plain imports. */
function startOf(): (id: string, modules: Modules) => string | null {
  let starts: Map<string, string> | undefined
  return (id, modules) => (starts ??= reachedBy(modules)).get(id) ?? null
}

function reachedBy(modules: Modules): Map<string, string> {
  const reached = new Map<string, string>()
  for (const [name, roots] of Object.entries(STARTS)) {
    const waiting = roots.map((path) => join(SRC, path))
    const lost = waiting.filter((root) => modules.getModuleInfo(root) === null)
    if (lost.length > 0) throw new Error(`scripts/bundle-cli.ts names modules that are not there: ${lost.join(', ')}`)
    for (let module = waiting.pop(); module !== undefined; module = waiting.pop()) {
      const info = reached.has(module) ? null : modules.getModuleInfo(module)
      if (info === null) continue
      reached.set(module, name)
      waiting.push(...info.importedIds)
    }
  }
  return reached
}
