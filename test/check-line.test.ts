import { describe, expect, test } from 'vitest'
import { systemClock } from '../src/kernel/system/clock.ts'
import { check } from '../src/record/check.ts'
import type { Decision } from '../src/record/domain/decision/decision.ts'
import { openMemoryStore } from '../src/record/store/memory/index.ts'
import { openStaticEmbedder } from '../src/retrieval/embed/static/index.ts'
import { decisionFile } from './contract/decision-text.ts'
import { PROJECT } from './file-record.ts'

const model = openStaticEmbedder(new URL('../models/static-256/model.bin', import.meta.url).pathname)
const open = (...decisions: readonly [title: string, more: Partial<Decision>][]) =>
  openMemoryStore({
    project: PROJECT,
    clock: systemClock,
    files: Object.fromEntries(decisions.map(([title, more], i) => decisionFile(i + 2, title, more))),
    embedder: async () => model,
  })

const SHOP: [string, Partial<Decision>][] = [
  ['Orders live in Postgres', { rationale: 'We keep orders and payments in one Postgres database with foreign keys.' }],
  ['Prices are integers in cents', { rationale: 'Amounts of money are stored as integers, never as floats.' }],
  ['Sessions in signed cookies', { rationale: 'We keep the login session in a signed cookie, without server state.' }],
  ['Images on a CDN', { rationale: 'Product pictures are resized once and served by the content delivery network.' }],
  ['Invoices as PDF', { rationale: 'Invoices are rendered to PDF files and archived for ten years.' }],
  ['Search by trigram', { rationale: 'Product search uses a trigram index of the database.' }],
]

describe('a check', async () => {
  const shop = await open(...SHOP)

  test('excludes results below the threshold from related, and names the results just below it', async () => {
    const outcome = await check(shop, { proposed_approach: 'Let customers download a receipt of their payment' })
    expect(outcome).toMatchObject({ verdict: 'none', related_decisions: [] })
    expect(outcome.nearest.length).toBeGreaterThan(0)
    expect(outcome.nearest.length).toBeLessThanOrEqual(3)
    expect(outcome.assessment).toContain('No related decisions found.')
    expect(outcome.assessment).toContain(`Below the line, nearest first: D0`)
    expect(outcome.assessment).toContain(`"${outcome.nearest[0]!.title}"`)
  })

  test('names nothing at all for an unrelated proposal', async () => {
    const outcome = await check(shop, { proposed_approach: 'Bake sourdough bread with rye starter' })
    expect(outcome).toMatchObject({ verdict: 'none', related_decisions: [], nearest: [] })
  })

  test('does not repeat a related decision as a nearest one', async () => {
    const { related_decisions: related, nearest } = await check(shop, {
      proposed_approach: 'Store the order and its payment in MongoDB documents',
    })
    expect(related.map(({ title }) => title)).toContain('Orders live in Postgres')
    expect(nearest.filter(({ id }) => related.some((hit) => hit.id === id))).toEqual([])
  })
})

describe('a check against a superseded decision', async () => {
  const builds = await open(
    ['Build with Jenkins', { status: 'superseded', superseded_by: '3', rationale: 'We run every build on Jenkins.' }],
    [
      'Build with GitHub Actions',
      { supersedes: '2', rationale: 'Every build runs on GitHub Actions, next to the code.' },
    ],
    ...SHOP,
  )

  test('reports that a proposal reintroduces it if it has the same choice', async () => {
    const outcome = await check(builds, { proposed_approach: 'Run the release build on Jenkins' })
    expect(outcome.returns_to.map(({ id }) => id)).toEqual(['decision-002'])
    expect(outcome.assessment).toContain('It returns to D002 "Build with Jenkins", superseded by D003.')
  })

  test.each(['Run every build on a larger machine', 'Cache packages between builds in GitHub Actions'])(
    'does not report it if they share only the subject: %s',
    async (proposed_approach) => {
      expect((await check(builds, { proposed_approach })).returns_to).toEqual([])
    },
  )
})

test('a word of a rejected alternative reintroduces nothing in an unrelated decision', async () => {
  const record = await open(
    [
      'Show settings in one page',
      {
        rationale: 'One page with all settings of an account.',
        rejected: [{ name: 'Send', reason: 'Sending each setting by itself was slow.' }],
      },
    ],
    ...SHOP,
  )
  const { related_decisions: related } = await check(record, {
    proposed_approach: 'Send reminders by post to tenants whose lease of a bicycle ends',
  })
  expect(related.filter((hit) => hit.brings_back)).toEqual([])
})
