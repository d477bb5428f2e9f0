import { expect, test } from 'vitest'
import { joinRanges } from './join-ranges.ts'

const range = (startLine: number, endLine: number, heading = '') => ({ startLine, endLine, heading })

test('overlapping or adjacent parts are merged, keeping the place and the heading of the better one', () => {
  expect(joinRanges([range(40, 60, 'best'), range(1, 9, 'far'), range(61, 80, 'next')])).toEqual([
    range(40, 80, 'best'),
    range(1, 9, 'far'),
  ])
  expect(joinRanges([range(40, 60), range(55, 70), range(30, 39)])).toEqual([range(30, 70)])
})

test('a part between two others joins them, and parts with lines between them stay separate', () => {
  expect(joinRanges([range(1, 10, 'a'), range(21, 30, 'b'), range(11, 20, 'c')])).toEqual([range(1, 30, 'a')])
  expect(joinRanges([range(1, 10), range(12, 20)])).toEqual([range(1, 10), range(12, 20)])
  expect(joinRanges([])).toEqual([])
})
