import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { projectKey } from '../src/analyst/operations/project-key.ts'
import { openKen, type Ken } from '../src/app/open.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'
import type { Context } from '../src/operations/context.ts'
import { takeImage } from './folder-image.ts'
import { shopAttempts, shopRun } from './sample-runs.ts'
import { makeShop, ownSqlite } from './shop-database.ts'
import { daysAgo, speak } from './upkeep/desk.ts'

type Origin = Context['origin']

/** A user's machine with data for every example of every operation. */
export interface ParityPlace {
  /** The repository that `ken` is called in. */
  readonly repository: string
  /** Outside the machine's folder, so that it survives `putBack`. */
  readonly tokenPath: string
  /** Folders are relative to the machine's root; default: the repository. */
  context(origin: Origin, folder?: string): Context
  /** Restores the initial state of the machine; nothing opened before may be used again. */
  putBack(): Promise<void>
  close(): Promise<void>
}

export async function openParityPlace(): Promise<ParityPlace> {
  const outside = realpathSync(mkdtempSync(join(tmpdir(), 'ken-parity-')))
  const machine = join(outside, 'machine')
  const home = join(machine, 'home')
  const repository = join(machine, 'shop')
  const environment = {
    ...process.env,
    HOME: home,
    KEN_HOME: join(home, '.ken'),
    KEN_TELEMETRY: '0',
    // Nothing listens there, so an example that downloads a model from the registry fails at once.
    npm_config_registry: 'http://127.0.0.1:9',
  }
  const open = (): Ken => openKen(environment, () => {})

  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(machine, path)), { recursive: true })
    writeFileSync(join(machine, path), text)
  }
  speak(home, SESSIONS[0])
  const database = ownSqlite(join(repository, 'shop.db'))
  await makeShop(database, 'sqlite')
  await database.close()
  commit(repository)

  let ken = open()
  const context: ParityPlace['context'] = (origin, folder = 'shop') =>
    ken.context({ origin, cwd: join(machine, folder) })
  await seed((origin, name, input, folder) =>
    call(
      context(origin, folder),
      OPERATIONS.find((op) => op.name === name)!,
      input,
    ),
  )
  await seedRuns(context({ surface: 'cli' }))
  await seedResult(context({ surface: 'cli' }))
  await seedComment(context({ surface: 'cli' }))
  // Data for the examples: a session that is not harvested yet, and a change that reintroduces a rejected option.
  speak(home, SESSIONS[1])
  appendFileSync(join(repository, 'src/session.ts'), "export const shared = 'sessions in Redis'\n")
  await ken.close()
  const restore = takeImage(machine)
  ken = open()

  return {
    repository,
    tokenPath: join(outside, 'token'),
    context,
    async putBack() {
      await ken.close()
      restore()
      ken = open()
    },
    async close() {
      await ken.close()
      rmSync(outside, { recursive: true, force: true })
    },
  }
}

/** Adds two test runs for the operations that read past runs. */
async function seedRuns(ctx: Context): Promise<void> {
  const { runs } = await ctx.analystState()
  const project = await projectKey(ctx)
  for (const [id, day] of [
    ['01K0TESTRNN000000000000001', 1],
    ['01K0TESTRNN000000000000002', 2],
  ] as const) {
    const run = shopRun(id, day, { user: ctx.user, project })
    await runs.start(run)
    for (const attempt of shopAttempts(run)) await runs.add(attempt)
  }
}

/** Adds a query result to the last chat, without a model. */
async function seedResult(ctx: Context): Promise<void> {
  const { chats, log, queries } = await ctx.analystState()
  const [last] = await chats.list({ user: ctx.user, project: await projectKey(ctx), limit: 1 })
  await queries.keep({
    chat: last!.id,
    id: 'q_a03035599fd4',
    message: (await log.messages(last!.id)).at(-1)!.id,
    database: 'shop',
    sql: 'SELECT id, amount FROM orders ORDER BY id',
    columns: [
      { name: 'id', type: 'INTEGER' },
      { name: 'amount', type: 'REAL' },
    ],
    rows: [[1, 12.5]],
    rowCount: 1,
    cut: false,
    at: '2026-05-04T09:30:00.000Z',
  })
}

/** Adds a comment under the id that examples name. */
async function seedComment(ctx: Context): Promise<void> {
  const { stories, comments } = await ctx.analystState()
  const story = await stories.find({ slug: 'sales', project: await projectKey(ctx) })
  const [id, at] = ['01K0C0MMENT000000000000000', '2026-05-04T09:30:00.000Z']
  const entry = { id, thread: id, at, begunAt: at, kind: 'written', byAgent: false, text: 'Net?' } as const
  await comments.add({ ...entry, story: story!.id, user: ctx.user })
}

type Run = (origin: Origin, name: string, input: Record<string, unknown>, folder?: string) => Promise<unknown>

