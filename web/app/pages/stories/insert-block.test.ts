import { expect, it } from 'vitest'
import { readStory } from '../../../../src/analyst/domain/story/read-story.ts'
import { BLOCKS, blockFor } from './insert-block.ts'

it('inserts blocks without faults into a blank story, with a statement to draw from', () => {
  for (const { kind } of BLOCKS) {
    const { faults, statements } = readStory(`# Title\n\n${blockFor(kind, '# Title', [])}\n`)
    expect(faults).toEqual([])
    expect(statements).toHaveLength(['text', 'period', 'value'].includes(kind) ? 0 : 1)
  }
})

it('draws from the last query of the story, and gives new names', () => {
  const data = [{ query: 'q_5', columns: [{ name: 'month' }, { name: 'revenue' }] }]
  expect(blockFor('chart', '', data)).toBe('<chart query="q_5" kind="bar" x="month" y="revenue" title=""/>')
  const text = '```sql q_1\nSELECT 1\n```\n\n<param name="period" kind="period" default="2026"/>'
  expect(blockFor('statement', text, data)).toContain('```sql q_2\n')
  expect(blockFor('table', text, data)).toContain('query="q_1"')
  expect(blockFor('period', text, data)).toContain('name="period_2"')
})
