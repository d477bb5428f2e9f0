import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../src/kernel/system/clock.ts'
import type { Context } from '../src/operations/context.ts'
import { decisionNumber } from '../src/record/domain/decision/decision-id.ts'
import { checkDecision } from '../src/record/operations/check-decision.ts'
import type { Store } from '../src/record/ports/store.ts'
import { openMemoryStore } from '../src/record/store/memory/index.ts'
import { openStaticEmbedder } from '../src/retrieval/embed/static/index.ts'
import type { Embedder } from '../src/retrieval/ports/embedder.ts'

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
const corpus: { input: { filename: string; text: string } }[] = read('fixtures/golden/bm25-corpus.json').cases
const facts: {
  name: string
  input: { proposed_approach: string; context: string | null }
  expected: { ranked: [number, number][]; top: { label: string } | null }
}[] = read('fixtures/golden/check-facts.json').cases
const files = Object.fromEntries(corpus.map(({ input }) => [`decisions/${input.filename}`, input.text]))
const project = { id: '01JQ0000000000000000000000', name: 'golden', mode: 'local', location: '' } as const

const openRecord = (embedder: () => Promise<Embedder | undefined>) =>
  openMemoryStore({ project, clock: systemClock, files, embedder })
const check = (store: Store, input: { proposed_approach: string; context?: string }) =>
  checkDecision.run({ record: async () => store } as Partial<Context> as Context, input)
const MODEL = new URL('../models/static-256/model.bin', import.meta.url).pathname
const ORDER = ['strong', 'related', 'weak']

const ask = ({ proposed_approach, context }: (typeof facts)[number]['input']) => ({
  proposed_approach,
  ...(context === null ? {} : { context }),
})

describe('a check by words only', async () => {
  const words = await openRecord(async () => undefined)

  test.each(facts)('$name: the hits and their scores match the reference', async ({ input, expected }) => {
    const output = await check(words, ask(input))
    const hits = output.related_decisions.filter((hit) => hit.score > 0)
    expect(hits.map((hit) => hit.score)).toEqual(expected.ranked.map(([, score]) => score))
    const sure = expected.ranked.filter(
      ([, score]) => expected.ranked.filter(([, other]) => other === score).length === 1,
    )
    for (const [number, score] of sure)
      expect(hits.find((hit) => hit.score === score)?.id).toBe(`decision-${String(number).padStart(3, '0')}`)
    if (expected.top !== null) expect(output.assessment).toContain(`Top match: ${expected.top.label}`)
  })
})

test('hits with the model keep the reference score, are ordered by verdict, and include no unrelated hit', async () => {
  const model = openStaticEmbedder(MODEL)
  const record = await openRecord(async () => model)
  for (const { input, expected } of facts) {
    const { related_decisions: hits } = await check(record, ask(input))
    const scores = new Map(expected.ranked)
    for (const hit of hits) {
      const known = scores.get(decisionNumber(hit.id)!)
      if (known !== undefined) expect(hit.score, hit.id).toBe(known)
    }
    const places = hits.filter((hit) => !hit.brings_back).map((hit) => ORDER.indexOf(hit.verdict))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places).not.toContain(-1)
  }
})

test('an unrelated proposal gets no related decision with the model, and a paraphrase finds its decision', async () => {
  const record = await openRecord(async () => openStaticEmbedder(MODEL))
  const unrelated = await check(record, { proposed_approach: 'Bake sourdough bread with rye starter' })
  expect(unrelated).toMatchObject({ verdict: 'none' })
  expect(checkDecision.render(unrelated, { proposed_approach: '' })).not.toMatch(/D0\d\d/)
  const paraphrase = await check(record, {
    proposed_approach: 'Persist everything in a document store such as Mongo',
  })
  expect(paraphrase.related_decisions.map((hit) => decisionNumber(hit.id))).toContain(2)
})
