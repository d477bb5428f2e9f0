import { array, assert, asyncProperty, constantFrom, integer, option, record, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { estimateTokens } from '../../../kernel/domain/text/estimate-tokens.ts'
import { visibleLine } from '../../../kernel/domain/trust/visible.ts'
import { unitsOf, type BriefSource } from './brief-source.ts'
import { BRIEF_KINDS, type BriefUnit } from './brief-unit.ts'
import { packBrief } from './pack-brief.ts'
import { factTerms } from './same-fact.ts'
import { passagesOf } from './split-passages.ts'

const unit = (text: string, more: Partial<BriefUnit> = {}): BriefUnit => ({
  kind: 'state',
  head: undefined,
  source: 'state_current.md:1',
  at: '',
  trust: 'approved',
  text,
  relevance: 1,
  terms: factTerms({ text }),
  ...more,
})

const anySource = record({
  kind: constantFrom(...BRIEF_KINDS),
  title: option(string({ maxLength: 80 }), { nil: undefined }),
  texts: array(string({ unit: 'grapheme', maxLength: 700 }), { maxLength: 12 }),
  prior: integer({ min: 0, max: 20 }),
}).map(({ kind, title, texts, prior }): BriefSource => {
  const source = 'D012'
  return {
    kind,
    head:
      title === undefined ? undefined : { source, trust: 'learned', text: visibleLine(title), isFact: prior % 2 === 0 },
    title: title ?? '',
    lines: texts
      .map(visibleLine)
      .filter((text) => text !== '')
      .map((text, i) => ({ text, source, at: `:${i}`, trust: 'approved' as const, prior: prior / 10 })),
    prior: prior / 10,
  }
})

test('a brief always stays within its budget and is deterministic', async () => {
  await assert(
    asyncProperty(array(anySource, { maxLength: 15 }), integer({ min: 60, max: 3_000 }), async (sources, budget) => {
      const packed = packBrief(await unitsOf(sources), budget)
      expect(estimateTokens(packed.content)).toBeLessThanOrEqual(budget)
      expect(packed.tokens).toBe(estimateTokens(packed.content))
      expect(packBrief(await unitsOf(sources), budget)).toEqual(packed)
      for (const { text } of packed.lines) expect(packed.content).toContain(text)
    }),
  )
})

describe('a fact that is already included', () => {
  test('is not repeated in the same or almost the same words', () => {
    const { lines, left } = packBrief(
      [
        unit('Orders are kept in Postgres, one table for each shop'),
        unit('Orders are kept in Postgres, one table for each shop', { kind: 'decision', source: 'D002' }),
        unit('The orders of each shop are kept in one Postgres table', { kind: 'note', source: '1a:3' }),
      ],
      500,
    )
    expect(lines).toHaveLength(1)
    expect(left).toEqual({ duplicate: 2 })
  })

  test('is kept beside one that negates it or names another number', () => {
    const texts = [
      'Retries of the payment call wait 5 seconds',
      'Retries of the payment call wait 50 seconds',
      'Never use Redis for the sessions of the shop',
      'Use Redis for the sessions of the shop',
    ]
    const { lines } = packBrief(
      texts.map((text) => unit(text)),
      500,
    )
    expect(lines.map(({ text }) => text)).toEqual(texts)
  })
})

test('a line that is too long does not keep short ones out', () => {
  const { lines } = packBrief([unit('long '.repeat(500), { relevance: 3 }), unit('A short line about the queue')], 100)
  expect(lines.map(({ text }) => text)).toEqual(['A short line about the queue'])
})

test('truncates the best line if none fits in full', () => {
  const { content, lines } = packBrief(
    [unit('The nightly job '.repeat(100)), unit('The best line of all '.repeat(100), { relevance: 2 })],
    66,
  )
  expect(lines[0]!.text).toMatch(/^The best line of all .*…$/)
  expect(estimateTokens(content)).toBeLessThanOrEqual(66)
})

test('includes the most relevant lines first, and counts omitted ones by kind', async () => {
  const source = (kind: 'note' | 'session', name: string, ...texts: string[]): BriefSource => ({
    kind,
    head: { source: name, trust: 'approved', text: name, isFact: false },
    title: '',
    lines: texts.map((text, i) => ({ text, source: name, at: `:${i}`, trust: 'approved', prior: 0 })),
    prior: 0,
  })
  const units = await unitsOf(
    [
      source('note', 'bbbbbbbbbbbb', 'The logo of the shop is green', 'Prices are kept in cents'),
      source(
        'session',
        'aaaaaaaaaaaa',
        'Where do the invoices go?',
        'To the tax office, each quarter',
        'Lunch was good',
      ),
    ],
    { question: 'where are invoices sent to', embed: undefined, budget: 36 },
  )
  const { content, left } = packBrief(units, 36)
  expect(content).toContain('Where do the invoices go?')
  // An answer follows its question, and shares no word with it.
  expect(content).toContain('To the tax office, each quarter')
  expect(left).toEqual({ note: 2, session: 1 })
})

test('reads a line of only spaces, rules or bars in linear time', () => {
  for (const text of [`${' '.repeat(400_000)}a`, '|-'.repeat(200_000), `${'* '.repeat(200_000)}a`])
    expect(passagesOf(text, 'document').every(({ text: own }) => own.length <= 600)).toBe(true)
})
