/**
 * Measures `ken import adr` on labelled ADRs: status, date, and which alternatives were rejected. `node
 * eval/import-labels.ts --data <folder> [--half tuned|held-out] [--misses]`. Labels are sorted by file; those at odd
 * places are held out, and their misses are never printed.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isInferred } from '../src/record/domain/decision/inferred.ts'
import { parseDecision } from '../src/record/domain/decision/parse.ts'
import { importAdr } from '../src/record/operations/import-adr.ts'
import { entryOf } from '../src/record/read-decision.ts'
import { openImportDesk } from './import-desk.ts'
import type { Figure, SuiteOptions } from './suite.ts'
import { shown } from './table.ts'

interface Label {
  readonly file: string
  readonly status: 'active' | 'superseded' | 'deprecated' | 'rejected' | 'proposed'
  readonly date: string | null
  readonly chosen: readonly string[]
  readonly rejected: readonly string[]
}

interface Imported {
  readonly status: Label['status'] | 'skipped'
  readonly date: string | null
  readonly rejected: readonly { readonly name: string; readonly inferred: boolean }[]
}

interface Judged {
  readonly label: Label
  readonly found: Imported
  /** For each name in `found.rejected`, the matching labelled name; undefined if none is labelled. */
  readonly matches: readonly (string | undefined)[]
  /** Alternatives recorded as rejected although chosen. */
  readonly inverted: readonly string[]
}

export async function importFigures({ data }: SuiteOptions): Promise<Figure[]> {
  return [
    ...figuresOf('tuned', await judgeHalf(data!, 'tuned')),
    ...figuresOf('kept back', await judgeHalf(data!, 'kept back')),
  ]
}

async function judgeHalf(data: string, half: 'tuned' | 'kept back'): Promise<Judged[]> {
  const path = join(import.meta.dirname, 'sets/import/adr-labels.json')
  const { labels } = JSON.parse(readFileSync(path, 'utf8')) as { labels: Label[] }
  const own = labels.filter((_, i) => (i % 2 === 0) === (half === 'tuned'))
  const judged: Judged[] = []
  for (const [project, group] of Map.groupBy(own, ({ file }) => file.slice(0, file.indexOf('/')))) {
    const imported = await importProject(join(data, 'adrs'), project)
    judged.push(...group.map((label) => judge(label, imported.get(label.file) ?? SKIPPED)))
  }
  return judged
}

const SKIPPED: Imported = { status: 'skipped', date: null, rejected: [] }

/** The result for each file of a project, through the operation behind `ken import adr`. */
async function importProject(root: string, project: string): Promise<Map<string, Imported>> {
  const desk = await openImportDesk(root, project)
  try {
    const output = await desk.run<Awaited<ReturnType<typeof importAdr.run>>>(importAdr, { path: join(root, project) })
    const { decisions } = await desk.store.catalogue()
    const found = new Map<string, Imported>()
    for (const { path } of output.drafts) found.set(`${project}/${path}`, { ...SKIPPED, status: 'proposed' })
    for (const { path, number, id, status, date_known } of output.imported) {
      const { stem } = entryOf(decisions, number)!
      const { date, rejected } = parseDecision((await desk.store.read(`decisions/${stem}.md`))!, `${stem}.md`)
      const isEnded = output.not_in_force?.decisions.includes(id) === true
      found.set(`${project}/${path}`, {
        status: isEnded ? 'deprecated' : (status as Imported['status']),
        date: date_known ? date : null,
        rejected: rejected.map((one) => ({ name: one.name, inferred: isInferred(one) })),
      })
    }
    return found
  } finally {
    await desk.close()
  }
}

function judge(label: Label, found: Imported): Judged {
  const open = [...label.rejected]
  const matches = found.rejected.map(({ name }) => {
    const at = open.findIndex((wanted) => isSame(name, wanted))
    return at < 0 ? undefined : open.splice(at, 1)[0]
  })
  const inverted = found.rejected.flatMap(({ name }, i) =>
    matches[i] === undefined && label.chosen.some((chosen) => isEither(norm(name), norm(chosen))) ? [name] : [],
  )
  return { label, found, matches, inverted }
}

const norm = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/\b(?:option|alternative) \w{1,2}\b|\b(?:an?|the|use|using|of|in|to|our|own)\b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

