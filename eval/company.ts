/**
 * Measures `ken sync` on a company of 160 tables with known facts: joins found and invented, facts about values beside
 * their column, tokens, seconds, and personal data in committed files. `node eval/company.ts [--engine
 * postgres|duckdb|sqlite] [--large] [--misses] [--quick]`; quick skips the times. COMPANY_SEED generates another
 * company.
 * Half of the facts are held out: their figures are printed, their single misses are not.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { stringify } from 'yaml'
import { openKen } from '../src/app/open.ts'
import { estimateTokens } from '../src/context/domain/context-project/manifest.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'
import { COMPANY, SCHEMAS, TABLES } from './company/company.ts'
import { lineOf, readCompiled, says, type Compiled } from './company/compiled.ts'
import { ddlOf } from './company/ddl.ts'
import { FACT_KINDS, IN_COMMENTS, INNOCENT, JOINS, VALUE_FACTS, type ValueFact } from './company/facts.ts'
import { judgeJoins, nameOfJoin } from './company/judge-joins.ts'
import { countOthers, findLeaks } from './company/leaks.ts'
import { openCompany } from './company/open.ts'
import { KINDS, WATCHED } from './company/people.ts'
import { isKeptBack } from './company/random.ts'
import { canDeclare, changes, rowsIn, type Engine } from './company/statements.ts'

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', default: 'postgres' },
    large: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
})
const engine = options.engine as Engine
const place = mkdtempSync(join(tmpdir(), 'ken-eval-company-'))
const misses: string[] = []
const since = performance.now()
const company = await openCompany(engine, place, { large: options.large })
const ken = openKen({ HOME: place, KEN_HOME: join(place, 'home'), KEN_TELEMETRY: '0' }, () => {})

try {
  console.log(
    `${TABLES.length} tables and ${COMPANY.length - TABLES.length} views in ${SCHEMAS.length} schemas, built in ${engine} in ${seconds(performance.now() - since)}; load ${loadavg()[0]!.toFixed(1)}`,
  )
  const folder = project('first')
  const first = await sync(folder, 4)
  const compiled = readCompiled(folder, engine)
  heading('share', 'tuned half', 'kept back', 'all')
  showJoins(compiled)
  showValues(compiled)
  heading('size', 'p50', 'p95', 'all')
  showTokens(compiled)
  heading('personal data', 'found', 'of')
  let isGood = showPersonal(compiled)
  if (!options.quick) {
    heading('time', 'seconds', 'fetched', 'of')
    isGood = (await showTimes(folder, first)) && isGood
  }
  if (options.misses) for (const miss of misses) console.log(`  ${miss}`)
  process.exitCode = isGood ? 0 : 1
} finally {
  await ken.close()
  await company.close()
  rmSync(place, { recursive: true, force: true })
}

function showJoins({ joins }: Compiled): void {
  const judged = judgeJoins(joins)
  const isDeclared = ({ declared, from, to }: (typeof JOINS)[number]) => declared && canDeclare(engine, from, to)
  const found = (join: (typeof JOINS)[number]) => judged.found.has(join)
  const plain = JOINS.filter((join) => !isDeclared(join) && join.when === undefined)
  halves('declared joins found', JOINS.filter(isDeclared), found, 'join')
  halves('undeclared joins found', plain, found, 'join')
  halves(
    '  of several columns',
    plain.filter(({ columns }) => columns.length > 1),
    found,
  )
  halves(
    '  in the schema without keys',
    plain.filter(({ from }) => from.startsWith('legacy.')),
    found,
  )
  halves(
    'joins by a type column found',
    JOINS.filter(({ when }) => when !== undefined),
    found,
  )
  const known = JOINS.filter(found)
  halves('  with rows to rows said rightly', known, (join) => judged.counted.has(join))
  const inferred = joins.filter(({ declared }) => !declared)
  const isRight = (join: (typeof joins)[number]) => !judged.wrong.includes(join)
  halves(
    'inferred joins that are right',
    inferred.map((join) => ({ ...join, id: nameOfJoin(join) })),
    (join) => isRight(inferred.find((each) => nameOfJoin(each) === join.id)!),
    'false join',
  )
  console.log(
    `  ${inferred.length} inferred: ${judged.wrong.length} false (${judged.baited} took the bait), ${judged.alsoRight.length} right though not planted`,
  )
}

function showValues({ tables }: Compiled): void {
  const facts = VALUE_FACTS.filter(({ kind }) => engine !== 'sqlite' || !IN_COMMENTS.has(kind))
  const holds = ({ words }: ValueFact, text: string): boolean => words.every((each) => says(text, asStored(each)))
  const line = ({ column }: ValueFact): string =>
    lineOf(tables.get(tableOf(column))?.get('columns') ?? '', nameOf(column))
  const all = ({ column }: ValueFact): string => [...(tables.get(tableOf(column))?.values() ?? [])].join('\n')
  halves('value facts beside the column', facts, (fact) => holds(fact, line(fact)), 'fact')
  for (const kind of new Set(facts.map((fact) => fact.kind)))
    halves(
      `  ${FACT_KINDS[kind]}`,
      facts.filter((fact) => fact.kind === kind),
      (fact) => holds(fact, line(fact)),
    )
  halves('value facts in any file of the table', facts, (fact) => holds(fact, all(fact)))
}

/** SQLite stores 2000.00 as 2000. */
function asStored(words: string): string {
  return engine === 'sqlite' && /^-?[\d.]+$/.test(words.split('|')[0]!)
    ? `${words}|${Number(words.split('|')[0])}`
    : words
}

