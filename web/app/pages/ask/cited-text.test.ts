import { expect, test } from 'vitest'
import type { Citation } from '../../../../src/analyst/domain/chat/part.ts'
import { citedText } from './cited-text.ts'

const at = (text: string, number: string, state: Citation['state'] = 'checked'): Citation => ({
  text: number,
  at: text.indexOf(number),
  state,
  query: 'q_0123456789ab',
  column: 'revenue',
  row: 1,
})

test('a checked number becomes a link to its cell, whether or not the answer linked it', () => {
  const text = 'Oslo has [35](q_0123456789ab.revenue.1), Bern 30.'
  const { markdown, figures } = citedText(text, [at(text, '35'), at(text, '30')])
  expect(markdown).toBe('Oslo has [35](q_cited.0), Bern [30](q_cited.1).')
  expect(figures.get('q_cited.0')).toMatchObject({ text: '35', state: 'checked' })
})

test('a number that names its cell is linked before the check', () => {
  const { markdown, figures } = citedText('It is [35](q_0123456789ab.revenue.1).', [])
  expect(markdown).toBe('It is [35](q_cited.0).')
  expect(figures.get('q_cited.0')).toMatchObject({ query: 'q_0123456789ab', column: 'revenue', row: 1 })
})

test('a number that no query returned is marked', () => {
  const text = 'About 12 of them.'
  const { figures } = citedText(text, [at(text, '12', 'unsourced')])
  expect([...figures.values()]).toMatchObject([{ state: 'unsourced' }])
})

test('numbers in addresses and code, and numbers that have moved, stay unchanged', () => {
  for (const text of ['See https://a.example/35 there.', 'Run `limit 35` again.', 'See [it](https://a.example/35).'])
    expect(citedText(text, [at(text, '35')]).markdown).toBe(text)
  const moved: Citation = { text: '35', at: 2, state: 'checked' }
  expect(citedText('Something else.', [moved]).markdown).toBe('Something else.')
})
