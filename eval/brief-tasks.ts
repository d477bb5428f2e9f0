/**
 * Measures how much of imported ADRs a brief for a task keeps: `npm run eval:brief-tasks [-- --data <folder>]
 * [--misses]`. Each project's ADRs are imported with `import_adr`; each task of sets/brief/tasks.json is run through
 * `brief` at its default budget, and compared with `get_context` at L0 and with the best-ranked decisions in full up to
 * the tokens of the brief. Prints the needed decisions that are named, and the facts: the quote itself, the same
 * without quotation marks and the label "Chosen option:", and the quote with half a point for a decision that is only
 * named. Tasks at even positions (the second, the fourth …) are for tuning; only their misses are printed.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { estimateTokens } from '../src/kernel/domain/text/estimate-tokens.ts'
import { label } from '../src/record/domain/decision/decision.ts'
import { openBriefDesk, type BriefDesk } from './brief/desk.ts'
import { HALVES, type Half } from './brief/score.ts'
import type { Figure, SuiteOptions } from './suite.ts'

interface Task {
  readonly project: string
  readonly task: string
  readonly needs: readonly { readonly file: string; readonly fact: string }[]
}

const { tasks } = JSON.parse(readFileSync(join(import.meta.dirname, 'sets/brief/tasks.json'), 'utf8')) as {
  tasks: readonly Task[]
}
const SYSTEMS = ['brief', 'L0', 'whole decisions'] as const
type System = (typeof SYSTEMS)[number]

interface Row {
  readonly place: number
  readonly half: Half
  readonly system: System
  readonly needed: number
  /** Needed decisions whose number occurs in the text. */
  readonly named: number
  readonly quoted: number
  readonly plain: number
  /** Quotes found, plus half a point for each decision that is named but not quoted. */
  readonly points: number
  readonly tokens: number
  readonly missing: readonly string[]
}

export async function briefTaskFigures({ data, leaveOut }: SuiteOptions): Promise<Figure[]> {
  const folder = data === undefined ? undefined : adrsIn(data)
  if (folder === undefined) {
    leaveOut('ADR tasks', 'The ADRs of public projects are not there.')
    return []
  }
  const rows = await measureTasks(folder)
  return HALVES.flatMap((half) => {
    const [own, l0, whole] = SYSTEMS.map((system) => summed(rows, half, system))
    const figure = (measure: string, value: keyof Sum, peer: Sum, name: string): Figure => ({
      set: 'ADR tasks',
      half,
      measure,
      value: own![value],
      of: own!.needed,
      better: 'higher',
      peer: { name, value: peer[value] },
    })
    return [
      figure('needed decisions named', 'named', l0!, 'L0'),
      figure('facts in plain words', 'plain', whole!, 'whole decisions'),
      figure('facts quoted, half for a name', 'points', whole!, 'whole decisions'),
    ]
  })
}

const adrsIn = (data: string): string | undefined => {
  const folder = join(data, 'adrs')
  return existsSync(folder) ? folder : undefined
}

async function measureTasks(folder: string): Promise<Row[]> {
  const rows: Row[] = []
  for (const [project, own] of Map.groupBy(tasks, (task) => task.project)) {
    const desk = openBriefDesk()
    try {
      await desk.run('init', { name: project })
      const { imported, drafts } = (await desk.run('import_adr', {
        path: join(folder, project),
      })) as unknown as Imported
      const ids = new Map([
        ...imported.map(({ path, number }) => [`${project}/${path}`, label(number)] as const),
        ...drafts.map(({ path, question }) => [`${project}/${path}`, question] as const),
      ])
      for (const task of own) rows.push(...(await measureTask(desk, task, ids)))
    } finally {
      await desk.close()
    }
  }
  return rows.toSorted((a, b) => a.place - b.place)
}

interface Imported {
  readonly imported: readonly { readonly path: string; readonly number: number }[]
  /** Proposed ADRs, imported as open questions. */
  readonly drafts: readonly { readonly path: string; readonly question?: string }[]
}

type Ids = ReadonlyMap<string, string | undefined>