/** Creates the data that the examples assume: a record, a synced database, notes, a collection. */
async function seed(run: Run): Promise<void> {
  const person: Origin = { surface: 'cli' }
  await run(person, 'init', { name: 'shop', demo: true })
  await run(person, 'init', { name: 'shop', context: true, database: ['shop=sqlite:shop.db'] })
  await run(person, 'init', { name: 'old-shop' }, 'old-shop')
  await run({ surface: 'mcp-http', client: 'parity' }, 'propose_decision', {
    title: 'Ship invoices as PDF/A',
    rationale: 'The tax office wants files that still open in ten years.',
  })
  await run(person, 'memory_write', { content: 'A note on project zebra, which nobody should read.' })
  await run(person, 'memory_write', {
    content: 'We moved off the old queue because messages outlived orders.',
    target: 'memory',
  })
  await run(person, 'flag_question', { question: 'Do we ship abroad?' })
  await run(person, 'update_state', { delta: 'Invoices go out every night.' })
  await run(person, 'update_state', { delta: 'Invoices go out at noon.' })
  await run(person, 'undo', { yes: true })
  await run(person, 'config_set', { name: 'storage.retention', value: '1y' })
  await run(person, 'harvest', {})
  await run(person, 'collection_add', { name: 'guides', path: 'docs/guides' })
  await run(person, 'memory_index_codebase', {})
  await run(person, 'sync_sources', {})
  await run(person, 'memories_add', { content: 'Never use pie charts.' })
  await run(person, 'ask', { question: 'Which chat is deleted?' })
  await run(person, 'chat_delete', { chat: 'last' })
  await run(person, 'ask', { question: 'How many orders are there?' })
  await run(person, 'story', { action: 'create', slug: 'sales', title: 'Sales', text: '# Sales\n\nSales by kind.\n' })
  await run(person, 'story_edit', { slug: 'sales', text: '# Sales\n\nSales of the shop, by kind.\n' })
  await run(person, 'story', {
    action: 'create',
    slug: 'monthly',
    text: '# Monthly\n\n<param name="period" kind="period" default="last month"/>\n\n```sql q_month\nSELECT count(*) AS n, :period_start AS since FROM orders\n```\n',
  })
  await run(person, 'story', { action: 'create', slug: 'last-year', title: 'Last year', text: 'What it was like.' })
  await run(person, 'story_archive', { slug: 'last-year' })
  // `read_result` pages through the result kept here.
  await run(person, 'execute_sql', { sql: 'SELECT id, amount FROM orders ORDER BY id', limit: 5 })
  await run(person, 'ask', { question: 'How many orders are there?' })
  await run(person, 'feedback', { vote: 'down', reason: 'Only paid orders count.' })
  await run(person, 'inbox_dismiss', { draft: 'last' })
}

function commit(repository: string): void {
  const git = (...words: string[]) => execFileSync('git', ['-C', repository, ...words])
  git('init', '-q', '-b', 'main', '--template=')
  git('add', 'src', 'docs')
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-q', '-m', 'A shop')
}

const SESSIONS = [
  {
    id: '5e551011-0000-4000-8000-000000000001',
    at: daysAgo(2),
    said: [['Why is the checkout test flaky?', 'The flaky test waits for a clock; I gave it one.']],
  },
  { id: '5e551011-0000-4000-8000-000000000002', at: daysAgo(1), said: [['Add a font', 'Added.']] },
] as const

const LEDGER = '01K0NA7R0ST0RE0F0THE0F1E1D'

const FILES: Readonly<Record<string, string>> = {
  'shop/src/store.ts': `export function openStore(path: string): Map<string, string> {\n  return new Map([['path', path]])\n}\n`,
  'shop/src/session.ts': `import { openStore } from './store.ts'\n\nexport const retry_backoff = 200\nexport const sessions = () => openStore('sessions')\n`,
  'shop/docs/guides/passwords.md': '# Passwords\n\nWe keep passwords safe with argon2id, one salt each.\n',
  'shop/docs/adr/0001-use-caddy.md':
    '# 1. Use Caddy\n\nDate: 2026-02-03\n\n## Status\n\nAccepted\n\n## Context\n\nCertificates ran out twice.\n\n## Decision\n\nCaddy renews them by itself.\n',
  'shop/memory-bank/projectBrief.md': '# Project brief\n\nA web shop for small farms.\n',
  'shop/memory-bank/decisionLog.md':
    '# Decision log\n\n## 2026-03-04: Ship on Tuesdays\n\nNobody wants to mend a release on a Friday.\n',
  'old-laptop/.nauro/registry.json': `{"schema_version":2,"projects":{"${LEDGER}":{"name":"ledger","repo_paths":[]}}}`,
  [`old-laptop/.nauro/projects/${LEDGER}/project.md`]: '# Ledger\n\nThe books of the farm.\n',
  [`old-laptop/.nauro/projects/${LEDGER}/decisions/001-count-in-cents.md`]:
    '---\ndate: 2026-01-02\nstatus: active\nconfidence: high\n---\n\n# 001 — Count in cents\n\n## Decision\n\nSums must balance.\n',
  'home/.ken/models/minilm-l6/model.onnx': 'not the model',
  'clone/.gitkeep': '',
  'fresh/shop.duckdb': '',
  'old-shop/.gitkeep': '',
}
