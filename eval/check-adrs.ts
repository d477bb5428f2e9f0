/**
 * Measures the check on real ADRs of public projects, imported as `ken import adr` does, with proposals written without
 * knowing the check: `npm run eval -- --only check-adrs --data <folder>`. Runs on each project alone, on all of them in
 * one record, and on those among 1,000 decisions. `node eval/check-adrs.ts --half tuned --misses` lists single misses
 * of the tuning half.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../src/kernel/system/clock.ts'
import { check, checkQuery } from '../src/record/check.ts'
import { decisionNumber } from '../src/record/domain/decision/decision-id.ts'
import type { Store } from '../src/record/ports/store.ts'
import { openMemoryStore } from '../src/record/store/memory/index.ts'
import { openStaticEmbedder } from '../src/retrieval/embed/static/index.ts'
import type { Embedder } from '../src/retrieval/ports/embedder.ts'
import { type AdrRecord, filesOf, importProject, mix, otherDecisions, projectsIn } from './adr-records.ts'
import { EVERY_SET, HALVES, type Figure, type SuiteOptions } from './suite.ts'

interface Pair {
  readonly proposal: string
  readonly old: string
  readonly new: string
}

interface Proposals {
  readonly projects: Readonly<
    Record<string, { related: readonly { proposal: string; file: string }[]; unrelated: readonly string[] }>
  >
  readonly returns: readonly Pair[]
  readonly not_returns: readonly Pair[]
}

type HalfName = (typeof HALVES)[number]

const SIZES = ['each project alone', 'all projects in one record', 'among 1,000'] as const

export async function checkAdrFigures({ data, leaveOut }: SuiteOptions): Promise<Figure[]> {
  const root = join(data!, 'adrs')
  if (!existsSync(root)) {
    leaveOut(EVERY_SET, `there is no ${root}`)
    return []
  }
  const figures: Figure[] = []
  await measure(data!, HALVES, (found) => figures.push(...figuresOf(found)))
  return figures
}

async function measure(
  data: string,
  halves: readonly HalfName[],
  take: (found: Found) => void,
  miss: (line: string) => void = () => {},
): Promise<void> {
  const root = join(data, 'adrs')
  const projects = projectsIn(root).sort((a, b) => (a < b ? -1 : 1))
  const records = new Map<string, AdrRecord>()
  for (const project of projects) records.set(project, await importProject(root, project))
  const proposals = readProposals()
  const embedder = openStaticEmbedder(join(import.meta.dirname, '../models/static-256/model.bin'))
  const mixed = mix([...records.values()])
  const among = mix([...records.values()], otherDecisions(data, 1_000 - mixed.decisions.length))
  for (const half of halves) {
    // Tuning used every other project, so that no text of a held-out project was seen.
    const mine = projects.filter((_, i) => i % 2 === (half === 'tuned' ? 0 : 1))
    for (const size of SIZES) {
      const found = newFound(size, half)
      const one = size === SIZES[1] ? mixed : size === SIZES[2] ? among : undefined
      const shared = one && (await open(one, embedder))
      for (const project of mine) {
        const record = one ?? records.get(project)!
        const store = shared ?? (await open(record, embedder))
        await ask(proposals, { project, record, store, found, miss })
      }
      take(found)
    }
  }
  await embedder.close()
}

/** Counts over the projects of a half. */
interface Found {
  readonly size: (typeof SIZES)[number]
  readonly half: HalfName
  asked: number
  first: number
  five: number
  told: number
  /** Decisions above the threshold or named as nearest below it. */
  shown: number
  unrelated: number
  alarms: number
  strong: number
  /** Largest alarm rate in one project. */
  worst: number
  returns: number
  returnsSaid: number
  /** Unrelated proposals that are reported as reintroducing something. */
  others: number
  wrongly: number
}

const newFound = (size: Found['size'], half: HalfName): Found => ({
  size,
  half,
  asked: 0,
  first: 0,
  five: 0,
  told: 0,
  shown: 0,
  unrelated: 0,
  alarms: 0,
  strong: 0,
  worst: 0,
  returns: 0,
  returnsSaid: 0,
  others: 0,
  wrongly: 0,
})

interface Asking {
  readonly project: string
  readonly record: AdrRecord
  readonly store: Store
  readonly found: Found
  readonly miss: (line: string) => void
}

async function ask(proposals: Proposals, asking: Asking): Promise<void> {
  const { related, unrelated } = proposals.projects[asking.project] ?? { related: [], unrelated: [] }
  for (const { proposal, file } of related) await askRelated(proposal, file, asking)
  const before = { alarms: asking.found.alarms, unrelated: asking.found.unrelated }
  for (const proposal of unrelated) await askUnrelated(proposal, asking)
  const asked = asking.found.unrelated - before.unrelated
  if (asked > 0) asking.found.worst = Math.max(asking.found.worst, (asking.found.alarms - before.alarms) / asked)
  const mine = ({ old }: Pair) => old.startsWith(`${asking.project}/`)
  for (const pair of proposals.returns.filter(mine)) await askReturn(pair, asking)
  for (const { proposal } of proposals.not_returns.filter(mine)) {
    const { returns_to } = await check(asking.store, { proposed_approach: proposal })
    countReturn(proposal, returns_to, asking)
  }
}

