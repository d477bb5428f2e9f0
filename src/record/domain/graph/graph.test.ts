import { expect, test } from 'vitest'
import { graphSource, manyDecisions, type Given } from '../../../../test/sample-record.ts'
import { buildGraph, type DecisionGraph } from './graph.ts'

const graphOf = (decisions: readonly Given[], questions = ''): DecisionGraph =>
  buildGraph(graphSource(decisions, questions), { bodies: true })
const pairs = (edges: DecisionGraph['citations']): string[] =>
  edges.map(({ from, to }) => `${Number.parseInt(from, 10)}→${Number.parseInt(to, 10)}`)

test('a supersession is one edge whether one or both of the two files state it', () => {
  const graph = graphOf([
    { num: 1, title: 'Only the new one says it' },
    { num: 2, title: 'New one', supersedes: '1' },
    { num: 3, title: 'Only the old one says it', status: 'superseded', superseded_by: '4' },
    { num: 4, title: 'Newer one' },
    { num: 5, title: 'Both say it', status: 'superseded', superseded_by: '6' },
    { num: 6, title: 'Newest one', supersedes: '5' },
  ])
  expect(pairs(graph.supersessions)).toEqual(['2→1', '4→3', '6→5'])
  expect(graph.components.map((ids) => ids.map((id) => Number.parseInt(id, 10)))).toEqual([
    [1, 2],
    [3, 4],
    [5, 6],
  ])
})

test('only a standalone D-number of an existing decision is a citation', () => {
  const graph = graphOf([
    { num: 3, title: 'Charts' },
    { num: 7, title: 'Sums' },
    {
      num: 12,
      title: 'Cites',
      rationale: 'As D3 and D007 say (see D7, D12); not D3.js, RFD7, D99, d3, D3x, 3D7, D7.5 or D_3.',
    },
    { num: 13, title: 'Cites a pair', rationale: 'D3/D7.' },
  ])
  expect(pairs(graph.citations)).toEqual(['12→3', '12→7', '13→3', '13→7'])
})

test('a decision that mentions one that it superseded gets no citation for it', () => {
  const graph = graphOf([
    { num: 1, title: 'Old', status: 'superseded', superseded_by: '2', rationale: 'D2 will come.' },
    { num: 2, title: 'New', rationale: 'Instead of D1.' },
  ])
  expect(graph.citations).toEqual([])
})

test('a merge of several decisions is a branch point and the largest consolidation', () => {
  const old = [8, 9, 10].map((num): Given => ({ num, title: `Old ${num}`, status: 'superseded', superseded_by: '13' }))
  const graph = graphOf([...old, { num: 13, title: 'One instead of three', supersedes: '8' }])
  expect(graph.branch_points).toEqual([{ id: '013-one-instead-of-three', replaces: 3, replaced_by: 0 }])
  expect(graph.stats.largest_consolidation).toEqual({ id: '013-one-instead-of-three', count: 3 })
})

test('references to missing decisions are reported and create no edge', () => {
  const graph = graphOf([{ num: 1, title: 'Lost', status: 'superseded', superseded_by: '40' }])
  expect(graph.supersessions).toEqual([])
  expect(graph.dangling).toEqual([{ id: '001-lost', field: 'superseded_by', number: 40 }])
})

test('includes both decisions that share a number, and names the number', () => {
  const graph = graphOf([
    { num: 4, title: 'Alpha' },
    { num: 4, title: 'Beta' },
    { num: 5, title: 'Cites', rationale: 'See D4, which came first.' },
  ])
  expect(graph.decisions.map((d) => d.id)).toEqual(['004-alpha', '004-beta', '005-cites'])
  expect(graph.stats.duplicate_numbers).toEqual([4])
  expect(graph.citations).toEqual([{ from: '005-cites', to: '004-alpha' }])
})

test('open questions list the decisions they are about', () => {
  const graph = graphOf(
    [
      { num: 1, title: 'A' },
      { num: 2, title: 'B' },
    ],
    '- [Q2] Does D2 hold, and D1?\n- [Q1] Unrelated\n- [Resolved by D1 on 2026-01-02] [Q3] D2?\n',
  )
  expect(graph.questions).toEqual([
    { id: 'Q2', body: 'Does D2 hold, and D1?', decisions: ['002-b', '001-a'] },
    { id: 'Q1', body: 'Unrelated', decisions: [] },
  ])
  expect(graph.stats.open_questions).toBe(2)
})

test('the counts in the stats add up to the number of decisions', () => {
  const { stats } = graphOf(manyDecisions(70))
  expect(stats.active + stats.superseded).toBe(70)
  for (const counts of [stats.by_type, stats.by_confidence])
    expect(Object.values(counts).reduce((a, b) => a + b)).toBe(70)
  expect(stats).toMatchObject({ decisions: 70, first_date: '2025-01-01' })
})

test('a graph without bodies contains no text, but keeps citations in the texts', () => {
  const graph = buildGraph(
    graphSource([
      { num: 1, title: 'A' },
      { num: 2, title: 'B', rationale: 'See D1 for the secret.' },
    ]),
    { bodies: false },
  )
  expect(pairs(graph.citations)).toEqual(['2→1'])
  expect(JSON.stringify(graph)).not.toContain('secret')
})

test('an empty record is an empty graph', () => {
  expect(graphOf([])).toMatchObject({
    decisions: [],
    components: [],
    stats: { decisions: 0, first_date: null, most_cited: null, busiest_day: null },
  })
})