async function measureTask(desk: BriefDesk, task: Task, ids: Ids): Promise<Row[]> {
  const { content, tokens } = (await desk.run('brief', { for: task.task })) as { content: string; tokens: number }
  const { content: page } = (await desk.run('get_context', { level: 'L0' })) as { content: string }
  const texts = { brief: content, L0: page, 'whole decisions': await wholeDecisions(desk, task.task, tokens) }
  const place = tasks.indexOf(task) + 1
  return SYSTEMS.map((system) => {
    const text = texts[system]
    const needs = task.needs.map(({ file, fact }) => {
      const id = ids.get(file) ?? 'not imported'
      return {
        fact,
        id,
        isNamed: new RegExp(`^\\W*${id}\\b`, 'm').test(text),
        isQuoted: squeeze(text).includes(squeeze(fact)),
        isPlain: plain(text).includes(plain(fact)),
      }
    })
    const quoted = needs.filter(({ isQuoted }) => isQuoted).length
    return {
      place,
      half: HALVES[place % 2]!,
      system,
      needed: needs.length,
      named: needs.filter(({ isNamed }) => isNamed).length,
      quoted,
      plain: needs.filter(({ isPlain }) => isPlain).length,
      points: quoted + needs.filter(({ isNamed, isQuoted }) => isNamed && !isQuoted).length / 2,
      tokens: estimateTokens(text),
      missing: needs
        .filter(({ isPlain }) => !isPlain)
        .map(({ id, isNamed, fact }) => `${id}${isNamed ? ' (named)' : ''}: ${fact}`),
    }
  })
}

/** The decisions that the search ranks highest, in full; the last one is cut to fit. */
async function wholeDecisions(desk: BriefDesk, task: string, tokens: number): Promise<string> {
  const { results } = (await desk.run('search_decisions', { query: task, limit: 20 })) as {
    results: readonly { number: number }[]
  }
  let text = ''
  for (const { number } of results) {
    if (estimateTokens(text) >= tokens) break
    const found = (await desk.run('get_decision', { number })) as { content: string }
    text += `${label(number)}\n${found.content}\n\n`
  }
  while (estimateTokens(text) > tokens) text = text.slice(0, text.length - 20)
  return text
}

const squeeze = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

const plain = (text: string): string =>
  squeeze(text.replaceAll(/["“”*`[\]]/g, '').replaceAll(/chosen option:/gi, '')).toLowerCase()

type Sum = Pick<Row, 'needed' | 'named' | 'quoted' | 'plain' | 'points' | 'tokens'>

function summed(rows: readonly Row[], half: Half, system: System): Sum {
  const own = rows.filter((row) => row.half === half && row.system === system)
  const sum = (of: (row: Row) => number): number => own.reduce((total, row) => total + of(row), 0)
  return {
    needed: sum(({ needed }) => needed),
    named: sum(({ named }) => named),
    quoted: sum(({ quoted }) => quoted),
    plain: sum((row) => row.plain),
    points: sum(({ points }) => points),
    tokens: Math.round(sum(({ tokens }) => tokens) / own.length),
  }
}

async function print(): Promise<void> {
  const { values } = parseArgs({ options: { data: { type: 'string' }, misses: { type: 'boolean', default: false } } })
  const data = values.data ?? process.env['KEN_EVAL_DATA'] ?? join(import.meta.dirname, '../../shared/data')
  const folder = adrsIn(data)
  if (folder === undefined) throw new Error(`no ADRs in ${data}: name the folder of labelled sets with --data`)
  const rows = await measureTasks(folder)
  console.log(
    '| task | half | system | needed | named | quoted | plain | points | tokens |\n|---|---|---|---|---|---|---|---|---|',
  )
  const line = (name: string, half: Half, system: System, of: Sum): void =>
    console.log(
      `| ${[name, half, system, of.needed, of.named, of.quoted, of.plain, of.points, of.tokens].join(' | ')} |`,
    )
  for (const row of rows) line(String(row.place), row.half, row.system, row)
  for (const half of HALVES) for (const system of SYSTEMS) line('all', half, system, summed(rows, half, system))
  if (values.misses)
    for (const { place, half, system, missing } of rows)
      if (half === 'tuned' && system === 'brief') for (const miss of missing) console.log(`${place} misses ${miss}`)
}

if (import.meta.main) await print()
