import { expect, test } from 'vitest'
import { graphAddress, graphState } from './graph-address.ts'

test('the selection in the graph is restored from its URL', () => {
  const chosen = { view: 'lineage', by: 'topic', decision: 'D012' } as const
  expect(graphState(graphAddress(chosen))).toEqual(chosen)
  expect(graphState(undefined)).toEqual({ decision: undefined })
  expect(graphState('timeline')).toEqual({ view: 'timeline', decision: undefined })
})
