import { expect, test } from 'vitest'
import { hit, stale } from '../eval/metrics.ts'
import { openTally } from '../eval/tally.ts'

const query = { text: 'q', relevant: new Set([1]), stale: new Set([2]) }
const first = hit(1, { aim: 0.8 })
const faults = stale({ aim: 1 })

/** Sixteen questions, of which the given number is answered; the others return something stale. */
function tallyOf(found: Readonly<Record<string, number>>) {
  const tally = openTally([first, faults])
  for (const [system, right] of Object.entries(found)) {
    for (let at = 0; at < 16; at++) tally.add(system, { ranking: at < right ? [1] : [2], query, half: at % 2 })
  }
  return tally
}

test('one question fewer than another system is not a loss, but two are', () => {
  const tally = tallyOf({ bm25: 16, close: 15, worse: 14 })
  expect([first, faults].map((metric) => tally.isBelow('close', 'bm25', metric))).toEqual([false, false])
  expect([first, faults].map((metric) => tally.isBelow('worse', 'bm25', metric))).toEqual([true, true])
})

test('a target is reached at or above its figure, a count at or below it', () => {
  const tally = tallyOf({ good: 15, bad: 12 })
  expect([first, faults].map((metric) => tally.reaches('good', metric))).toEqual([true, true])
  expect([first, faults].map((metric) => tally.reaches('bad', metric))).toEqual([false, false])
})

test('figures are shown over all questions and by half; a system that did not run has a dash', () => {
  const tally = tallyOf({ good: 15 })
  expect([tally.show('good', first), tally.show('good', first, 0), tally.show('good', first, 1)]).toEqual([
    '.938',
    '1.000',
    '.875',
  ])
  expect([tally.show('good', faults), tally.show('none', first)]).toEqual(['1 of 16', '–'])
})
