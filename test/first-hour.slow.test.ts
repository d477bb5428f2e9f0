import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, expect, test } from 'vitest'
import { KEN } from './ken-program.ts'

const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-hour-')))
const [home, repository] = [join(place, 'home'), join(place, 'shop')]
afterEach(() => {
  for (const name of readdirSync(place)) rmSync(join(place, name), { recursive: true, force: true })
})
afterAll(() => rmSync(place, { recursive: true, force: true }))

const env = { PATH: process.env['PATH']!, HOME: home, KEN_TELEMETRY: '0' }
const git = (...words: string[]): string =>
  execFileSync('git', ['-C', repository, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...words], {
    encoding: 'utf8',
  })

function ken(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [KEN, ...words], {
    cwd: repository,
    env,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

const tree = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .map((entry) => [entry.isFile(), join(entry.parentPath, entry.name)] as const)
      .map(([isFile, path]) => [path, isFile ? readFileSync(path, 'utf8') : '']),
  )

const ADR = (title: string, chosen: string, rejected: string): string =>
  `# ${title}\n\n## Status\n\nAccepted\n\n## Context\n\nJobs must survive a restart.\n\n## Considered Options\n\n* ${chosen}\n* ${rejected}\n\n## Decision Outcome\n\nChosen option: "${chosen}", because it is in our database already.\n\n### ${rejected}\n\n* Bad, because it is one more service to run.\n`

test('sets up a repository with ADRs and data, catches a rejected idea, and uninstalls without a trace', () => {
  write(join(home, '.claude.json'), '{"theme":"dark"}')
  write(join(home, '.codex/config.toml'), 'model = "x"\n')
  write(join(repository, 'docs/adr/0001-use-postgres.md'), ADR('Queue jobs in PostgreSQL', 'PostgreSQL', 'RabbitMQ'))
  write(join(repository, 'docs/adr/0002-use-vitest.md'), ADR('Test with Vitest', 'Vitest', 'Jest'))
  write(join(repository, 'data/orders.csv'), 'id,total\n1,9.5\n2,3\n')
  mkdirSync(join(repository, '.claude'))
  execFileSync('git', ['init', '-q', '-b', 'main', repository])
  git('add', '.')
  git('commit', '-qm', 'start')
  const before = tree(place)

  const planned = ken('start')
  expect(planned).toMatchObject({ status: 130, stdout: '' })
  expect(planned.stderr).toContain('Import docs/adr: 2 decision records')
  expect(planned.stderr).toContain('writes .ken/config.json')
  expect(planned.stderr).toMatch(/^ {2}Connect Claude Code: [^]*^ {2}Connect Codex: /m)
  expect(planned.stderr).toContain('writes ~/.codex/config.toml')

  const done = ken('start', '--yes')
  expect(done).toMatchObject({ status: 0 })
  expect(done.stdout).toContain('Next:\n  Start `claude` here and approve the server `ken` when it asks.\n')
  expect(done.stdout).toMatch(/\$ ken check "Use (?:RabbitMQ|Jest)"[^]*reintroduces/)
  expect(ken('source', 'add', 'data')).toMatchObject({ status: 0 })
  expect(ken('sync')).toMatchObject({ status: 0 })
  expect(ken('sql', 'SELECT sum(total) AS total FROM orders').stdout).toContain('12.5')
  // Only files that agents read are beside .ken.
  const added = git('status', '--porcelain', '--untracked-files=all').trim().split('\n')
  expect(
    added
      .map((line) => line.slice(3))
      .filter((path) => !path.startsWith('.ken/'))
      .sort(),
  ).toEqual(['.claude/CLAUDE.md', '.claude/settings.local.json', '.mcp.json', 'AGENTS.md'])

  expect(ken('uninstall', '--yes', '--data')).toMatchObject({ status: 0, stderr: '' })
  expect(git('status', '--porcelain')).toBe('')
  expect(tree(place)).toEqual(before)
}, 300_000)

test('reports which agents it cannot connect, and which files it leaves unchanged', () => {
  write(join(home, '.claude.json'), '{}')
  write(join(place, 'elsewhere/mcp.json'), '{}\n')
  write(join(repository, 'AGENTS.md'), '# Ours\n')
  mkdirSync(join(repository, '.claude'))
  symlinkSync(join(place, 'elsewhere/mcp.json'), join(repository, '.mcp.json'))
  execFileSync('git', ['init', '-q', '-b', 'main', repository])
  git('add', 'AGENTS.md')
  git('commit', '-qm', 'start')

  const { stderr } = ken('start')
  expect(stderr).toMatch(/Not possible: Connect Claude Code\n.*\.mcp\.json.*link/)
  expect(stderr).toMatch(/Keep AGENTS\.md as it is: .*git tracks it/)
  expect(stderr).not.toMatch(/^ {2}Connect /m)
  const { status, stdout } = ken('start', '--yes')
  expect(status).toBe(1)
  expect(stdout).toMatch(/Started the record: "shop"\n[^]*Failed: Connect Claude Code\n.*\.mcp\.json/)
  expect(stdout).toMatch(/Keep AGENTS\.md as it is/)
}, 300_000)

test('does only the named steps, undoes them without a trace, and refuses other names and the home folder', () => {
  write(join(home, '.codex/config.toml'), 'model = "x"\n')
  write(join(repository, 'docs/adr/0001-use-postgres.md'), ADR('Queue jobs in PostgreSQL', 'PostgreSQL', 'RabbitMQ'))
  write(join(repository, 'docs/adr/0002-use-vitest.md'), ADR('Test with Vitest', 'Vitest', 'Jest'))
  const before = { ...tree(repository), ...tree(join(home, '.codex')) }

  const refused = ken('start', '--only', 'adr:elsewhere')
  expect(refused.status).not.toBe(0)
  expect(refused.stderr).toMatch(/No step "adr:elsewhere" .*Its steps: adr:docs\/adr, agent:codex, instructions\./s)
  const { status, stdout } = ken('start', '--yes', '--only', 'adr:docs/adr')
  expect(status).toBe(0)
  expect(stdout).toMatch(/Imported docs\/adr: 2 decisions\n[^]*\$ ken check "Use (?:RabbitMQ|Jest)"[^]*reintroduces/)
  expect(readdirSync(repository).sort()).toEqual(['.ken', 'docs'])
  expect(ken('start', '--undo').stderr).toContain('restores .ken/config.json')
  expect(ken('start', '--undo', '--yes')).toMatchObject({ status: 0 })
  expect({ ...tree(repository), ...tree(join(home, '.codex')) }).toEqual(before)
  expect(JSON.parse(ken('projects', '--json').stdout).projects).toEqual([])
  expect(ken('start', '--undo', '--yes').stderr).toContain('No set-up to undo')

  const atHome = spawnSync(process.execPath, [KEN, 'start', '--dry-run'], { cwd: home, env, encoding: 'utf8' })
  expect(atHome.stderr).toContain('contains your home folder')
}, 300_000)

test('undoes a set-up with data, but keeps what people made or changed since', () => {
  mkdirSync(repository, { recursive: true })
  const database = new DatabaseSync(join(repository, 'shop.sqlite'))
  database.exec('CREATE TABLE orders (id INTEGER, total REAL); INSERT INTO orders VALUES (1, 9.5)')
  database.close()
  expect(ken('start', '--yes', '--only', 'source:shop.sqlite')).toMatchObject({ status: 0 })
  const context = join(repository, '.ken/context')
  const location = join(home, '.ken/projects', readdirSync(join(home, '.ken/projects'))[0]!)
  const before = { ...tree(repository), ...tree(location) }
  const compiled = Object.keys(tree(join(context, 'databases'))).find((file) => /orders.*\.md$/.test(file))!
  const changed = [
    'agent/mcps/mcp.json',
    'agent/skills/weekly.md',
    'docs/glossary.md',
    'ken.yaml',
    'queries/orders.sql',
    'semantics/orders.yml',
    'tests/orders.yml',
  ].map((path) => join(context, path))
  for (const file of [...changed, compiled, join(location, 'project.md')]) write(file, `${before[file] ?? ''}# Mine\n`)
  const mine = tree(context)
  const { stderr } = ken('start', '--undo')
  for (const file of [...changed, compiled]) expect(stderr).toContain(file.slice(context.length + 1))
  expect(stderr).toContain('changed by hand: project.md')
  expect(ken('start', '--undo', '--yes')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('Keep The record'),
  })
  expect(tree(context)).toEqual(mine)
  expect(readFileSync(join(location, 'project.md'), 'utf8')).toContain('# Mine')
}, 300_000)

