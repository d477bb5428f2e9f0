/**
 * Measures the cost of a team server as its data grows: `npm run bench:team [-- --projects 1000 --decisions 100000
 * --chunks 1000000 --steps 3 --explain plans.md --write page.md --database postgres://…]`. Fills the record and the
 * index of one project among many on a real PostgreSQL in steps of ten times, runs the same queries on SQLite and files
 * in the same run, and prints both with their ratio; --write puts the tables into a page between their marks. Pages are
 * cut and embedded once for both indexes, and repeat under other names and with slightly shifted vectors after
 * --distinct chunks. `--decisions 0` or `--chunks 0` skips that half. Without --database it starts its own server,
 * which has no pgvector.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openBundledEmbedder } from '../src/app/bundled-model.ts'
import { openPostgresDatabase } from '../src/database/postgres/index.ts'
import { migrate } from '../src/database/schema/migrate.ts'
import type { SqlDatabase } from '../src/kernel/ports/sql-database.ts'
import { systemClock } from '../src/kernel/system/clock.ts'
import { indexBatch } from '../src/memory/index-batch.ts'
import { openGroundShelf } from '../src/memory/index/postgres/ground-shelf.ts'
import { openPostgresIndex } from '../src/memory/index/postgres/index.ts'
import { openVectorCache } from '../src/memory/index/postgres/vector-cache.ts'
import { openSqliteIndex } from '../src/memory/index/sqlite/index.ts'
import type { IndexBatch, IndexQuestion, SearchIndex } from '../src/memory/ports/search-index.ts'
import { check } from '../src/record/check.ts'
import type { Store } from '../src/record/ports/store.ts'
import { openFileStore } from '../src/record/store/files/index.ts'
import { openPostgresStores } from '../src/record/store/postgres/index.ts'
import { readQuestion } from '../src/retrieval/domain/ranking/read-question.ts'
import { quantize, type QuantizedVector } from '../src/retrieval/domain/ranking/vector.ts'
import type { Embedder } from '../src/retrieval/ports/embedder.ts'
import { openVectorScan } from '../src/retrieval/vectors/index.ts'
import { openPeople } from '../src/team/people/people.ts'
import { openTeamProjects } from '../src/team/people/team-projects.ts'
import { startPostgres } from '../test/postgres/server.ts'
import { openChance } from './chance.ts'
import { openCorpus } from './decision-corpus.ts'
import { makeQueries, openPages } from './index/corpus.ts'
import { latencyOf, type Latency } from './index/look-up.ts'
import { putTables } from './team/put-tables.ts'
import { explain, watchDatabase, type Statement } from './team/watched-database.ts'

const { values } = parseArgs({
  options: {
    projects: { type: 'string', default: '1000' },
    decisions: { type: 'string', default: '100000' },
    chunks: { type: 'string', default: '1000000' },
    steps: { type: 'string', default: '3' },
    queries: { type: 'string', default: '60' },
    database: { type: 'string' },
    explain: { type: 'string' },
    write: { type: 'string' },
    distinct: { type: 'string', default: '30000' },
    seconds: { type: 'string', default: '60' },
  },
})
const [projects, decisions, chunks, steps, queries, distinct, seconds] = [
  values.projects,
  values.decisions,
  values.chunks,
  values.steps,
  values.queries,
  values.distinct,
  values.seconds,
].map(Number) as [number, number, number, number, number, number, number]
const tables: string[] = []
const [WARM_UP, PAGES_AT_ONCE, DECISIONS_AT_ONCE] = [15, 200, 1_000]
const ORIGIN = { surface: 'cli' as const }
const chance = openChance(7)

const place = mkdtempSync(join(tmpdir(), 'ken-team-scale-'))
const own =
  values.database === undefined ? await startPostgres({ shared_buffers: '1GB', max_wal_size: '4GB' }) : undefined
const url = values.database ?? own!.url
const seen: Statement[] = []
let watches = false
const database = watchDatabase(await openPostgresDatabase({ url, patience: 600_000 }), (statement) => {
  if (watches) seen.push(statement)
})
try {
  await migrate(database, { clock: systemClock })
  const embedder = (await openBundledEmbedder())!
  const project = await makeProjects(database, projects)
  say(
    `${projects} projects; ${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}; vectors ${database.hasVectors ? 'by pgvector' : 'compared one by one'}`,
  )
  if (decisions > 0) await measureChecks(project, embedder)
  if (chunks > 0) await measureIndex(project, embedder)
  if (values.explain !== undefined) await writePlans(values.explain)
  if (values.write !== undefined) putTables(values.write, tables)
} finally {
  await database.close()
  await own?.stop()
  rmSync(place, { recursive: true, force: true })
}

/** Creates all projects in one organisation and returns the last one, the only one that grows. */
async function makeProjects(to: SqlDatabase, count: number): Promise<string> {
  const [people, teamProjects] = [openPeople(to), openTeamProjects(to)]
  const at = systemClock.now().toISOString()
  const [organisation, admin] = [systemClock.ulid(), systemClock.ulid()]
  const email = `${admin.toLowerCase()}@example.com`
  await people.found(
    { id: organisation, name: 'Bench', createdAt: at },
    { id: admin, organisation, email, name: 'Bench', role: 'admin', createdAt: at, leftAt: undefined },
    { first: false },
  )
  let id = ''
  for (let i = 0; i < count; i++) {
    id = systemClock.ulid()
    await teamProjects.create({ id, organisation, name: `project ${i}`, access: 'organisation', createdAt: at }, admin)
  }
  return id
}

