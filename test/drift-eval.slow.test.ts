import { expect, test } from 'vitest'
import { driftRows } from '../eval/drift.ts'

test('planted drifts are found, and harmless changes are not reported', async () => {
  const rows = await driftRows()
  console.log(
    rows
      .map(
        ({ set, drifts, found, harmless, alarms }) =>
          `${set}: found ${found} of ${drifts}, false alarms ${alarms} of ${harmless}`,
      )
      .join('\n'),
  )
  expect(rows.map(({ mistakes, ...row }) => ({ ...row, mistakes: mistakes.length }))).toEqual([
    { set: 'built repositories', half: 'tuned', drifts: 24, found: 24, harmless: 33, alarms: 0, mistakes: 0 },
    {
      set: 'built repositories, second set',
      half: 'tuned',
      drifts: 20,
      found: expect.toSatisfy((found: number) => found >= 19),
      harmless: 20,
      alarms: 0,
      mistakes: expect.any(Number),
    },
    {
      set: 'built repositories, third set',
      half: 'tuned',
      drifts: 39,
      found: expect.toSatisfy((found: number) => found >= 38),
      harmless: 44,
      alarms: 0,
      mistakes: expect.any(Number),
    },
  ])
})
