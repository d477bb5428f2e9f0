import { expect, test } from 'vitest'
import type { PaletteEntry } from './palette-entry.ts'
import { isQuestion, rankEntries } from './rank-entries.ts'

const entry = (title: string, more: Partial<PaletteEntry> = {}): PaletteEntry => ({
  id: title,
  kind: 'Page',
  title,
  icon: 'file',
  run: () => {},
  ...more,
})
const ranked = (typed: string, entries: readonly PaletteEntry[]): readonly string[] =>
  rankEntries(typed, entries).map(({ title }) => title)

test('a full title match comes first, then title prefixes, then word prefixes, then the rest', () => {
  const entries = [
    entry('Pricing of orders', { found: 0.9 }),
    entry('shop.stg_orders', { found: 0.2 }),
    entry('What we said about baskets', { found: 1 }),
    entry('Orders'),
    entry('Orders are kept for ten years', { found: 0.1 }),
  ]
  expect(ranked('orders', entries)).toEqual([
    'Orders',
    'Orders are kept for ten years',
    'Pricing of orders',
    'shop.stg_orders',
    'What we said about baskets',
  ])
})

test('a number matches the decision of that number before titles that contain it', () => {
  const entries = [entry('12 retries at most', { found: 1 }), entry('Use Postgres', { names: ['D12', '12'], found: 0 })]
  expect(ranked('d12', entries)[0]).toBe('Use Postgres')
  expect(ranked('12', entries)[0]).toBe('Use Postgres')
})

test('local entries must contain every word; search hits need not', () => {
  const entries = [
    entry('Dark theme', { also: 'colour appearance' }),
    entry('Settings'),
    entry('Night', { found: 0.5 }),
  ]
  expect(ranked('appear', entries)).toEqual(['Dark theme', 'Night'])
  expect(ranked('theme dark', entries)).toEqual(['Dark theme', 'Night'])
  expect(ranked('zzz', entries)).toEqual(['Night'])
})

test('accents and case do not matter, and an empty query keeps the order', () => {
  expect(ranked('cafe', [entry('Café')])).toEqual(['Café'])
  expect(ranked('  ', [entry('B'), entry('A')])).toEqual(['B', 'A'])
})

test('distinguishes a question from a name', () => {
  expect(isQuestion('why did we move off the queue')).toBe(true)
  expect(isQuestion('revenue?')).toBe(true)
  expect(isQuestion('stg_orders')).toBe(false)
  expect(isQuestion('use postgres')).toBe(false)
})
