import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleGraphViewer } from '../scripts/graph-viewer.ts'
import { packageFolder, thirdPartyLicences } from '../scripts/third-party-licences.ts'
import { optionalPackages } from '../src/kernel/system/optional-package.ts'
import { installPackage, MANIFEST, packPackage } from './packed-package.ts'
import { openScriptedModel, type ModelRequest } from './scripted-model.ts'
import { makeShop, ownDuckdb, ownSqlite } from './shop-database.ts'

const ROOT = resolve(import.meta.dirname, '..')
const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-package-')))
const folder = join(place, 'package')
const lean = join(place, 'lean')

beforeAll(() => {
  const archive = packPackage(place)
  installPackage(archive, folder)
  installPackage(archive, lean, { optional: false })
}, 120_000)

afterAll(() => rmSync(place, { recursive: true, force: true }))

const env = () => ({ PATH: process.env['PATH']!, HOME: place, KEN_HOME: join(place, 'home'), KEN_TELEMETRY: '0' })

function ken(
  values: readonly string[],
  { cwd = place, from = folder, options = '' }: { cwd?: string; from?: string; options?: string } = {},
) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(from, 'bin', 'ken.js'), ...values], {
    cwd,
    env: { ...env(), NODE_OPTIONS: options },
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

const emptyFolder = (name: string): string => {
  const path = join(place, name)
  mkdirSync(path)
  return path
}

test('the published package contains compiled code and runs', () => {
  expect(readdirSync(folder).sort()).toEqual([
    '.claude-plugin',
    'CHANGELOG.md',
    'LICENSE',
    'NOTICE',
    'README.md',
    'bin',
    'deploy',
    'dist',
    'docs',
    'integrations',
    'models',
    'node_modules',
    'package.json',
    'server.json',
  ])
  expect(ken(['demo'])).toMatchObject({ status: 0, stdout: expect.stringContaining('It reintroduces "RabbitMQ"') })
}, 60_000)

const IMPORTED = /^(?:import|export)\b[^'"\n]*["']([^"'\n]+)["'];$|\bimport\(["']([^"']+)["']\)/gm

test('every package that the published code imports is a dependency or is bundled with its licence', async () => {
  const dist = join(folder, 'dist')
  const imported = new Set(
    readdirSync(dist, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.js') && !path.startsWith('web'))
      .flatMap((path) => [...readFileSync(join(dist, path), 'utf8').matchAll(IMPORTED)])
      .map((match) => match[1] ?? match[2]!)
      .filter((name) => !name.startsWith('.') && !isBuiltin(name))
      .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)![0]),
  )
  const installed = Object.keys({ ...MANIFEST.dependencies, ...MANIFEST.optionalDependencies })
  expect([...imported].filter((name) => !installed.includes(name))).toEqual([])
  expect(imported).toContain('web-tree-sitter')
  const licences = readFileSync(join(dist, 'THIRD-PARTY-LICENSES'), 'utf8')
  for (const name of [
    'commander',
    'yaml',
    'zod',
    'hono',
    '@modelcontextprotocol/server',
    'react',
    'echarts',
    'lexical',
  ])
    expect(licences).toMatch(new RegExp(`^${name} \\d[^\n]* \\((?:MIT|ISC|Apache-2.0)\\)$`, 'm'))
})

test('every chunk of the package loads', () => {
  const chunks = join(folder, 'dist/chunks')
  const program = `for (const name of ${JSON.stringify(readdirSync(chunks))})
    await import(${JSON.stringify(pathToFileURL(chunks).href)} + '/' + name).catch((error) => console.log(name, error.message))`
  expect(
    execFileSync(process.execPath, ['--input-type=module', '--eval', program], { env: env(), encoding: 'utf8' }),
  ).toBe('')
}, 60_000)

test('neither the launcher nor a hook without a record loads the chunks of the record or of commands', () => {
  const dist = join(folder, 'dist')
  const loadedBy = (path: string, known = new Set<string>()): Set<string> => {
    if (known.has(path)) return known
    known.add(path)
    const text = readFileSync(join(dist, path), 'utf8')
    for (const [, other] of text.matchAll(/^(?:import|export)\b[^'"\n]*["'](\.[^"'\n]+)["'];$/gm))
      loadedBy(join(dirname(path), other!), known)
    return known
  }
  const chunks = readdirSync(join(dist, 'chunks'))
  expect([...loadedBy('app/main.js')].map((path) => path.replace(/-[^-]*$/, ''))).toEqual([
    'app/main.js',
    'chunks/launcher',
  ])
  const hooks = chunks
    .filter((name) => /^hook-[\w-]{8}\.js$/.test(name))
    .flatMap((name) => [...loadedBy(`chunks/${name}`)])
  expect(hooks.length).toBeGreaterThan(0)
  expect(hooks.filter((path) => /\/(?:record|command|memory)-/.test(path))).toEqual([])
})

test('a package without a licence text cannot be bundled', async () => {
  const named = (license: string | undefined, name: string): string => {
    const path = join(place, 'odd', 'node_modules', name)
    mkdirSync(path, { recursive: true })
    writeFileSync(join(path, 'package.json'), JSON.stringify({ name, version: '1.0.0', license }))
    return join(path, 'index.js')
  }
  await expect(thirdPartyLicences([named('MIT', 'textless')])).rejects.toThrow('textless 1.0.0 brings no licence text')
  await expect(thirdPartyLicences([named('GPL-3.0', 'strict')])).rejects.toThrow('strict is under GPL-3.0')
  await expect(thirdPartyLicences([named(undefined, 'silent')])).rejects.toThrow('silent is under no licence')
  expect(packageFolder('/a/node_modules/b/node_modules/@c/d/e.js')).toBe('/a/node_modules/b/node_modules/@c/d')
  expect(packageFolder('/a/src/b.ts')).toBeUndefined()
})

test('the package draws the record with the same viewer as the source', async () => {
  const cwd = emptyFolder('drawn')
  expect(ken(['init', 'drawn', '--demo'], { cwd })).toMatchObject({ status: 0 })
  expect(ken(['graph'], { cwd })).toMatchObject({ status: 0 })
  const { script, style } = await bundleGraphViewer()
  const page = readFileSync(join(cwd, 'ken-graph.html'), 'utf8')
  expect(page).toContain(`<script>${script}</script>`)
  expect(page).toContain(`<style>${style}</style>`)
}, 60_000)

test('the package serves every file of the web app and the sign-in link', async () => {
  const app = spawn(process.execPath, [join(folder, 'bin', 'ken.js'), 'app', '--no-open', '--port', '0'], {
    cwd: emptyFolder('app'),
    env: env(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [said] = (await once(app.stdout, 'data')) as [Buffer]
    const link = new URL(/http:\S+/.exec(String(said))![0])
    const page = await (await fetch(link.origin)).text()
    const files = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path!)
    expect(files.length).toBeGreaterThan(3)
    const statuses = await Promise.all(files.map(async (path) => (await fetch(`${link.origin}${path}`)).status))
    expect(statuses.filter((status) => status !== 200)).toEqual([])
    expect((await fetch(link)).headers.get('set-cookie')).toContain('HttpOnly')
  } finally {
    app.kill()
    await once(app, 'exit')
  }
})

test('the package starts its processes: DuckDB and SQLite each run in a separate process', async () => {
  const cwd = emptyFolder('shop')
  const sqlite = ownSqlite(join(cwd, 'shop.db'))
  await Promise.all([makeShop(ownDuckdb(join(cwd, 'shop.duckdb')), 'duckdb'), makeShop(sqlite, 'sqlite')])
  await sqlite.close()
  const entry = (type: string, path: string) => `  - name: ${type}\n    type: ${type}\n    path: ${path}\n`
  writeFileSync(
    join(cwd, 'ken.yaml'),
    `name: shop\ndatabases:\n${entry('duckdb', 'shop.duckdb')}${entry('sqlite', 'shop.db')}`,
  )
  expect(ken(['sync'], { cwd })).toMatchObject({ status: 0 })
  for (const database of ['duckdb', 'sqlite'])
    expect(ken(['sql', 'SELECT count(*) AS many FROM users', '--database', database], { cwd })).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('many'),
    })
}, 120_000)

// If a thread fails, the documents are indexed without it, so only the thread's own reply shows that it works.
test('the package starts its threads: two threads index many documents', () => {
  const cwd = emptyFolder('library')
  mkdirSync(join(cwd, 'docs'))
  const page = (i: number) => `# Page ${i}\n\n${`About the winch ${i} and its rope.\n`.repeat(1_000)}`
  for (let i = 0; i < 150; i++) writeFileSync(join(cwd, 'docs', `${i}.md`), page(i))
  const watch = join(place, 'watch.mjs')
  writeFileSync(
    watch,
    `import { writeSync } from 'node:fs'
    process.on('worker', (worker) => {
      for (const event of ['error', 'message']) worker.on(event, () => writeSync(2, \`[thread: \${event}]\`))
    })`,
  )
  const added = ken(['collection', 'add', 'docs', 'docs'], { cwd, options: `--import=${pathToFileURL(watch).href}` })
  expect(added.stdout).toContain('150 documents indexed')
  expect(added.stderr.match(/\[thread: \w+\]/g)).toEqual(['[thread: message]', '[thread: message]'])
}, 120_000)

test('an agent can use the package over standard input', async () => {
  const cwd = emptyFolder('served')
  expect(ken(['init', 'served', '--demo'], { cwd })).toMatchObject({ status: 0 })
  const client = new Client({ name: 'test-agent', version: '9' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(folder, 'bin', 'ken.js'), 'serve', '--stdio'],
      cwd,
      env: env(),
      stderr: 'pipe',
    }),
  )
  try {
    const answer = await client.callTool({
      name: 'check_decision',
      arguments: { proposed_approach: 'move the queue to RabbitMQ' },
    })
    expect(JSON.stringify(answer.content)).toContain('RabbitMQ')
  } finally {
    await client.close()
  }
}, 60_000)

test('`npx -y kenbase` is a complete MCP command', async () => {
  const cwd = emptyFolder('started')
  expect(ken(['init', 'started', '--demo'], { cwd })).toMatchObject({ status: 0 })
  // The layout npm uses, so that npx finds the package here without network access.
  mkdirSync(join(cwd, 'node_modules', '.bin'), { recursive: true })
  symlinkSync(folder, join(cwd, 'node_modules', 'kenbase'))
  symlinkSync('../kenbase/bin/ken.js', join(cwd, 'node_modules', '.bin', 'kenbase'))
  writeFileSync(join(cwd, 'package.json'), '{"private":true,"dependencies":{"kenbase":"*"}}')
  const client = new Client({ name: 'test-agent', version: '9' })
  await client.connect(
    new StdioClientTransport({ command: 'npx', args: ['-y', 'kenbase'], cwd, env: env(), stderr: 'pipe' }),
  )
  try {
    const answer = await client.callTool({
      name: 'check_decision',
      arguments: { proposed_approach: 'move the queue to RabbitMQ' },
    })
    expect(JSON.stringify(answer.content)).toContain('RabbitMQ')
    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual(expect.arrayContaining(['check', 'recall', 'decide', 'brief']))
  } finally {
    await client.close()
  }
}, 120_000)

test('a minimal installation works and names the package to install for an unsupported database', async () => {
  const cwd = emptyFolder('lean-shop')
  expect(ken(['init', 'lean', '--demo'], { cwd, from: lean })).toMatchObject({ status: 0 })
  expect(ken(['check', 'move the queue to RabbitMQ'], { cwd, from: lean })).toMatchObject({ status: 0 })
  await makeShop(ownDuckdb(join(cwd, 'shop.duckdb')), 'duckdb')
  writeFileSync(
    join(cwd, 'ken.yaml'),
    'name: shop\ndatabases:\n  - name: shop\n    type: duckdb\n    path: shop.duckdb\n',
  )
  const tested = ken(['debug'], { cwd, from: lean })
  expect(tested.stdout).toContain('The package @duckdb/node-api is not installed (needed for DuckDB)')
  expect(tested.stdout).toContain(
    'Install it beside Ken, with Node 22.18 or newer: npm install @duckdb/node-api@1.5.5-r.5 (with --global',
  )
  expect(tested.stdout).toMatch(
    /^Not installed: @duckdb\/node-api \(DuckDB\), pg \(PostgreSQL, Redshift and the team server\), /m,
  )
  const asked = ken(['ask', 'Hello?', '--model', 'ollama:qwen3'], { cwd, from: lean })
  expect(asked.stdout + asked.stderr).toContain(
    'Install it beside Ken, with Node 22.18 or newer: npm install @ai-sdk/openai-compatible@3 ai@7 (with --global',
  )
  expect(ken(['debug'], { cwd }).stdout).toMatch(
    /^Installed: @duckdb\/node-api, pg, libpg-query, mysql2, @resvg\/resvg-wasm, pdfkit, ai, /m,
  )
}, 120_000)

test('the analyst answers, draws and prints from the package', async () => {
  const cwd = emptyFolder('asked-shop')
  expect(ken(['init', 'asked'], { cwd })).toMatchObject({ status: 0 })
  await makeShop(ownDuckdb(join(cwd, 'shop.duckdb')), 'duckdb')
  expect(ken(['init', '--context', 'asked', '--database', 'shop=duckdb:shop.duckdb'], { cwd })).toMatchObject({
    status: 0,
  })
  expect(ken(['sync'], { cwd })).toMatchObject({ status: 0 })
  const asked = ken(['ask', 'How many orders are there?', '--json'], { cwd })
  expect(JSON.parse(asked.stdout)).toMatchObject({ end: 'answered', text: expect.stringContaining('orders') })
  const statement = 'SELECT note, count(*) AS orders FROM orders GROUP BY note ORDER BY note'
  for (const file of ['orders.svg', 'orders.png']) {
    const drawn = ken(['chart', statement, '--kind', 'bar', '--x', 'note', '--y', 'orders', '--output', file], { cwd })
    expect(drawn).toMatchObject({ status: 0 })
  }
  expect(readFileSync(join(cwd, 'orders.svg'), 'utf8')).toMatch(/^<svg /)
  expect(readFileSync(join(cwd, 'orders.png')).subarray(1, 4).toString()).toBe('PNG')
  const story = ['story', 'create', 'sales', '--title', 'Sales', '--text', '# Sales\n\nAll of them.']
  expect(ken(story, { cwd })).toMatchObject({ status: 0 })
  for (const kind of ['html', 'pdf'])
    expect(ken(['stories', 'export', 'sales', '--as', kind, '--output', `sales.${kind}`], { cwd })).toMatchObject({
      status: 0,
    })
  expect(readFileSync(join(cwd, 'sales.pdf')).subarray(0, 5).toString()).toBe('%PDF-')
}, 120_000)

test('tests, briefs and drift work from the package', async () => {
  const cwd = emptyFolder('tested-shop')
  const answer = ({ answers, tools }: ModelRequest) =>
    answers.length === 0 && tools.length > 0
      ? { call: { tool: 'execute_sql', input: { sql: 'SELECT count(*) AS n FROM orders' } } }
      : 'There are 60 orders.'
  const model = await openScriptedModel(answer)
  const run = (...words: string[]): Promise<{ code: number; out: string }> =>
    promisify(execFile)(process.execPath, [join(folder, 'bin', 'ken.js'), ...words], {
      cwd,
      env: { ...env(), KEN_MODEL: 'compatible:scripted', KEN_MODEL_URL: `${model.url}/v1` },
    }).then(
      ({ stdout }) => ({ code: 0, out: stdout }),
      ({ code, stdout, stderr }) => ({ code, out: `${stdout}${stderr}` }),
    )
  try {
    execFileSync('git', ['init', '-q', cwd])
    const sqlite = ownSqlite(join(cwd, 'shop.db'))
    await makeShop(sqlite, 'sqlite')
    await sqlite.close()
    expect((await run('init', 'tested', '--demo')).code).toBe(0)
    expect((await run('init', '--context', 'tested', '--folder', '.', '--database', 'shop=sqlite:shop.db')).code).toBe(
      0,
    )
    expect((await run('sync')).code).toBe(0)
    rmSync(join(cwd, 'tests'), { recursive: true })
    const none = await run('test')
    expect(none.code, none.out).toBe(3)
    const asked = await run('ask', 'How many orders are there?', '--json')
    expect(asked.code, asked.out).toBe(0)
    const recorded = await run('test', 'record', '--file', 'orders')
    expect(recorded.code, recorded.out).toBe(0)
    writeFileSync(
      join(cwd, 'tests', 'record.yaml'),
      `- { name: Broker, proposal: Use RabbitMQ for background jobs, surfaces: [5] }
- { name: Store, budget: 600, facts: [Postgres] }
- { name: Jobs, query: background jobs in a table, wanted: [D5] }
- { name: Euros, conversation: [From now on show amounts in euros.], expected: [{ contains: [euros] }] }
`,
    )
    const tested = await run('test', '--json')
    expect(tested.code, tested.out).toBe(0)
    expect(JSON.parse(tested.out).total).toMatchObject({ cases: 5, passed: 5 })
    expect(readFileSync(join(cwd, 'tests', 'outputs', 'report.html'), 'utf8')).toContain('</html>')
    expect((await run('test', 'runs')).out).toContain('5 of 5 passed')
    expect((await run('test', 'report', '--format', 'junit')).out).toContain('<testsuites')
    expect((await run('brief', '--budget', '600')).out).toContain('Postgres')
    expect((await run('drift', '--format', 'json')).out).toContain('"judged"')
    expect((await run('decisions', '--as-of', '2020-01-01')).code).toBe(0)
  } finally {
    await model.close()
  }
}, 120_000)

test('every lazily loaded package is declared as an optional dependency, in the version that is tested', () => {
  const declared = Object.keys({ ...MANIFEST.optionalDependencies, ...MANIFEST.peerDependencies })
  expect(
    optionalPackages()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(declared.sort())
  const vendors = JSON.parse(readFileSync(join(import.meta.dirname, 'vendors/package.json'), 'utf8')) as typeof MANIFEST
  const tested = { ...MANIFEST.devDependencies, ...vendors.dependencies, ...MANIFEST.optionalDependencies }
  for (const one of optionalPackages())
    expect(`${(tested[one.name] ?? '1.0.0').replace('^', '')}.`.startsWith(`${one.tested}.`), one.name).toBe(true)
  expect(MANIFEST.peerDependenciesMeta).toEqual(
    Object.fromEntries(Object.keys(MANIFEST.peerDependencies).map((name) => [name, { optional: true }])),
  )
})

test('SQL parsers used by the guard are pinned, so a new version is reviewed first', () => {
  const versions = { ...MANIFEST.dependencies, ...MANIFEST.optionalDependencies }
  for (const name of ['libpg-query', 'sqlite3-parser', '@guanmingchiu/sqlparser-ts', '@duckdb/node-api'])
    expect(versions[name]).toMatch(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/)
})

test('kenbase/core reads and writes the format for other tools', () => {
  writeFileSync(
    join(folder, 'try.mjs'),
    `
    import { parseDecision, formatDecision, slugify, decisionNumber, duplicateHash, stem, rankBm25 } from 'kenbase/core'
    const text = '---\\ndate: 2026-04-16\\nconfidence: high\\n---\\n\\n# 001 — A\\n\\n## Decision\\n\\nBecause.\\n'
    const decision = parseDecision(text, '001-a.md')
    console.log(JSON.stringify([decision.title, formatDecision(decision).length, slugify('A b'), decisionNumber('D42'), duplicateHash('a', 'b').length, stem('caching'), rankBm25(['red car', 'blue car'], 'red')[0].index]))
  `,
  )
  expect(
    JSON.parse(execFileSync(process.execPath, [join(folder, 'try.mjs')], { env: env(), encoding: 'utf8' })),
  ).toEqual(['A', 102, 'a-b', 42, 64, 'cach', 0])
}, 60_000)

test('a Node version that is too old gets a one-line instruction', () => {
  const launcher = `
    Object.defineProperty(process.versions, 'node', { value: '20.19.0' });
    process.env.KEN_RELAUNCHED = '1';
    await import(${JSON.stringify(join(folder, 'bin', 'ken.js'))})`
  const ran = (() => {
    try {
      return execFileSync(process.execPath, ['--input-type=module', '-e', launcher], {
        env: env(),
        encoding: 'utf8',
        stdio: 'pipe',
      })
    } catch (error) {
      return (error as { stderr: string }).stderr
    }
  })()
  expect(ran.trim()).toMatch(/^Ken needs Node 22\.18 or newer; .*Install Node 24.*$/)
}, 60_000)

test('no runtime dependency needs an install script, because npm blocks them by default', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { hasInstallScript?: boolean; dev?: boolean }>
  }
  const scripted = Object.entries(packages).filter(
    ([path, entry]) => path !== '' && entry.hasInstallScript === true && entry.dev !== true,
  )
  expect(scripted.map(([path]) => path)).toEqual([])
})