function showTokens({ tables, files }: Compiled): void {
  const sizes = (of: (documents: ReadonlyMap<string, string>) => string) =>
    [...tables.values()].map((documents) => estimateTokens(of(documents)))
  row('tokens of all documents of a table', ...spread(sizes((documents) => [...documents.values()].join(''))))
  row('tokens of columns.md', ...spread(sizes((documents) => documents.get('columns') ?? '')))
  row('beside: CREATE TABLE with comments', ...spread([...ddlOf().values()].map(estimateTokens)))
  const pages = [...files].filter(([path]) => path.startsWith('databases/') && !path.includes('/table='))
  for (const [path, text] of pages)
    row(`tokens of ${path.split('/').slice(-1)[0]}`, '', '', String(estimateTokens(text)))
}

function showPersonal({ files, tables }: Compiled): boolean {
  const leaks = findLeaks(files)
  const leaked = new Set(leaks.map(({ value }) => value))
  row('planted personal values in committed files', String(leaked.size), String(WATCHED.length * KINDS.length))
  for (const kind of KINDS) {
    const own = new Set(leaks.filter((leak) => leak.kind === kind).map(({ value }) => value))
    if (own.size > 0) row(`  ${kind}`, String(own.size), String(WATCHED.length))
  }
  for (const { kind, part, path } of leaks) if (!isKeptBack(part)) misses.push(`personal: ${kind} ${part} in ${path}`)
  row('values of other people', String(countOthers(files)), 'all')
  const innocent = Object.entries(INNOCENT).flatMap(([column, values]) =>
    values.map((value) => ({ id: `${column} ${value}`, column, value })),
  )
  const hidden = innocent.filter(
    ({ column, value }) => ![...(tables.get(tableOf(column))?.values() ?? [])].some((text) => says(text, value)),
  )
  row('innocent values that no file of the table shows', String(hidden.length), String(innocent.length))
  for (const { id } of hidden) if (!isKeptBack(id)) misses.push(`innocent, not shown: ${id}`)
  return leaked.size === 0
}

