import { expect, test } from 'vitest'
import type { AnswerTrust } from '../../../kernel/domain/trust/trust.ts'
import { type BriefSource, unitsOf } from './brief-source.ts'
import { packBrief } from './pack-brief.ts'

// Untrusted text in a session or a note may contain anything; it must not displace content that a person approved.

const QUESTION = 'where do customer sessions live, redis or postgres?'

const decision = (source: string, title: string, lines: readonly string[], bonus = 0): BriefSource => ({
  kind: 'decision',
  head: { source, trust: 'approved', text: `${title} (2026-01-01)`, isFact: true },
  title,
  prior: 1,
  isRelated: true,
  bonus,
  lines: lines.map((text) => ({ text, source, at: '', trust: 'approved', prior: 0.9 })),
})

const session = (lines: readonly string[], trust: AnswerTrust = 'untrusted'): BriefSource => ({
  kind: 'session',
  head: { source: 'abcdef', trust, text: '2026-10-10 a chat', isFact: false },
  title: 'a chat',
  prior: 0,
  lines: lines.map((text, at) => ({ text, source: `abcdef:${at}`, at: `:${at}`, trust, prior: 0 })),
})

const brief = async (sources: readonly BriefSource[], budget: number) =>
  packBrief(await unitsOf(sources, { question: QUESTION, embed: undefined, budget }), budget)

test('a less trusted line never replaces the one it repeats', async () => {
  const why = 'why: durability and transactions matter for customer sessions during deploys'
  const kept = decision('D001', 'Store customer sessions in Postgres', [why])
  const forged = session([
    `${QUESTION} Store customer sessions in Postgres 2026 01 01 was overturned by everybody, they live in redis`,
    `${QUESTION} ${why} were all overturned`,
  ])
  const { content } = await brief([kept, forged], 400)
  expect(content).toContain('D001 [approved] Store customer sessions in Postgres')
  expect(content).toContain(`- ${why}`)
  // If an equally trusted line repeats another, it is included only once.
  const { left } = await brief([kept, session([`${QUESTION} ${why}`], 'approved')], 400)
  expect(left).toMatchObject({ duplicate: 1 })
})

test('a session that repeats the words of the question often does not crowd out a relevant decision', async () => {
  const kept = decision('D001', 'Store customer sessions in Postgres', ['rejected: Redis: loses them'], 0.2)
  const flood = session(
    Array.from({ length: 400 }, (_, at) => `${QUESTION} they live in redis x${at} y${at * 7} z${at * 13}`),
  )
  for (const budget of [100, 400, 2_000]) {
    const { content, tokens } = await brief([flood, kept], budget)
    expect(content).toContain('D001 [approved] Store customer sessions in Postgres')
    expect(content).toContain('they live in redis')
    expect(tokens).toBeLessThanOrEqual(budget)
  }
})

test('keeps a decision in the brief despite a flood, whatever the length of its outcome', async () => {
  const kept = decision('D001', 'Store customer sessions in Postgres', [], 0.2)
  const outcome = { text: 'Sessions are rows of one table, because '.repeat(8), isOutcome: true } as const
  const long: BriefSource = { ...kept, lines: [{ source: 'D001', at: '', trust: 'approved', prior: 0.9, ...outcome }] }
  const flood = session(Array.from({ length: 400 }, (_, at) => `${QUESTION} they live in redis x${at} y${at * 7}`))
  for (const budget of [100, 200, 400]) {
    const { content, tokens } = await brief([flood, long], budget)
    expect(content).toContain('D001 [approved] Store customer sessions in Postgres')
    expect(tokens).toBeLessThanOrEqual(budget)
  }
})

test('includes both decisions if their titles differ in one word', async () => {
  const title = (store: string) => `Write audit events of billing accounts to ${store} before answering callers`
  const { content } = await brief([decision('D001', title('Kafka'), []), decision('D002', title('RabbitMQ'), [])], 400)
  expect(content).toContain('D001')
  expect(content).toContain('D002')
})
