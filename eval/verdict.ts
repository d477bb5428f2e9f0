// Measures how well the decision check finds the decisions that a proposal touches and ignores the rest, in the order
// and with the verdicts that the product returns: `node eval/verdict.ts [--model FILE] [--sizes 5,own,1000,10000]`.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openChance } from '../bench/chance.ts'
import { openCorpus } from '../bench/decision-corpus.ts'
import { systemClock } from '../src/kernel/system/clock.ts'
import { check, checkQuery } from '../src/record/check.ts'
import { decisionNumber, decisionStem } from '../src/record/domain/decision/decision-id.ts'
import type { Decision } from '../src/record/domain/decision/decision.ts'
import { formatDecision } from '../src/record/domain/decision/format.ts'
import { decisionPath } from '../src/record/domain/files.ts'
import type { Store } from '../src/record/ports/store.ts'
import { openFileStore } from '../src/record/store/files/index.ts'
import { openMemoryStore } from '../src/record/store/memory/index.ts'
import { openStaticEmbedder } from '../src/retrieval/embed/static/index.ts'
import type { Embedder } from '../src/retrieval/ports/embedder.ts'
import { type CheckSet, checkSets, half, paraphraseSet } from './check-sets.ts'
import { HALVES, type Figure } from './suite.ts'

const FALSE_ALARMS = [0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5]
const WORDS_ALONE = 'own, by words alone'
const BUNDLED = join(import.meta.dirname, '../models/static-256/model.bin')
const project = { id: '01JQ0000000000000000000000', name: 'eval', mode: 'local', location: '' } as const

/**
 * Figures of the easier set and of the five hard domains together, by record size. Size `own` is also measured by words
 * only.
 */
export async function checkFigures(sizes: readonly string[]): Promise<Figure[]> {
  const embedder = openStaticEmbedder(BUNDLED)
  const figures: Figure[] = []
  for (const [name, sets] of [
    ['easier set', [paraphraseSet()]],
    ['five domains', checkSets()],
  ] as const) {
    for (const size of sizes) {
      for (const which of HALVES) {
        const measured = async (of: string) => {
          const parts: Answers[] = []
          for (const set of sets) parts.push(await ask(half(set, which), { size: of, embedder }))
          return countsOf(together(parts))
        }
        const own = await measured(size)
        const words = size === 'own' ? await measured(WORDS_ALONE) : undefined
        figures.push(...figuresOf(`${name}, ${sizeName(size)}`, which, own, words))
      }
    }
  }
  await embedder.close()
  return figures
}

/** Figures for one set that was not used for tuning, in a separate record. */
export async function checkFiguresOf(name: string, set: CheckSet): Promise<Figure[]> {
  const embedder = openStaticEmbedder(BUNDLED)
  const measured = async (size: string) => countsOf(await ask(set, { size, embedder }))
  const figures = figuresOf(name, 'all', await measured('own'), await measured(WORDS_ALONE))
  await embedder.close()
  return figures
}

type Counts = ReturnType<typeof countsOf>

function figuresOf(set: string, half: Figure['half'], own: Counts, words: Counts | undefined): Figure[] {
  const peer = (value: number | undefined) =>
    value === undefined ? {} : { peer: { name: 'by words alone', value } as const }
  // Tolerates one proposal, which may cross a threshold on another processor.
  const at = { set, half, tolerance: 1 } as const
  const more = { ...at, of: own.asked, better: 'higher' } as const
  const less = { ...at, of: own.unrelated, better: 'lower' } as const
  return [
    { ...more, measure: 'the decision first', value: own.first, ...peer(words?.first) },
    { ...more, measure: 'among five', value: own.five, ...peer(words?.five) },
    { ...more, measure: 'told related', value: own.told, ...peer(words?.told) },
    { ...less, measure: 'unrelated told related', value: own.alarms, ...peer(words?.alarms) },
    { ...less, measure: 'unrelated told anything', value: own.noises, ...peer(words?.noises) },
  ]
}