async function showTimes(folder: string, first: Synced): Promise<boolean> {
  row('first sync, 4 at once, cold', first.seconds, String(first.due.length), String(COMPANY.length))
  const times: number[] = []
  for (const threads of [1, 2, 4]) {
    const own = await sync(project(`threads-${threads}`), threads)
    times.push(Number(own.seconds))
    row(
      `first sync, ${threads} at once`,
      own.seconds,
      String(own.due.length),
      `${(times[0]! / times.at(-1)!).toFixed(2)} times one`,
    )
  }
  const again = await sync(folder, 4)
  row(
    'again, nothing changed',
    again.seconds,
    String(again.due.length),
    `${(Number(again.seconds) / times[2]!).toFixed(2)} of a first sync`,
  )
  const { tables, statements, rows } = changes(engine)
  await company.write(statements)
  const after = await sync(folder, 4)
  const fetched = new Set(after.due.map(({ item }) => item))
  const isFetched = (table: string) =>
    [...fetched].some((item) => item.endsWith(engine === 'sqlite' ? table.replace('.', '_') : table))
  row(
    `after ${((100 * rows) / rowsIn(options)).toFixed(1)} % of the rows changed`,
    after.seconds,
    String(fetched.size),
    `${(Number(after.seconds) / times[2]!).toFixed(2)} of a first sync`,
  )
  row('  tables that changed', '', String(tables.filter(isFetched).length), String(tables.length))
  const leaked = new Set(findLeaks(readCompiled(folder, engine).files).map(({ value }) => value)).size
  row('  planted personal values in committed files', '', String(leaked), String(WATCHED.length * KINDS.length))
  const different = differing(join(place, 'threads-1'), join(place, 'threads-4'))
  row('files that 4 at once write differently', '', String(different.length), '0')
  misses.push(...different.map((path) => `differs with 4 at once: ${path}`))
  return leaked === 0 && different.length === 0
}

/** Files that differ in anything but their frontmatter. */
function differing(one: string, other: string): readonly string[] {
  const [a, b] = [readCompiled(one, engine).files, readCompiled(other, engine).files]
  const text = (file: string | undefined) => file?.replace(/^---\n.*?\n---\n/s, '')
  const paths = new Set([...a.keys(), ...b.keys()].filter((path) => path.startsWith('databases/')))
  return [...paths].filter((path) => text(a.get(path)) !== text(b.get(path)))
}

interface Synced {
  readonly seconds: string
  readonly due: readonly { readonly item: string }[]
}

async function sync(cwd: string, threads: number): Promise<Synced> {
  await run('trust', cwd, { yes: true })
  const started = performance.now()
  const output = await run('sync_sources', cwd, { threads })
  const failures = output['failures'] as { message: string }[]
  if (failures.length > 0) throw new Error(failures[0]!.message)
  return { seconds: ((performance.now() - started) / 1000).toFixed(2), due: output['due'] as Synced['due'] }
}

function project(name: string): string {
  const folder = join(place, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'ken.yaml'), stringify({ name: 'company', databases: [company.entry] }))
  return folder
}

async function run(name: string, cwd: string, input: object): Promise<Record<string, unknown>> {
  const operation = OPERATIONS.find((each) => each.name === name)!
  return (await call(ken.context({ origin: { surface: 'cli' }, cwd }), operation, input)).output
}

/** Shares of the tuning half, the held-out half and all. With `what`, misses of the tuning half are kept. */
function halves<T extends { readonly id: string }>(
  label: string,
  all: readonly T[],
  holds: (one: T) => boolean,
  what?: string,
): void {
  const share = (part: readonly T[]): string =>
    part.length === 0
      ? '–'
      : `${(part.filter(holds).length / part.length).toFixed(3).replace(/^0/, '')} of ${part.length}`
  row(label, share(all.filter(({ id }) => !isKeptBack(id))), share(all.filter(({ id }) => isKeptBack(id))), share(all))
  if (what) for (const one of all) if (!isKeptBack(one.id) && !holds(one)) misses.push(`${what}: ${one.id}`)
}

function heading(...cells: readonly string[]): void {
  console.log()
  row(...(cells as [string, ...string[]]))
}

function row(label: string, ...cells: readonly string[]): void {
  console.log(`${label.padEnd(44)}${cells.map((cell) => cell.padStart(22)).join('')}`)
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}

function spread(sizes: readonly number[]): readonly string[] {
  const sorted = sizes.toSorted((a, b) => a - b)
  const at = (share: number): string =>
    String(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? '–')
  return [at(0.5), at(0.95), String(sizes.reduce((sum, size) => sum + size, 0))]
}

function tableOf(column: string): string {
  return column.slice(0, column.lastIndexOf('.'))
}

function nameOf(column: string): string {
  return column.slice(column.lastIndexOf('.') + 1)
}
