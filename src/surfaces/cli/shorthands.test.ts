import { expect, test } from 'vitest'
import { meaningOf } from './shorthands.ts'

test.each(['2', 'D2', 'd002', 'decision-002', '002-use-postgres', 'decisions/002-use-postgres'])(
  'ken show %s reads decision 2',
  (named) => expect(meaningOf('show', [named])).toEqual({ operation: 'get_decision', rest: ['2'] }),
)

test.each(['2e0', '0x2', '2 or 3', '2.5e1'])('ken show "%s" does not read decision 2 or any other', (named) =>
  expect(meaningOf('show', [named])!.rest).toEqual([named]),
)