const sizeName = (size: string): string =>
  size === 'own' ? 'its own record' : `${Number(size).toLocaleString('en')} decisions`

if (import.meta.main) await print()

async function print(): Promise<void> {
  const { values } = parseArgs({
    options: {
      model: { type: 'string', default: BUNDLED },
      sizes: { type: 'string', default: '5,own,1000,10000' },
      half: { type: 'string', default: 'both' },
    },
  })
  const embedder = openStaticEmbedder(values.model)
  const domains = checkSets()
  console.log(
    '| record | domain | half | first | among five | told: related or better | unrelated told related | unrelated told anything |',
  )
  console.log('|---|---|---|---|---|---|---|---|')
  const own = new Map<string, Answers[]>()
  for (const size of [...values.sizes.split(','), WORDS_ALONE]) {
    for (const which of HALVES) {
      const name = which === 'tuned' ? 'tuned on' : 'held back'
      if (values.half !== 'both' && values.half !== name) continue
      const parts: Answers[] = []
      for (const set of [paraphraseSet(), ...domains]) {
        const answers = await ask(half(set, which), { size, embedder })
        row(size, set.domain, name, answers)
        if (domains.includes(set)) parts.push(answers)
      }
      row(size, '**five domains**', name, together(parts))
      if (size === 'own') own.set(name, parts)
    }
  }
  for (const [which, parts] of own) printCurve(which, together(parts))
}

interface Answers {
  /**
   * For related proposals: the 0-based position of the wanted decision in the ranking without abstention; -1 if
   * missing.
   */
  readonly places: number[]
  /** Margin of the wanted decision above chance; -Infinity if it is not among five. */
  readonly margins: number[]
  /** Wanted decisions that the check returned as related or strong. */
  told: number
  /** For unrelated proposals: the check's verdict, and the best margin above chance. */
  readonly verdicts: string[]
  readonly noise: number[]
}

interface Trial {
  readonly size: string
  readonly embedder: Embedder
}

async function ask(set: CheckSet, trial: Trial): Promise<Answers> {
  const answers: Answers = { places: [], margins: [], told: 0, verdicts: [], noise: [] }
  const records = openRecords(set.decisions, trial)
  for (const { proposal, decision } of set.related) {
    const store = await records.with(decision)
    const { hits } = await store.rank({ text: checkQuery(proposal, undefined), limit: 5, among: 'active', check: true })
    const at = hits.findIndex((hit) => hit.entry.num === decision)
    answers.places.push(at)
    answers.margins.push(hits[at]?.relevance ?? -Infinity)
    const { related_decisions: related } = await check(store, { proposed_approach: proposal })
    const hit = related.find(({ id }) => decisionNumber(id) === decision)
    if (hit?.verdict === 'strong' || hit?.verdict === 'related') answers.told++
  }
  for (const proposal of set.unrelated) {
    const store = await records.with(undefined)
    const { hits } = await store.rank({ text: checkQuery(proposal, undefined), limit: 1, among: 'active', check: true })
    answers.noise.push(hits[0]?.relevance ?? -Infinity)
    answers.verdicts.push((await check(store, { proposed_approach: proposal })).verdict)
  }
  await records.close()
  return answers
}

/**
 * Opens the record for each proposal: five random decisions, the domain's decisions, or the domain's decisions among
 * many others.
 */