async function measureChecks(id: string, embedder: Embedder): Promise<void> {
  const stores = await openPostgresStores({
    database,
    clock: systemClock,
    embedder: async () => embedder,
    scan: openVectorScan,
  })
  const record = join(place, 'record')
  mkdirSync(join(record, 'decisions'), { recursive: true })
  const ref = { id, name: 'bench', mode: 'cloud' as const, location: 'bench' }
  const files = await openFileStore({
    embedder: async () => embedder,
    scan: openVectorScan,
    root: record,
    cacheDir: join(place, 'cache'),
    stateDir: join(place, 'state'),
    clock: systemClock,
    project: { ...ref, mode: 'local', location: record },
  })
  const shared = stores.open(ref)
  const corpus = openCorpus(1)
  print('decisions', [
    'written/s',
    'files/s',
    'first check s',
    'files',
    'check p50 / p95 ms',
    'files',
    'ratio p50',
    'MB',
    'files',
  ])
  let written = 0
  for (const size of sizesOf(decisions)) {
    const made: { name: string; text: string }[] = []
    for (let num = written + 1; num <= size; num++) made.push(corpus.decision(num))
    const seconds = { shared: await timed(() => write(shared, made)), files: await timed(() => write(files, made)) }
    const fresh = made.length / 1_000
    written = size
    const first = { shared: await timed(() => ask(shared, 1)), files: await timed(() => ask(files, 1)) }
    const own = { shared: await latency(shared), files: await latency(files) }
    print(String(size), [
      ((fresh / seconds.shared) * 1e6).toFixed(0),
      ((fresh / seconds.files) * 1e6).toFixed(0),
      (first.shared / 1_000).toFixed(2),
      (first.files / 1_000).toFixed(2),
      shown(own.shared),
      shown(own.files),
      (own.shared.p50 / own.files.p50).toFixed(2),
      megabytes(await tablesSize('record')),
      megabytes(made.reduce((sum, { text }) => sum + text.length, 0) * (size / Math.max(1, made.length))),
    ])
  }
  watches = values.explain !== undefined
  await ask(shared, 2)
  watches = false
  await stores.close()
  await files.close()
}

async function write(store: Store, made: readonly { readonly name: string; readonly text: string }[]): Promise<void> {
  for (let from = 0; from < made.length; from += DECISIONS_AT_ONCE)
    await store.commit(ORIGIN, async (draft) => {
      for (const { name, text } of made.slice(from, from + DECISIONS_AT_ONCE)) draft.write(`decisions/${name}`, text)
    })
}

function ask(store: Store, seed: number) {
  return check(store, { proposed_approach: openCorpus(seed).query() })
}

