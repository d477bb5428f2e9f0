import { expect, test } from 'vitest'
import { readMarkdown } from '../../../src/analyst/domain/story/markdown-blocks.ts'
import { headingLevels } from './heading-levels.ts'

const levels = (text: string, first = 2): readonly number[] => [...headingLevels(readMarkdown(text), first).values()]

test('headings start below the page heading and leave no gap', () => {
  expect(levels('# A\n\n## B\n\n#### C\n\n## D')).toEqual([2, 3, 4, 3])
  expect(levels('### A\n\n# B\n\n### C')).toEqual([2, 2, 3])
})

test('headings in quotes and lists count, and none is deeper than six', () => {
  expect(levels('# A\n\n> ## B\n\n- # C')).toEqual([2, 3, 2])
  expect(levels('# A\n\n## B\n\n### C\n\n#### D', 4)).toEqual([4, 5, 6, 6])
})
