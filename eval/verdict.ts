// How well the decision check finds paraphrases and keeps silent on the rest: `node eval/verdict.ts [--model FILE]`.
// The odd proposals of eval/sets/proposals.json were looked at when the thresholds were chosen; the even ones were not.
import { parseArgs } from 'node:util'
import { systemClock } from '../src/adapters/clock/system/index.ts'
import { openStaticEmbedder } from '../src/adapters/embed/static/index.ts'
import { openMemoryStore } from '../src/adapters/store/memory/index.ts'
import { decisionStem } from '../src/core/decision/decision-id.ts'
import { verdictOf, type Verdict } from '../src/core/ranking/verdict.ts'
import { decisionPath } from '../src/core/record/files.ts'
import type { RankedDecision, Ranking, Store } from '../src/ports/store.ts'
import { checkQuery } from '../src/record/check.ts'
import { goldenDecisions, proposals } from './proposals.ts'

const { values } = parseArgs({ options: { model: { type: 'string', default: 'models/static-256/model.bin' } } })
const project = { id: '01JQ0000000000000000000000', name: 'golden', mode: 'local', location: '' } as const
const files = Object.fromEntries(goldenDecisions().map((d) => [decisionPath(decisionStem(d.num, d.title)), d.content]))

const words = await openMemoryStore({ project, clock: systemClock, files })
const meaning = await openMemoryStore({
  project,
  clock: systemClock,
  files,
  embedder: async () => openStaticEmbedder(values.model),
})
const { paraphrases, unrelated } = proposals()

console.log(
  '| check over 74 decisions | part | hit@1 | hit@5 | touched: strong or related | unrelated: strong or related | unrelated: none |',
)
console.log('|---|---|---|---|---|---|---|')
for (const [name, store] of [
  ['words alone', words],
  ['words and meaning', meaning],
] as const) {
  for (const [part, rest] of [
    ['tuned on', 1],
    ['held out', 0],
  ] as const)
    await report(name, store, { part, rest })
}

async function report(name: string, store: Store, { part, rest }: { part: string; rest: number }): Promise<void> {
  const mine = paraphrases.filter((_, i) => i % 2 === rest)
  const others = unrelated.filter((_, i) => i % 2 === rest)
  let [first, five, told] = [0, 0, 0]
  for (const { proposal, decision } of mine) {
    const ranked = byVerdictScore(await rank(store, proposal))
    const at = ranked.findIndex((hit) => hit.entry.num === decision)
    if (at === 0) first++
    if (at >= 0 && at < 5) five++
    if (at >= 0 && ['strong', 'related'].includes(verdictOf(ranked[at]!))) told++
  }
  const tops: Verdict[] = []
  for (const proposal of others) {
    const hits = byVerdictScore(await rank(store, proposal))
    tops.push(hits[0] === undefined ? 'none' : verdictOf(hits[0]))
  }
  const loud = tops.filter((v) => v === 'strong' || v === 'related').length
  const silent = tops.filter((v) => v === 'none').length
  console.log(
    `| ${name} | ${part} | ${first}/${mine.length} | ${five}/${mine.length} | ${told}/${mine.length} | ${loud}/${others.length} | ${silent}/${others.length} |`,
  )
}

function rank(store: Store, proposal: string): Promise<Ranking> {
  return store.rank({ text: checkQuery(proposal, undefined), limit: 5, among: 'active', check: true })
}

/** The order a reader should look at them in: by what the verdict is made of. */
function byVerdictScore({ hits }: Ranking): RankedDecision[] {
  return [...hits].sort((a, b) => (b.cosine ?? 0) + 0.5 * b.coverage - (a.cosine ?? 0) - 0.5 * a.coverage)
}