async function latency(store: Store): Promise<Latency> {
  const { query } = openCorpus(4711)
  const times: number[] = []
  for (let i = 0; i < WARM_UP + queries; i++) {
    const proposed_approach = query()
    times.push(await timed(() => check(store, { proposed_approach })))
  }
  return latencyOf(times.slice(WARM_UP))
}

async function measureIndex(project: string, embedder: Embedder): Promise<void> {
  const path = join(place, 'index.db')
  const [shelf, ground] = [openVectorCache(), openGroundShelf()]
  const shared = openPostgresIndex({ database, project, shelf, ground })
  const single = openSqliteIndex({ path, openScan: openVectorScan })
  print('chunks', [
    'chunks/s',
    'SQLite',
    'words p50 / p95 ms',
    'SQLite',
    'words and meaning',
    'SQLite',
    'ratio p50',
    'MB',
    'SQLite',
  ])
  const nextBatch = openBatches(embedder)
  let held = 0
  for (const size of sizesOf(chunks)) {
    const from = held
    const spent = { shared: 0, single: 0 }
    while (held < size) {
      const { batch, made } = await nextBatch()
      spent.shared += made + (await timed(() => shared.write(batch)))
      spent.single += made + (await timed(() => single.write(batch)))
      held += batch.vectors!.all.length
    }
    await database.transaction('server', (sql) => sql.query('ANALYZE'))
    const words = { shared: await search(shared, undefined), single: await search(single, undefined) }
    const both = { shared: await search(shared, embedder), single: await search(single, embedder) }
    print(String(held), [
      ((held - from) / (spent.shared / 1_000)).toFixed(0),
      ((held - from) / (spent.single / 1_000)).toFixed(0),
      shown(words.shared),
      shown(words.single),
      shown(both.shared),
      shown(both.single),
      `${(words.shared.p50 / words.single.p50).toFixed(1)}, ${(both.shared.p50 / both.single.p50).toFixed(1)}`,
      megabytes(await tablesSize('index')),
      megabytes((await single.status()).bytes),
    ])
  }
  await printTables()
  watches = values.explain !== undefined
  await shared.search(await questionOf(makeQueries(3, 99)[1]!, embedder))
  watches = false
  await shared.close()
  await single.close()
}

interface MadeBatch {
  readonly batch: IndexBatch
  /** Milliseconds spent reading, cutting, analysing and embedding the batch. */
  readonly made: number
}

/**
 * Batches as the product builds them, built once for both indexes; after --distinct chunks they repeat under other
 * names.
 */
function openBatches(embedder: Embedder): () => Promise<MadeBatch> {
  const page = openPages()
  const pool: MadeBatch[] = []
  let [pages, inPool, given] = [0, 0, 0]
  const make = async (): Promise<MadeBatch> => {
    const texts = new Map(
      Array.from({ length: PAGES_AT_ONCE }, (_, i) => [
        `area-${(pages + i) % 97}/page-${pages + i}.md`,
        page(pages + i),
      ]),
    )
    pages += PAGES_AT_ONCE
    const documents = { contents: (name: string) => ({ text: texts.get(name)!, hash: name }) }
    const files = [...texts].map(([name, { length }]) => ({ place: placeOf(name, length), knownHash: undefined }))
    let batch: IndexBatch | undefined
    const index = { write: async (written: IndexBatch) => void (batch = written) }
    const made = await timed(() => indexBatch({ documents, index, quick: embedder }, files))
    inPool += batch!.vectors!.all.length
    pool.push({ batch: batch!, made })
    return pool.at(-1)!
  }
  return async () => {
    const at = given++
    if (inPool < distinct) return make()
    const { batch, made } = pool[at % pool.length]!
    const round = Math.floor(at / pool.length)
    const documents = batch.documents.map((one) => ({
      ...one,
      facts: { ...one.facts, path: `${round}/${one.facts.path}` },
    }))
    const vectors = { ...batch.vectors!, all: batch.vectors!.all.map(nudge) }
    return { batch: { ...batch, documents, vectors }, made }
  }
}

/** Returns a vector near the given one: a vector index stores identical vectors once. */
function nudge({ bytes, scale }: QuantizedVector): QuantizedVector {
  return { bytes: bytes.map((byte) => Math.max(-127, Math.min(127, byte + Math.round(chance() * 6 - 3)))), scale }
}

