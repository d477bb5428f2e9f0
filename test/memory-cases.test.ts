import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { carefulExtractor, eagerExtractor } from '../eval/memory/extractors.ts'
import { countCases, readCaseFile, readSpokenCases, type SpokenCase } from '../eval/memory/read-cases.ts'
import { scoreCase } from '../eval/memory/score.ts'
import { judgeProposals } from '../src/analyst/domain/user-memory/judge-proposals.ts'
import type { MemoryCategory, MemoryRow } from '../src/analyst/domain/user-memory/memory-row.ts'
import { memoryText, pickMemories } from '../src/analyst/domain/user-memory/pick-memories.ts'
import { readProposals, type MemoryProposals } from '../src/analyst/domain/user-memory/proposal.ts'
import { proposeByRule } from '../src/analyst/domain/user-memory/propose-by-rule.ts'
import { userMessages } from '../src/analyst/domain/user-memory/user-messages.ts'
import { memoriesForTurn } from '../src/analyst/memories-for-turn.ts'
import { openSqliteAnalystState } from '../src/database/state/sqlite/analyst-state.ts'

// Which user statements are kept, on labelled cases; `npm run eval:memory` prints the figures of each kind.

const place = mkdtempSync(join(tmpdir(), 'ken-memory-cases-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))
let files = 0

const spoken = readSpokenCases()
const judged = (one: SpokenCase, proposals: MemoryProposals) =>
  judgeProposals(one.messages.length === 0 ? { items: [], forget: [] } : proposals, one)

function shares(extract: (one: SpokenCase) => MemoryProposals, cases: readonly SpokenCase[]) {
  const scores = cases.map((one) => scoreCase(one, judged(one, extract(one))))
  const sum = (of: (score: (typeof scores)[number]) => number): number => scores.reduce((all, one) => all + of(one), 0)
  const [right, wrong, missed] = [sum((s) => s.right), sum((s) => s.wrong.length), sum((s) => s.missed.length)]
  return { precision: right / (right + wrong), recall: right / (right + missed), wrong: scores.flatMap((s) => s.wrong) }
}

test('there are at least 160 cases, and each half has a third of them or more', () => {
  expect(countCases()).toBeGreaterThanOrEqual(160)
  for (const half of ['tuned', 'kept back'])
    expect(spoken.filter((one) => one.half === half).length * 3).toBeGreaterThan(spoken.length)
})

describe.each(['tuned', 'kept back'] as const)('the half that is %s', (half) => {
  const cases = spoken.filter((one) => one.half === half)

  test('nearly all proposals of a careful model are kept, with the right links', () => {
    const { precision, recall } = shares(carefulExtractor, cases)
    expect(precision).toBe(1)
    expect(recall).toBeGreaterThan(0.9)
    for (const one of cases)
      for (const { content, evidence, supersedes } of judged(one, carefulExtractor(one)).accepted)
        expect({ content, supersedes }).toEqual({
          content,
          supersedes: one.expected.find((expected) => expected.evidence.trim() === evidence)!.link,
        })
  })

  test('almost nothing wrong is kept from a model that proposes everything', () => {
    expect(shares(eagerExtractor, cases).precision).toBeGreaterThan(0.9)
  })

  test('nothing injected, or about other people, is kept', () => {
    const others = cases.filter(({ kind }) => kind === 'injection' || kind === 'subject')
    expect(shares(eagerExtractor, others).wrong).toEqual([])
  })

  test('rules find most plain statements and almost nothing else without a model', () => {
    const { precision, recall } = shares((one) => proposeByRule(one.messages.slice(-1), one.holding), cases)
    expect(precision).toBeGreaterThan(0.9)
    expect(recall).toBeGreaterThan(0.75)
  })
})

test('every refusal has a reason', () => {
  const refused = spoken.flatMap((one) => judged(one, eagerExtractor(one)).refused)
  expect(refused.length).toBeGreaterThan(300)
  expect(refused.filter(({ why }) => !/^[a-z].{10,}$/.test(why))).toEqual([])
})

test.each([
  ['nothing', ''],
  ['words', 'I could not find anything.'],
  ['half a JSON', '{"instructions": [{"content": "Always'],
  ['a list', '["always"]'],
  ['another shape', '{"instructions": "always", "facts": [1, null, {"text": "x"}], "forget": {"id": {}}}'],
  ['a page of brackets', '{'.repeat(50_000)],
])('a model that answers with %s proposes nothing', (_what, answer) => {
  expect(readProposals(answer)?.items ?? []).toEqual([])
  expect(readProposals(answer)?.forget ?? []).toEqual([])
})

test('an answer in a fence, with field names of other systems, or null is parsed as intended', () => {
  const item = { content: 'Show euros.', evidence: 'always show euros', supersedes_id: 7 }
  expect(readProposals(`Sure:\n\`\`\`json\n${JSON.stringify({ user_instructions: [item] })}\n\`\`\``)?.items).toEqual([
    { category: 'global_rule', content: 'Show euros.', evidence: 'always show euros', supersedes: '7' },
  ])
  expect(readProposals('null')).toEqual({ items: [], forget: [] })
})

interface Reinject {
  readonly note: string
  readonly rows: Readonly<Record<string, WrittenRow>>
  readonly in?: string
  readonly told: readonly string[]
  readonly text?: string
  readonly never?: readonly string[]
}

interface WrittenRow {
  readonly rule?: string
  readonly fact?: string
  readonly age: number
  readonly chat?: string
  readonly project?: string
  readonly user?: string
  readonly supersededBy?: string
  readonly forgotten?: true
}

const NOW = Date.parse('2026-06-01T00:00:00.000Z')

const row = (id: string, { rule, fact, age, chat, project, user = 'ada', ...more }: WrittenRow): MemoryRow => {
  const at = new Date(NOW - age * 86_400_000).toISOString()
  return {
    id,
    user,
    ...(project !== undefined && { project }),
    category: (rule === undefined ? 'personal_fact' : 'global_rule') satisfies MemoryCategory,
    content: rule ?? fact ?? '',
    evidence: { words: rule ?? fact ?? '', ...(chat !== undefined && { chat }) },
    createdAt: at,
    updatedAt: at,
    ...(more.supersededBy !== undefined && { supersededBy: more.supersededBy }),
    ...(more.forgotten === true && { forgottenAt: at }),
  }
}

test.each(readCaseFile<Reinject>('reinject').map((one) => [one.note, one] as const))('%s', async (_note, one) => {
  const state = await openSqliteAnalystState(join(place, `${++files}.db`), { passing: true })
  for (const [id, written] of Object.entries(one.rows)) {
    const added = row(id, written)
    await state.memories.apply(added.user, [{ kind: 'add', row: added }])
  }
  const project = one.in ?? 'here'
  const told = await memoriesForTurn(state.memories, { user: 'ada', chat: 'here', ...(project !== '' && { project }) })
  expect(told.injected.map(({ id }) => id)).toEqual(one.told)
  if (one.text !== undefined) expect(told.text).toBe(one.text)
  for (const text of one.never ?? []) expect(told.text).not.toContain(text)
  await state.close()
})

interface Cap {
  readonly note: string
  readonly many?: number
  readonly long?: number
  readonly short?: number
  readonly atMost?: number
  readonly atLeast?: number
  readonly shortTold?: true
  readonly messages?: number
  readonly read?: number
  readonly length?: number
  readonly earlier?: true
  readonly cut?: number
}

test.each(readCaseFile<Cap>('cap').map((one) => [one.note, one] as const))('%s', (_note, one) => {
  if (one.many !== undefined) {
    const rows = Array.from({ length: one.many }, (_, i) =>
      row(`r${i}`, { rule: `${i} `.padEnd(one.long!, 'x'), age: i }),
    )
    const short = row('short', { rule: 'Answer in German.', age: 5_000 })
    const { picked } = pickMemories(one.short === undefined ? rows : [...rows, short])
    const tokens = memoryText(picked).length / 4
    expect(tokens).toBeLessThanOrEqual(one.atMost!)
    expect(tokens).toBeGreaterThanOrEqual(one.atLeast!)
    expect(picked.includes(short)).toBe(one.shortTold === true)
  } else if (one.messages !== undefined) {
    const said = Array.from({ length: one.messages }, (_, i) => ({ id: String(i), text: `This is message ${i}.` }))
    expect(userMessages(said)?.map(({ id }) => id)).toEqual(said.slice(-one.read!).map(({ id }) => id))
  } else {
    const long = { id: 'long', text: 'I am '.repeat(one.length! / 5).slice(0, one.length) || 'no' }
    const said = one.earlier === true ? [long, { id: 'last', text: 'And now?' }] : [long]
    const read = userMessages(said)
    const length = read?.[0]?.text.length ?? 0
    expect(length).toBeLessThanOrEqual(one.cut!)
    expect(length).toBeGreaterThanOrEqual(one.cut! * 0.95)
  }
})