async function askRelated(proposal: string, file: string, { record, store, found, miss }: Asking): Promise<void> {
  const wanted = inForce(record, record.numbers.get(file))
  // Drafts become questions, not decisions.
  if (wanted === undefined) return
  const { hits } = await store.rank({ text: checkQuery(proposal, undefined), limit: 5, among: 'active', check: true })
  const at = hits.findIndex(({ entry }) => entry.num === wanted)
  const answer = await check(store, { proposed_approach: proposal })
  const isWanted = ({ id }: { id: string }) => decisionNumber(id) === wanted
  const hit = answer.related_decisions.find(isWanted)
  const isTold = hit?.verdict === 'strong' || hit?.verdict === 'related'
  found.asked++
  if (at === 0) found.first++
  if (at >= 0) found.five++
  if (isTold) found.told++
  else miss(`not told (${at}): ${proposal}`)
  if (isTold || answer.nearest.some(isWanted)) found.shown++
  countReturn(proposal, answer.returns_to, { found, miss })
}

async function askUnrelated(proposal: string, { store, found, miss }: Asking): Promise<void> {
  const answer = await check(store, { proposed_approach: proposal })
  found.unrelated++
  if (answer.verdict === 'strong' || answer.verdict === 'related') {
    found.alarms++
    miss(`${answer.verdict}: ${proposal} → ${answer.related_decisions[0]?.title}`)
  }
  if (answer.verdict === 'strong') found.strong++
  countReturn(proposal, answer.returns_to, { found, miss })
}

async function askReturn({ proposal, old }: Pair, { record, store, found, miss }: Asking): Promise<void> {
  const number = record.numbers.get(old)
  // Only supersessions that the ADRs state themselves are detectable.
  if (record.decisions.find(({ num }) => num === number)?.status !== 'superseded') return
  const { returns_to } = await check(store, { proposed_approach: proposal })
  found.returns++
  if (returns_to.some(({ id }) => decisionNumber(id) === number)) found.returnsSaid++
  else miss(`return not said: ${proposal}`)
}

function countReturn(
  proposal: string,
  said: readonly { title: string }[],
  { found, miss }: Pick<Asking, 'found' | 'miss'>,
): void {
  found.others++
  if (said.length === 0) return
  found.wrongly++
  miss(`said to return: ${proposal} → ${said[0]!.title}`)
}

/** Returns the active decision that superseded the given one. */
function inForce({ decisions }: AdrRecord, number: number | undefined): number | undefined {
  const decision = decisions.find(({ num }) => num === number)
  if (decision === undefined || decision.status === 'active') return decision?.num
  return inForce({ decisions, numbers: new Map() }, Number(decision.superseded_by))
}

const open = ({ decisions }: AdrRecord, embedder: Embedder): Promise<Store> =>
  openMemoryStore({
    project: { id: '01JQ0000000000000000000000', name: 'eval', mode: 'local', location: '' },
    clock: systemClock,
    files: filesOf(decisions),
    embedder: async () => embedder,
  })

function figuresOf(found: Found): Figure[] {
  const at = { set: `ADRs, ${found.size}`, half: found.half, tolerance: 1 } as const
  const more = { ...at, better: 'higher' } as const
  const less = { ...at, better: 'lower' } as const
  return [
    { ...more, measure: 'the decision first', value: found.first, of: found.asked },
    { ...more, measure: 'among five', value: found.five, of: found.asked },
    { ...more, measure: 'told related', value: found.told, of: found.asked },
    { ...more, measure: 'told, or nearest below the line', value: found.shown, of: found.asked },
    { ...less, measure: 'unrelated told related', value: found.alarms, of: found.unrelated },
    { ...less, measure: 'unrelated told strong', value: found.strong, of: found.unrelated },
    { ...less, measure: 'unrelated told related, worst project', value: found.worst, tolerance: 0.1 },
    { ...more, measure: 'returns to a superseded decision said', value: found.returnsSaid, of: found.returns },
    { ...less, measure: 'others said to return', value: found.wrongly, of: found.others },
  ]
}

function readProposals(): Proposals {
  return JSON.parse(
    readFileSync(join(import.meta.dirname, 'sets/check/adr-proposals.json'), 'utf8'),
  ) as unknown as Proposals
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      data: { type: 'string', default: process.env['KEN_EVAL_DATA'] ?? join(import.meta.dirname, '../../shared/data') },
      half: { type: 'string' },
      misses: { type: 'boolean', default: false },
    },
  })
  const halves = HALVES.filter((half) => values.half === undefined || values.half === half)
  await measure(
    values.data,
    halves,
    (found) => {
      for (const { set, half, measure: what, value, of } of figuresOf(found))
        console.log(`${set} | ${half} | ${what} | ${of === undefined ? value.toFixed(2) : `${value}/${of}`}`)
    },
    values.misses && values.half === 'tuned' ? console.log : undefined,
  )
}