/** Size of each index table with its indexes, after replaced rows are removed. */
async function printTables(): Promise<void> {
  const rows = await database.transaction('server', (sql) =>
    sql.query<{ name: string; rows: number; own: string; indexes: string }>(
      `SELECT c.relname::text AS name, c.reltuples::bigint AS rows, pg_table_size(c.oid)::text AS own, pg_indexes_size(c.oid)::text AS indexes
       FROM pg_class c WHERE c.relnamespace = 'ken'::regnamespace AND c.relkind = 'r' AND c.relname LIKE 'index\\_%'
       ORDER BY pg_total_relation_size(c.oid) DESC`,
    ),
  )
  print('table', ['rows', 'MB', 'indexes MB'])
  for (const { name, rows: count, own: bytes, indexes } of rows)
    print(name, [String(count), megabytes(Number(bytes)), megabytes(Number(indexes))])
}

function placeOf(path: string, size: number) {
  return {
    collection: 'bench',
    path,
    entry: undefined,
    origin: 'document' as const,
    trust: 'untrusted' as const,
    workspace: 'bench',
    project: undefined,
    size,
    mtime: 1,
  }
}

async function questionOf(text: string, embedder: Embedder | undefined): Promise<IndexQuestion> {
  const common = { ...readQuestion(text), scope: {}, limit: 10 }
  if (embedder === undefined) return { ...common, by: 'words' }
  const [vector] = await embedder.embed([text], 'query')
  return { ...common, by: 'both', meaning: { embedder: embedder.id, vector: quantize(vector!), beta: undefined } }
}

async function search(index: SearchIndex, embedder: Embedder | undefined): Promise<Latency> {
  const times: number[] = []
  const end = performance.now() + seconds * 1_000
  for (const text of makeQueries(WARM_UP + queries)) {
    const question = await questionOf(text, embedder)
    times.push(await timed(() => index.search(question)))
    // Time limit: without pgvector every question scans the whole index.
    if (performance.now() > end) break
  }
  return latencyOf(times.slice(Math.min(WARM_UP, times.length >> 1)))
}

/** Size in bytes, including indexes. */
async function tablesSize(kind: 'record' | 'index'): Promise<number> {
  const [row] = await database.transaction('server', (sql) =>
    sql.query<{ bytes: string }>(
      `SELECT sum(pg_total_relation_size(c.oid))::text AS bytes FROM pg_class c
       JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = 'ken' AND c.relkind = 'r' AND (c.relname LIKE 'index\\_%') = $1`,
      [kind === 'index'],
    ),
  )
  return Number(row!.bytes)
}

/** Query plans of the distinct read statements, as they were sent. */
async function writePlans(path: string): Promise<void> {
  const plans: string[] = []
  for (const statement of new Map(seen.map((one) => [one.text, one])).values()) {
    if (!/^\s*(?:SELECT|WITH)\b/i.test(statement.text)) continue
    const plan = await explain(database, statement)
    plans.push(`\`\`\`sql\n${statement.text.trim()}\n\`\`\`\n\n\`\`\`text\n${plan}\n\`\`\`\n`)
  }
  writeFileSync(path, plans.join('\n'))
}

/** Each step is ten times larger. */
function sizesOf(most: number): readonly number[] {
  return Array.from({ length: steps }, (_, i) => Math.round(most / 10 ** (steps - 1 - i)))
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

function shown({ p50, p95 }: Latency): string {
  return `${p50.toFixed(1)} / ${p95.toFixed(1)}`
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0)
}

function print(name: string, cells: readonly string[]): void {
  console.log([name.padEnd(16), ...cells.map((cell) => cell.padStart(15))].join(' '))
  const isHead = !/^\d/.test(cells[0]!)
  tables.push(`${isHead ? '\n' : ''}| ${[name, ...cells].join(' | ')} |`)
  if (isHead) tables.push(`|${' --- |'.repeat(cells.length + 1)}`)
}

function say(line: string): void {
  console.log(line)
  tables.push(line)
}