test('undoes a set-up in a context project that was there before: only the source it added leaves', () => {
  mkdirSync(repository, { recursive: true })
  const database = new DatabaseSync(join(repository, 'shop.sqlite'))
  database.exec('CREATE TABLE orders (id INTEGER, total REAL)')
  database.close()
  write(join(repository, 'ken.yaml'), '# Ours\nname: shop\ndocs: []\n')
  expect(ken('start', '--yes', '--only', 'source:shop.sqlite')).toMatchObject({ status: 0 })
  const yaml = () => readFileSync(join(repository, 'ken.yaml'), 'utf8')
  expect(yaml()).toContain('shop.sqlite')
  const added = yaml()
  expect(ken('start', '--undo').stderr).toContain('Remove database/shop from the context project')
  write(join(repository, 'ken.yaml'), `${added}# Mine\n`)
  expect(ken('start', '--undo').stderr).toContain('ken.yaml was changed since. `ken source remove database/shop`')
  write(join(repository, 'ken.yaml'), added)
  expect(ken('start', '--undo', '--yes')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/compiled files?: the next `ken sync` deletes/),
  })
  expect(yaml()).toContain('# Ours')
  expect(yaml()).not.toContain('shop.sqlite')
  expect(ken('sync')).toMatchObject({ status: 0 })
  expect(existsSync(join(repository, 'databases'))).toBe(false)
}, 300_000)

test('undoes a set-up with data without a trace, and keeps a record that another folder uses', () => {
  mkdirSync(join(place, 'other'))
  mkdirSync(repository, { recursive: true })
  const database = new DatabaseSync(join(repository, 'shop.sqlite'))
  database.exec('CREATE TABLE orders (id INTEGER, total REAL)')
  database.close()
  expect(ken('start', '--yes', '--only', 'source:shop.sqlite')).toMatchObject({ status: 0 })
  const [project] = readdirSync(join(home, '.ken/projects'))
  spawnSync(process.execPath, [KEN, 'attach', project!, '--yes'], { cwd: join(place, 'other'), env })
  const { stdout } = ken('start', '--undo', '--yes')
  expect(stdout).toContain('1 other folder uses it')
  expect(readdirSync(repository)).toEqual(['shop.sqlite'])
  expect(readdirSync(join(home, '.ken/projects'))).toEqual([project])
}, 300_000)
