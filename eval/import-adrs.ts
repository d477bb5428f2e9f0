import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { systemClock } from '../src/adapters/clock/system/index.ts'
import { diskFiles } from '../src/adapters/files/disk/index.ts'
import { openFileStore } from '../src/adapters/store/files/index.ts'
import { importAdr } from '../src/operations/record/import-adr.ts'
import type { Context } from '../src/ports/context.ts'
import { findFlaws } from '../src/record/find-flaws.ts'
import { startRecord } from '../src/record/start-record.ts'

// Imports the ADRs of real projects, each into a new record, and prints what became of every file and supersession.
// node eval/import-adrs.ts [--data <folder>] [--verbose] Exit 1 when an import fails, a file is unaccounted for, `ken
// doctor` or `ken verify` finds a flaw, or a second import adds something.

interface Pair {
  kind: string
  old: string
  new: string
}

const { values } = parseArgs({ options: { data: { type: 'string' }, verbose: { type: 'boolean' } } })
const data = values.data ?? process.env['KEN_EVAL_DATA'] ?? fileURLToPath(new URL('../../shared/data', import.meta.url))
const root = join(data, 'adrs')
if (!existsSync(root)) {
  console.error(`no ADRs in ${root}: name the folder of the labelled data with --data or KEN_EVAL_DATA`)
  process.exit(2)
}
const pairs = readFileSync(join(root, 'supersessions.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Pair)
const rows: (string | number)[][] = []
const notes: string[] = []
let failed = false
for (const entry of readdirSync(root, { withFileTypes: true }))
  if (entry.isDirectory()) rows.push(await measure(entry.name))
const sum = (column: number): number => rows.reduce((total, row) => total + Number(row[column]), 0)
console.log(
  '| project | files | imported | active, with a note | superseded | rejected alternatives | duplicates | skipped | listed supersessions kept | ms |',
)
console.log('|---|---|---|---|---|---|---|---|---|---|')
for (const row of [
  ...rows,
  ['all', ...[1, 2, 3, 4, 5, 6, 7].map(sum), kept(rows.map((row) => String(row[8]))), sum(9)],
])
  console.log(`| ${row.join(' | ')} |`)
for (const note of notes) console.log(note)
process.exit(failed ? 1 : 0)

async function measure(project: string): Promise<(string | number)[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ken-import-adrs-'))
  const store = await openFileStore({
    root: join(folder, 'record'),
    project: { id: 'X', name: project, mode: 'local', location: folder },
    cacheDir: folder,
    stateDir: join(folder, 'state'),
    clock: systemClock,
  })
  const ctx = {
    clock: systemClock,
    origin: { surface: 'cli' },
    cwd: root,
    files: diskFiles,
    record: async () => store,
    progress() {},
  } as Partial<Context> as Context
  try {
    await startRecord(ctx, store)
    const started = Date.now()
    const input = { path: join(root, project), dry_run: false }
    const output = await importAdr.run(ctx, input)
    const ms = Date.now() - started
    const files = (await diskFiles.list(join(root, project)))!
    const named = [...output.imported, ...output.duplicates, ...output.skipped].map((file) => file.path)
    if (named.length !== files.length || files.some((file) => !named.includes(file)))
      fail(project, `${files.length} files, ${named.length} named`)
    const { decisions } = await store.catalogue()
    if (decisions.length !== output.imported.length + 1)
      fail(project, `${output.imported.length} imported, ${decisions.length - 1} recorded`)
    for (const flaw of [...(await findFlaws(store)), ...(await store.verify())])
      fail(project, `${flaw.path}: ${flaw.message}`)
    const again = await importAdr.run(ctx, input)
    if (again.imported.length > 0) fail(project, `a second import adds ${again.imported.length}`)
    tell(project, output)
    const texts = await Promise.all(decisions.map((d) => store.read(`decisions/${d.stem}.md`)))
    const noted = texts.filter((text) => text?.includes('*Status in the source ADR: ')).length
    const rejected =
      texts.reduce(
        (total, text) => total + ((text?.split('\n## Rejected Alternatives\n')[1] ?? '').match(/^### /gm) ?? []).length,
        0,
      ) - 2
    const superseded = output.imported.filter((i) => i.status === 'superseded').length
    return [
      project,
      files.length,
      output.imported.length,
      noted,
      superseded,
      rejected,
      output.duplicates.length,
      output.skipped.length,
      comparePairs(project, output.imported),
      ms,
    ]
  } catch (error) {
    fail(project, String(error))
    return [project, 0, 0, 0, 0, 0, 0, 0, '0 of 0', 0]
  } finally {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Imported = Awaited<ReturnType<typeof importAdr.run>>['imported']

function comparePairs(project: string, imported: Imported): string {
  const listed = pairs.filter((pair) => pair.kind === 'supersedes' && pair.old.startsWith(`${project}/`))
  const numberOf = (path: string) => imported.find((i) => `${project}/${i.path}` === path)
  const missing = listed.filter((pair) => numberOf(pair.old)?.superseded_by !== numberOf(pair.new)?.number)
  for (const pair of missing) notes.push(`not kept: ${pair.old} → ${pair.new}`)
  return `${listed.length - missing.length} of ${listed.length}`
}

function kept(cells: readonly string[]): string {
  const counts = cells.map((cell) => cell.split(' of ').map(Number))
  return `${counts.reduce((total, [a]) => total + a!, 0)} of ${counts.reduce((total, [, b]) => total + b!, 0)}`
}

function tell(project: string, output: Awaited<ReturnType<typeof importAdr.run>>): void {
  for (const { path, reason } of output.skipped)
    if (values.verbose || reason !== 'it is not a Markdown file') notes.push(`skipped: ${project}/${path}: ${reason}`)
  if (values.verbose)
    for (const { path, message } of output.notices) notes.push(`notice: ${project}/${path}: ${message}`)
}

function fail(project: string, message: string): void {
  failed = true
  notes.push(`FAILED: ${project}: ${message}`)
}
