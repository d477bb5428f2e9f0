import { expect, it } from 'vitest'
import { completeStory } from './complete-story.ts'

const data = [
  { query: 'q_1', sql: 'SELECT 1', columns: [{ name: 'month', type: 'DATE' }] },
  { query: 'q_2', sql: 'SELECT 2', columns: [{ name: 'revenue', type: 'BIGINT' }] },
]
const at = (text: string) => {
  const found = completeStory(data)(text, text.length)
  return found && [found.from, found.choices.map(({ label }) => label)]
}

it('completes tags, queries, kinds and the columns of the named query', () => {
  expect(at('Text\n<ch')).toEqual([5, ['<chart', '<table', '<grid', '<param']])
  expect(at('<chart query="q')).toEqual([14, ['q_1', 'q_2']])
  expect(at('<chart query="q_2" x="')).toEqual([22, ['revenue']])
  expect(at('<chart query="q_2" y="revenue,re')).toEqual([30, ['revenue']])
  expect(at('<chart kind="')?.[1]).toContain('stacked_bar')
  expect(at('<param name="a" kind="')?.[1]).toEqual(['text', 'number', 'date', 'period'])
})

it('does not complete in text or in closed tags', () => {
  expect(at('Some text')).toBeUndefined()
  expect(at('<chart query="q_1"/> and ')).toBeUndefined()
  expect(at('<chart title="x')).toBeUndefined()
})
