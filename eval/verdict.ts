// How well the decision check finds what a proposal touches and keeps silent on the rest, in the order and with the
// verdicts that the product returns: `node eval/verdict.ts [--model FILE] [--sizes 5,own,1000,10000]`.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openChance } from '../bench/chance.ts'
import { openCorpus } from '../bench/decision-corpus.ts'
import { systemClock } from '../src/adapters/clock/system/index.ts'
import { openStaticEmbedder } from '../src/adapters/embed/static/index.ts'
import { openFileStore } from '../src/adapters/store/files/index.ts'
import { openMemoryStore } from '../src/adapters/store/memory/index.ts'
import { decisionNumber, decisionStem } from '../src/core/decision/decision-id.ts'
import type { Decision } from '../src/core/decision/decision.ts'
import { formatDecision } from '../src/core/decision/format.ts'
import { decisionPath } from '../src/core/record/files.ts'
import type { Store } from '../src/ports/store.ts'
import { check, checkQuery } from '../src/record/check.ts'
import { type CheckSet, checkSets, half, paraphraseSet } from './check-sets.ts'

const { values } = parseArgs({
  options: {
    model: { type: 'string', default: 'models/static-256/model.bin' },
    sizes: { type: 'string', default: '5,own,1000,10000' },
    half: { type: 'string', default: 'both' },
  },
})
const HALVES = (['tuned on', 'held back'] as const).filter((which) => values.half === 'both' || which === values.half)
const FALSE_ALARMS = [0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5]
const project = { id: '01JQ0000000000000000000000', name: 'eval', mode: 'local', location: '' } as const
const embedder = openStaticEmbedder(values.model)
const domains = checkSets()
const sets = [paraphraseSet(), ...domains]

console.log(
  '| record | domain | half | first | among five | told: related or better | unrelated told related | unrelated told anything |',
)
console.log('|---|---|---|---|---|---|---|---|')
const own = new Map<string, Answers[]>()
for (const size of [...values.sizes.split(','), 'own, by words alone']) {
  for (const which of HALVES) {
    const parts: Answers[] = []
    for (const set of sets) {
      const answers = await ask(half(set, which), size)
      row(size, set.domain, which, answers)
      if (domains.includes(set)) parts.push(answers)
    }
    row(size, '**five domains**', which, together(parts))
    if (size === 'own') own.set(which, parts)
  }
}
for (const [which, parts] of own) printCurve(which, together(parts))

interface Answers {
  /** Of related proposals: the place of the wanted decision, from 0, in the ranking without abstention; -1: not there. */
  readonly places: number[]
  /** How far the wanted decision stands above chance; -Infinity where it is not among five. */
  readonly margins: number[]
  /** Wanted decisions that the check returned as related or strong. */
  told: number
  /** Of unrelated proposals: what the check says, and how far the best stands above chance. */
  readonly verdicts: string[]
  readonly noise: number[]
}

async function ask(set: CheckSet, size: string): Promise<Answers> {
  const answers: Answers = { places: [], margins: [], told: 0, verdicts: [], noise: [] }
  const records = openRecords(set.decisions, size)
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

/** The record that each proposal is asked of: five decisions by chance, the domain's own, or those among many others. */
function openRecords(decisions: readonly Decision[], size: string) {
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
    // The first questions of a large record are answered with the vectors there are by then.
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

function row(size: string, domain: string, which: string, { places, told, verdicts }: Answers): void {
  const of = (count: number, all: number) => `${count}/${all} (${Math.round((100 * count) / all)} %)`
  console.log(
    `| ${size} | ${domain} | ${which} | ${of(places.filter((at) => at === 0).length, places.length)} | ${of(places.filter((at) => at >= 0).length, places.length)} | ${of(told, places.length)} | ${of(verdicts.filter((v) => v === 'strong' || v === 'related').length, verdicts.length)} | ${of(verdicts.filter((v) => v !== 'none').length, verdicts.length)} |`,
  )
}

/** What share of the wanted decisions stands above the line that lets a given share of unrelated proposals through. */
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
