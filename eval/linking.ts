/**
 * Measures how many of 60 questions about the made-up company can be answered from the context shown within 2,000 and
 * 8,000 tokens, which must contain all needed tables, columns and meanings of values. No model is called. `node
 * eval/linking.ts [--misses]`. Half of the questions are held out: their figures are printed, their misses are not.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { openKen, type Ken } from '../src/app/open.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'
import { packByWords, type Pack } from './company/bm25.ts'
import { compiledFigures } from './company/compiled-figures.ts'
import { readCompiled } from './company/compiled.ts'
import { ddlOf } from './company/ddl.ts'
import { openCompany } from './company/open.ts'
import { QUESTIONS } from './company/questions.ts'
import { isKeptBack } from './company/random.ts'
import { judgeText, type Shown } from './company/shown.ts'
import { HALVES, type Figure } from './suite.ts'

const BUDGETS = [2_000, 8_000]
type Measure = readonly [name: string, of: (shown: Shown) => number]
const SHARES: readonly Measure[] = [
  ['needed tables', ({ tables }) => tables],
  ['needed columns', ({ columns }) => columns],
]
const MEASURES: readonly Measure[] = [
  ...SHARES,
  ['all tables', ({ allTables }) => Number(allTables)],
  ['all columns', ({ allColumns }) => Number(allColumns)],
  ['answerable', ({ everything }) => Number(everything)],
]
const BY_WORDS = 'BM25 over CREATE TABLE'
const OWN = 'Ken, list_tables'

/**
 * Figures for the facts known about the company after a sync, and of the questions that could be answered from the
 * packed schema.
 */
export const companyFigures = (): Promise<Figure[]> =>
  withCompany(async (ken, folder) => {
    const systems = openSystems(ken, folder)
    const figures = compiledFigures(readCompiled(folder, 'postgres'))
    for (const budget of BUDGETS) {
      const [own, words] = [await judge(systems[OWN]!, budget), await judge(systems[BY_WORDS]!, budget)]
      for (const half of HALVES) {
        const isOwn = ({ question }: Judged) => isKeptBack(question.text) === (half === 'kept back')
        const [mine, others] = [own.filter(isOwn), words.filter(isOwn)]
        const set = `company of 160 tables, ${budget.toLocaleString('en')} tokens`
        for (const [measure, of] of SHARES)
          figures.push({
            set,
            half,
            measure,
            value: mean(mine, of),
            better: 'higher',
            peer: { name: BY_WORDS, value: mean(others, of) },
            tolerance: 0.02,
          })
        const count = (judged: readonly Judged[]) => judged.filter(({ shown }) => shown.everything).length
        figures.push({
          set,
          half,
          measure: 'answerable questions',
          value: count(mine),
          of: mine.length,
          better: 'higher',
          peer: { name: BY_WORDS, value: count(others) },
          tolerance: 1,
        })
      }
    }
    return figures
  })

if (import.meta.main) {
  await withCompany(async (ken, folder) => {
    const systems = openSystems(ken, folder)
    for (const budget of BUDGETS) {
      console.log(`\n${`within ${budget.toLocaleString('en')} tokens`.padEnd(44)}      tuned  kept back        all`)
      for (const [name, pack] of Object.entries(systems)) await show(name, pack, budget)
    }
  })
}

async function withCompany<T>(work: (ken: Ken, folder: string) => Promise<T>): Promise<T> {
  const place = mkdtempSync(join(tmpdir(), 'ken-eval-linking-'))
  const company = await openCompany('postgres', place)
  const ken = openKen({ HOME: place, KEN_HOME: join(place, 'home'), KEN_TELEMETRY: '0' }, () => {})
  try {
    return await work(ken, await compile(ken, place, company.entry))
  } finally {
    await ken.close()
    await company.close()
    rmSync(place, { recursive: true, force: true })
  }
}

/** All systems that pack a schema for a question: Ken, and the plain systems it is compared with. */
function openSystems(own: Ken, folder: string): Readonly<Record<string, Pack>> {
  const { tables } = readCompiled(folder, 'postgres')
  const columns = [...tables.values()].map((documents) =>
    (documents.get('columns') ?? '').replace(/^---\n.*?\n---\n/s, ''),
  )
  return {
    [BY_WORDS]: packByWords([...ddlOf().values()]),
    'BM25 over columns.md': packByWords(columns),
    [OWN]: (question, tokens) => listTables(own, folder, { question, tokens }),
  }
}

interface Judged {
  readonly question: (typeof QUESTIONS)[number]
  readonly shown: Shown
}

function mean(judged: readonly Judged[], of: Measure[1]): number {
  return judged.reduce((sum, { shown }) => sum + of(shown), 0) / judged.length
}

function judge(pack: Pack, budget: number): Promise<Judged[]> {
  return Promise.all(
    QUESTIONS.map(async (question) => ({ question, shown: judgeText(await pack(question.text, budget), question) })),
  )
}

async function show(name: string, pack: Pack, budget: number): Promise<void> {
  const judged = await judge(pack, budget)
  for (const [measure, of] of MEASURES) {
    const share = (part: readonly Judged[]): string => mean(part, of).toFixed(3).replace(/^0/, '').padStart(11)
    const [tuned, kept] = [
      judged.filter(({ question }) => !isKeptBack(question.text)),
      judged.filter(({ question }) => isKeptBack(question.text)),
    ]
    console.log(`${`${name}: ${measure}`.padEnd(44)}${share(tuned)}${share(kept)}${share(judged)}`)
  }
  if (!process.argv.includes('--misses')) return
  for (const { question, shown } of judged)
    if (!shown.everything && !isKeptBack(question.text))
      console.log(`  ${question.text} lacks ${shown.missing.join('; ')}`)
}

/** Creates a project with the company's database and syncs it. Returns its folder. */
async function compile(own: Ken, place: string, entry: object): Promise<string> {
  const folder = join(place, 'project')
  mkdirSync(folder)
  writeFileSync(join(folder, 'ken.yaml'), stringify({ name: 'company', databases: [entry] }))
  for (const [name, input] of [
    ['trust', { yes: true }],
    ['sync_sources', {}],
  ] as const) {
    const operation = OPERATIONS.find((each) => each.name === name)!
    await call(own.context({ origin: { surface: 'cli' }, cwd: folder }), operation, input)
  }
  return folder
}

/** Returns the text that an agent gets for a question, within a budget. */
async function listTables(own: Ken, folder: string, input: { question: string; tokens: number }): Promise<string> {
  const operation = OPERATIONS.find(({ name }) => name === 'list_tables')!
  const { output } = await call(own.context({ origin: { surface: 'mcp-stdio' }, cwd: folder }), operation, input)
  return String(output['columns'])
}
