import { expect, test } from 'vitest'
import { layOutStory } from '../src/analyst/domain/story/lay-out-story.ts'
import { storyPage } from '../src/analyst/domain/story/story-page.ts'

// Each would take minutes with repeated scanning.
test.each([
  '<chart ',
  '<chart \n',
  '<chart a="',
  "<chart a='",
  '<chart query="q_1" kind="bar" y="a"/>',
  '<table query="q_1">\n',
  '<grid cols="2">',
  '</grid>',
  '[',
  '[a](',
  '![',
  '*a ',
  '**a _b ',
  '~~x',
  '`',
  '``` `` ` ',
  '> ',
  '> a\n',
  '- ',
  'a\n- ',
  '  - a\n',
  '- a\n\n',
  '|a',
  '| a | b |\n|-|-|\n',
  '#',
  'http://',
  '\n\n',
  '<',
  '&quot;',
])(
  'a story of one megabyte of %j is parsed and laid out',
  (unit) => {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length))
    const { blocks, faults: told } = layOutStory(text, new Map())
    expect(told.length).toBeLessThanOrEqual(251)
    expect(storyPage({ title: 'T', lines: [], notices: [], blocks, pictures: new Map() }).length).toBeGreaterThan(0)
  },
  60_000,
)