const isWithin = (part: string, whole: string): boolean => part !== '' && ` ${whole} `.includes(` ${part} `)

const isEither = (a: string, b: string): boolean => isWithin(a, b) || isWithin(b, a)

/** Whether one name contains the other, or they share half of their words. */
function isSame(a: string, b: string): boolean {
  const [left, right] = [norm(a), norm(b)]
  if (isEither(left, right)) return true
  const [some, others] = [new Set(left.split(' ')), new Set(right.split(' '))]
  const shared = [...some].filter((word) => others.has(word)).length
  return shared / (some.size + others.size - shared) >= 0.5
}

function figuresOf(half: Figure['half'], judged: readonly Judged[]): Figure[] {
  const figure = (measure: string, value: number, of: number, better: Figure['better'] = 'higher'): Figure => ({
    set: 'labelled ADRs',
    half,
    measure,
    value,
    of,
    better,
  })
  const sum = (count: (one: Judged) => number): number => judged.reduce((total, one) => total + count(one), 0)
  // A proposed ADR becomes a question, without alternatives.
  const decided = judged.filter(({ label }) => label.status !== 'proposed')
  const wanted = decided.reduce((total, { label }) => total + label.rejected.length, 0)
  const all = sum(({ found }) => found.rejected.length)
  const inferred = sum(({ found }) => found.rejected.filter((one) => one.inferred).length)
  const wrong = (isMarked: boolean): number =>
    sum(({ found, matches }) => found.rejected.filter((r, i) => r.inferred === isMarked && !matches[i]).length)
  const right = all - wrong(true) - wrong(false)
  return [
    figure('status', sum(isStatusRight), judged.length),
    figure('date', sum(isDateRight), decided.length),
    figure('rejected alternatives that are labelled as such', right, all),
    figure('labelled rejected alternatives found', right, wanted),
    figure(
      'chosen, recorded as rejected',
      sum(({ inverted }) => inverted.length),
      all,
      'lower',
    ),
    figure('marked inferred', inferred, all, 'lower'),
    figure('wrong of those marked inferred', wrong(true), inferred, 'lower'),
    figure('wrong of those not marked', wrong(false), all - inferred, 'lower'),
  ]
}

const ENDED: readonly string[] = ['deprecated', 'rejected']

const isStatusRight = ({ label, found }: Judged): number =>
  Number(label.status === found.status || (ENDED.includes(label.status) && ENDED.includes(found.status)))

const isDateRight = ({ label, found }: Judged): number =>
  Number(label.status !== 'proposed' && label.date === found.date)

function tellMisses(judged: readonly Judged[]): void {
  for (const one of judged) {
    const { label, found, matches, inverted } = one
    const missed = label.rejected.filter((name) => !matches.includes(name))
    const extra = found.rejected.filter((_, i) => matches[i] === undefined)
    const lines = [
      ...(isStatusRight(one) ? [] : [`status ${label.status}, imported ${found.status}`]),
      ...(isDateRight(one) || label.status === 'proposed' ? [] : [`date ${label.date}, imported ${found.date}`]),
      ...(missed.length === 0 || label.status === 'proposed' ? [] : [`missed: ${missed.join(' | ')}`]),
      ...extra.map(({ name, inferred }) => `extra${inferred ? ' (inferred)' : ''}: ${name}`),
      ...inverted.map((name) => `INVERTED: ${name}`),
    ]
    if (lines.length > 0) console.log([label.file, ...lines.map((line) => `    ${line}`)].join('\n'))
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { data: { type: 'string' }, half: { type: 'string' }, misses: { type: 'boolean' } },
  })
  const data = values.data ?? process.env['KEN_EVAL_DATA'] ?? join(import.meta.dirname, '../../shared/data')
  for (const half of ['tuned', 'kept back'] as const) {
    if (values.half === 'tuned' && half === 'kept back') continue
    if (values.half === 'held-out' && half === 'tuned') continue
    const judged = await judgeHalf(data, half)
    for (const figure of figuresOf(half, judged)) console.log(`${half}  ${figure.measure}: ${shown(figure)}`)
    if (values.misses === true && half === 'tuned') tellMisses(judged)
  }
}
