import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Origin } from '../../kernel/domain/origin.ts'
import { systemClock } from '../../kernel/system/clock.ts'
import { installedVersion, loadOptional } from '../../kernel/system/optional-package.ts'
import { withLease } from '../../memory/lease.ts'
import { openSessionIntake } from '../../memory/session-intake.ts'
import { storageLimits } from '../../memory/storage-limits.ts'
import { call } from '../../operations/call.ts'
import type { Context } from '../../operations/context.ts'
import { REGISTRY } from '../../operations/registry.ts'
import { seedDemo } from '../../record/demo-record.ts'
import { openKen } from '../open.ts'
import type { Environment } from '../settings.ts'
import { demoAnalyst } from './demo-analyst.ts'
import { CATEGORIES, ORDERS, REVENUE } from './demo-chats.ts'
import { demoClock, type DemoClock } from './demo-clock.ts'
import { DEMO_STEPS, type DemoStep } from './demo-decisions.ts'
import { DEMO_FILES, DEMO_MEMORIES, DEMO_NOTES } from './demo-files.ts'
import { demoSessions } from './demo-sessions.ts'
import { SHOP_COMMENTS, shopTables, type ShopTable } from './demo-shop.ts'

const PERSON: Origin = { surface: 'cli' }

type Run = (origin: Origin, name: string, input: object) => Promise<unknown>

interface Making {
  /** Called when the record can be read; the warehouse, chats and tests are created after it. */
  readonly onRecord?: () => void
  /** Once aborted, no further step is started. */
  readonly signal?: AbortSignal
}

/**
 * Creates the example in an empty folder: a record with a past, a compiled warehouse, sessions of several agents,
 * chats, a story and tests. Uses the public operations; needs no network and no model.
 */
export async function makeDemo(
  folder: string,
  environment: Environment,
  { onRecord, signal }: Making = {},
): Promise<void> {
  const clock = demoClock(systemClock.now())
  writeFiles(folder, DEMO_FILES)
  const ken = openKen(environment, () => {}, clock)
  const context = (origin: Origin): Context => {
    const ctx = ken.context({ origin, cwd: folder })
    // Only while the example is created; afterwards the configured models are used.
    const models = { ...ctx.models, language: async () => undefined, answerer: async () => ANALYST }
    return { ...ctx, models, hear: saysYes(ctx) }
  }
  const run: Run = async (origin, name, input) => {
    signal?.throwIfAborted()
    const operation = await REGISTRY.find((one) => one.name === name)!.load()
    return (await call(context(origin), operation, input)).output
  }
  try {
    await run(PERSON, 'init', { name: 'Orchard (demo)' })
    await seedPast(context(PERSON), clock)
    for (const step of DEMO_STEPS) await take(run, step, clock)
    onRecord?.()
    await takeSessions(context(PERSON), folder, clock)
    await writeNotes(run, clock)
    const database = await writeShop(folder, systemClock.now())
    await run(PERSON, 'init', {
      name: 'orchard',
      context: true,
      folder,
      database: [database],
      docs: ['handbook=handbook'],
    })
    await useAll(run, clock)
  } finally {
    await ken.close()
  }
}

/** Approves the analyst's story on behalf of the example's person. */
function saysYes({ turns }: Context): NonNullable<Context['hear']> {
  let chat = ''
  return (event) => {
    if (event.type === 'message') chat = event.message.chat
    if (event.type !== 'part' || event.part.kind !== 'approval') return undefined
    return turns.settle(chat, event.part.call, 'once')
  }
}

const ANALYST = { kind: 'model', model: demoAnalyst([REVENUE, CATEGORIES, ORDERS]) } as const

/** Records the nine decisions of `ken demo`, one every few days. */
async function seedPast(ctx: Context, clock: DemoClock): Promise<void> {
  await seedDemo(ctx, await ctx.record(), (index) => clock.setTo(116 - index * 4))
}

async function take(run: Run, step: DemoStep, clock: DemoClock): Promise<void> {
  clock.setTo(step.daysAgo)
  if ('decision' in step) await run(step.by, 'propose_decision', step.decision)
  else if ('question' in step) await run(step.by, 'flag_question', { question: step.question, context: step.context })
  else if ('accept' in step) await run(step.by, 'accept', { decisions: step.accept })
  else await run(step.by, 'update_state', { delta: step.state })
}

async function takeSessions(ctx: Context, folder: string, clock: DemoClock): Promise<void> {
  const parts = await ctx.upkeep()
  const limits = storageLimits(ctx.settings)
  await withLease(parts.lease, 1_000, async () => {
    const intake = await openSessionIntake(parts, {
      limits,
      now: ctx.clock.now(),
      dryRun: false,
      folders: [folder],
      hasMoreRoom: true,
    })
    for (const session of demoSessions(folder, clock)) await intake.take(session)
  })
}

async function writeNotes(run: Run, clock: DemoClock): Promise<void> {
  for (const { daysAgo, ...note } of DEMO_NOTES) {
    clock.setTo(daysAgo)
    await run(PERSON, 'memory_write', note)
  }
  clock.setTo(9)
  for (const content of DEMO_MEMORIES) await run(PERSON, 'memories_add', { content })
}

/** Simulates a person's last days with the example: compiles it, asks, tests, and downvotes one answer. */
async function useAll(run: Run, clock: DemoClock): Promise<void> {
  clock.setTo(2, 6)
  await run(PERSON, 'sync_sources', {})
  await run(PERSON, 'memory_update', {})
  clock.setTo(2)
  await run(PERSON, 'ask', { question: CATEGORIES.question })
  clock.setTo(1)
  await run(PERSON, 'ask', { question: REVENUE.question })
  await run(PERSON, 'test_run', {})
  clock.setTo(0, 7)
  await run(PERSON, 'ask', { question: ORDERS.question })
  await run(PERSON, 'feedback', { vote: 'down', reason: 'Orders that were cancelled do not count.' })
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

const AT_ONCE = 500

/** Writes the example's warehouse, and returns its address for `ken init --context`. */
async function writeShop(folder: string, today: Date): Promise<string> {
  const tables = shopTables(today)
  if (installedVersion('@duckdb/node-api') === undefined) {
    writeSqlite(join(folder, 'shop.db'), tables)
    return 'shop=sqlite:shop.db'
  }
  await writeDuckdb(join(folder, 'shop.duckdb'), tables)
  return 'shop=duckdb:shop.duckdb'
}

async function writeDuckdb(path: string, tables: readonly ShopTable[]): Promise<void> {
  const { DuckDBInstance } = await loadOptional<typeof import('@duckdb/node-api')>('@duckdb/node-api')
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  try {
    for (const sql of [...tables.flatMap(statements), ...SHOP_COMMENTS]) await connection.run(sql)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

function writeSqlite(path: string, tables: readonly ShopTable[]): void {
  const database = new DatabaseSync(path)
  for (const sql of ['BEGIN', ...tables.flatMap(statements), 'COMMIT']) database.exec(sql)
  database.close()
}

const statements = ({ name, create, rows }: ShopTable): readonly string[] => [
  create,
  ...Array.from(
    { length: Math.ceil(rows.length / AT_ONCE) },
    (_, at) =>
      `INSERT INTO ${name} VALUES ${rows
        .slice(at * AT_ONCE, (at + 1) * AT_ONCE)
        .map(tuple)
        .join(', ')}`,
  ),
]

const tuple = (row: ShopTable['rows'][number]): string => `(${row.map(literal).join(', ')})`

const literal = (value: ShopTable['rows'][number][number]): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