function openRecords(decisions: readonly Decision[], { size, embedder }: Trial) {
  const chance = openChance(decisions.length)
  const folders: string[] = []
  let one: Promise<Store> | undefined
  const inMemory = (chosen: readonly Decision[]) =>
    openMemoryStore({
      project,
      clock: systemClock,
      files: Object.fromEntries(chosen.map((decision) => fileOf(decision))),
      embedder: async () => embedder,
    })
  async function onDisk(count: number): Promise<Store> {
    const folder = mkdtempSync(join(tmpdir(), 'ken-eval-verdict-'))
    folders.push(folder)
    mkdirSync(join(folder, 'record', 'decisions'), { recursive: true })
    const pad = openCorpus(count)
    const others = Array.from({ length: count - decisions.length }, (_, i) => pad.decision(1000 + i))
    for (const decision of decisions) {
      const [path, text] = fileOf(decision)
      writeFileSync(join(folder, 'record', path), text)
    }
    for (const { name, text } of others) writeFileSync(join(folder, 'record', 'decisions', name), text)
    const store = await openFileStore({
      project: { ...project, location: join(folder, 'record') },
      root: join(folder, 'record'),
      clock: systemClock,
      cacheDir: join(folder, 'cache'),
      stateDir: join(folder, 'state'),
      ...(size.endsWith('alone') ? {} : { embedder: async () => embedder }),
    })
    // Warms up: the first questions of a large record use only the vectors loaded so far.
    for (let i = 0; i < 1 + count / 1_000; i++)
      await store.rank({ text: 'anything', limit: 1, among: 'active', check: true })
    return store
  }
  return {
    with(wanted: number | undefined): Promise<Store> {
      if (size !== '5') return (one ??= onDisk(size.startsWith('own') ? decisions.length : Number(size)))
      const must = decisions.filter(({ num }) => num === wanted)
      const rest = decisions.filter(({ num }) => num !== wanted)
      const drawn = rest.map((decision) => ({ decision, at: chance() })).sort((a, b) => a.at - b.at)
      return inMemory([...must, ...drawn.slice(0, 5 - must.length).map(({ decision }) => decision)])
    },
    async close() {
      await (await one)?.close()
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    },
  }
}

function fileOf(decision: Decision): [string, string] {
  return [decisionPath(decisionStem(decision.num, decision.title)), decision.content || formatDecision(decision)]
}

function together(parts: readonly Answers[]): Answers {
  return {
    places: parts.flatMap(({ places }) => places),
    margins: parts.flatMap(({ margins }) => margins),
    told: parts.reduce((sum, { told }) => sum + told, 0),
    verdicts: parts.flatMap(({ verdicts }) => verdicts),
    noise: parts.flatMap(({ noise }) => noise),
  }
}

function countsOf({ places, told, verdicts }: Answers) {
  return {
    first: places.filter((at) => at === 0).length,
    five: places.filter((at) => at >= 0).length,
    told,
    asked: places.length,
    alarms: verdicts.filter((verdict) => verdict === 'strong' || verdict === 'related').length,
    noises: verdicts.filter((verdict) => verdict !== 'none').length,
    unrelated: verdicts.length,
  }
}

function row(size: string, domain: string, which: string, answers: Answers): void {
  const of = (count: number, all: number) => `${count}/${all} (${Math.round((100 * count) / all)} %)`
  const { first, five, told, asked, alarms, noises, unrelated } = countsOf(answers)
  console.log(
    `| ${size} | ${domain} | ${which} | ${of(first, asked)} | ${of(five, asked)} | ${of(told, asked)} | ${of(alarms, unrelated)} | ${of(noises, unrelated)} |`,
  )
}

/** Share of wanted decisions above the threshold that lets a given share of unrelated proposals pass. */
function printCurve(which: string, { margins, noise }: Answers): void {
  const falling = noise.toSorted((a, b) => b - a)
  console.log(`\nfive domains, ${which}: unrelated above the line → wanted decisions above it (the line)`)
  for (const share of FALSE_ALARMS) {
    const line = falling[Math.floor(share * falling.length)]!
    const above = margins.filter((margin) => margin > line).length
    console.log(
      `  ${(100 * share).toFixed(0).padStart(3)} % → ${((100 * above) / margins.length).toFixed(0)} % (${line.toFixed(3)})`,
    )
  }
}
