import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { diskFiles } from '../src/kernel/system/files.ts'
import { isSeed } from '../src/record/domain/decision/decision.ts'
import { findFlaws } from '../src/record/find-flaws.ts'
import { exportAdr } from '../src/record/operations/export-adr.ts'
import { importAdr } from '../src/record/operations/import-adr.ts'
import type { Store } from '../src/record/ports/store.ts'
import { type ImportDesk, openImportDesk } from './import-desk.ts'

// Imports the ADRs of real projects, each into a new record, and prints the result of every file and supersession. node
// eval/import-adrs.ts [--data <folder>] [--verbose] Exits with 1 if an import fails, a file is unaccounted for, `ken
// doctor` or `ken verify` finds a flaw, a second import adds something, or an export, imported into a new record, does
// not reproduce the same decisions byte for byte, in either form.

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
const NOTE = '*Status in the source ADR: '
const rows: (string | number)[][] = []
const notes: string[] = []
let failed = false
for (const entry of readdirSync(root, { withFileTypes: true }))
  if (entry.isDirectory()) rows.push(await measure(entry.name))
const sum = (column: number): number => rows.reduce((total, row) => total + Number(row[column]), 0)
console.log(
  '| project | files | imported | active, with a note | superseded | not in force | drafts asked about | rejected alternatives | duplicates | skipped | listed supersessions kept | numbers kept | same after export and import, MADR | Nygard | ms |',
)
console.log(`|${'---|'.repeat(15)}`)
for (const row of [
  ...rows,
  [
    'all',
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map(sum),
    ...[10, 11, 12, 13].map((i) => kept(rows.map((row) => String(row[i])))),
    sum(14),
  ],
])
  console.log(`| ${row.join(' | ')} |`)
for (const note of notes) console.log(note)
process.exit(failed ? 1 : 0)

async function measure(project: string): Promise<(string | number)[]> {
  const desk = await openImportDesk(root, project)
  const { store } = desk
  try {
    const started = Date.now()
    const input = { path: join(root, project), dry_run: false }
    const output = await desk.run<Output>(importAdr, input)
    const ms = Date.now() - started
    const files = (await diskFiles.list(join(root, project)))!
    const named = [...output.imported, ...output.duplicates, ...output.skipped].map((file) => file.path)
    if (named.length !== files.length || files.some((file) => !named.includes(file)))
      fail(project, `${files.length} files, ${named.length} named`)
    for (const flaw of [...(await findFlaws(store)), ...(await store.verify())])
      fail(project, `${flaw.path}: ${flaw.message}`)
    const again = await desk.run<Output>(importAdr, input)
    if (again.imported.length > 0) fail(project, `a second import adds ${again.imported.length}`)
    tell(project, output)
    const texts = Object.values(await decisionFiles(store))
    const noted = texts.filter((text) => /^status: active$/m.test(text) && text.includes(NOTE)).length
    const rejected = texts.reduce(
      (total, text) => total + ((text.split('\n## Rejected Alternatives\n')[1] ?? '').match(/^### /gm) ?? []).length,
      0,
    )
    return [
      project,
      files.length,
      output.imported.length,
      noted,
      output.imported.filter((i) => i.status === 'superseded').length,
      output.not_in_force?.decisions.length ?? 0,
      output.drafts.length,
      rejected,
      output.duplicates.length,
      output.skipped.length,
      comparePairs(project, output.imported),
      numbersKept(output.imported),
      await roundTrip(desk, project, 'madr'),
      await roundTrip(desk, project, 'nygard'),
      ms,
    ]
  } catch (error) {
    fail(project, String(error))
    return [project, 0, 0, 0, 0, 0, 0, 0, 0, 0, ...Array<string>(4).fill('0 of 0'), 0]
  } finally {
    await desk.close()
  }
}

async function decisionFiles(store: Store): Promise<Record<string, string>> {
  const { decisions } = await store.catalogue()
  const texts = await Promise.all(
    decisions.filter((d) => !isSeed(d)).map(async (d) => [d.stem, (await store.read(`decisions/${d.stem}.md`)) ?? '']),
  )
  return Object.fromEntries(texts) as Record<string, string>
}

/** Exports the record, imports it into a new one, and counts the decision files that are identical, byte for byte. */
async function roundTrip(desk: ImportDesk, project: string, format: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'ken-export-adrs-'))
  const other = await openImportDesk(root, project)
  try {
    await desk.run(exportAdr, { folder, format })
    await other.run(importAdr, { path: folder })
    const [before, after] = [await decisionFiles(desk.store), await decisionFiles(other.store)]
    const names = new Set([...Object.keys(before), ...Object.keys(after)])
    const changed = [...names].filter((stem) => before[stem] !== after[stem])
    for (const stem of changed) fail(project, `${stem} is another after export (${format}) and import`)
    return `${names.size - changed.length} of ${names.size}`
  } finally {
    await other.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Of the ADRs with a number at the start of the file name, how many kept it. */
function numbersKept(imported: Imported): string {
  const numbered = imported.filter(({ path }) => /(?:^|\/)(?:adr-?)?[0-9]{3,4}-[^/]*$/i.test(path))
  const same = numbered.filter(
    ({ path, number }) => Number(/[0-9]+/.exec(path.slice(path.lastIndexOf('/') + 1))![0]) === number,
  )
  return `${same.length} of ${numbered.length}`
}

type Output = Awaited<ReturnType<typeof importAdr.run>>
type Imported = Output['imported']

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

function tell(project: string, output: Output): void {
  for (const { path, reason } of output.skipped)
    if (values.verbose || !/^it is (?:not a Markdown file|only proposed)/.test(reason))
      notes.push(`skipped: ${project}/${path}: ${reason}`)
  if (values.verbose)
    for (const { path, message } of output.notices) notes.push(`notice: ${project}/${path}: ${message}`)
}

function fail(project: string, message: string): void {
  failed = true
  notes.push(`FAILED: ${project}: ${message}`)
}
