import { expect, test } from 'vitest'
import { briefReason } from './brief-reason.ts'

test.each([
  ['Slow. It grows with every row.', 'Slow'],
  ['- Bad, because it polls.\n- Bad, because it needs a service', 'Bad, because it polls'],
  ['- Good, because it is fast.\n- Bad, because it polls', 'Bad, because it polls'],
  ['- Cons\n  - No interface for people\n  - No queries', 'No interface for people'],
  ['Cons:\n\n* Costs much', 'Costs much'],
  ['#### Option 2\n\nWraps over\ntwo lines', 'Wraps over two lines'],
  ['1. Too large', 'Too large'],
  ['- Good, because it is fast', 'Good, because it is fast'],
  ['**Cons**', '**Cons**'],
  ['Cons', 'Cons'],
])('shortens %j to %j', (reason, brief) => {
  expect(briefReason(reason)).toBe(brief)
})
