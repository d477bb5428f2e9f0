import { expect, test } from 'vitest'
import { anchorsOf, placeOf } from './comment-places.ts'
import { readStory } from './read-story.ts'

const anchors = (text: string) => anchorsOf(readStory(text).blocks)

const STORY = `# Orders

They grew in May, mostly in Italy.

<grid cols="2">
<chart query="q_1" kind="line" x="month" y="orders" title="By month"/>
<table query="q_2" title="By country"/>
</grid>

---

## Returns

Nine came back.
`

/** Names of the blocks where comments on STORY are in a later text; undefined if a block is gone. */
function followed(later: string): (string | undefined)[] {
  const present = anchors(later)
  return anchors(STORY).map((anchor) => {
    const at = placeOf(anchor, present)
    return at === undefined ? undefined : present[at]!.name
  })
}

test('headings, text, and each cell of a grid can be commented on; a rule cannot', () => {
  expect(anchors(STORY).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'text Orders',
    'text They grew in May, mostly in Italy.',
    'chart By month',
    'table By country',
    'text Returns',
    'text Nine came back.',
  ])
})

test('a comment follows its block to another place', () => {
  const moved = STORY.replace('## Returns\n\nNine came back.\n', '')
  expect(followed(`## Returns\n\nNine came back.\n\n${moved}`)).toEqual(anchors(STORY).map(({ name }) => name))
})

test('a comment follows a block that is rewritten between the same neighbours', () => {
  const later = STORY.replace('They grew in May, mostly in Italy.', 'Nothing happened.').replace(
    'Nine came',
    'Ten came',
  )
  expect(followed(later)).toEqual([
    'Orders',
    'Nothing happened.',
    'By month',
    'By country',
    'Returns',
    'Ten came back.',
  ])
})

test('a comment follows a block that is moved and changed a little', () => {
  const chart = '<chart query="q_1" kind="bar" x="month" y="orders" title="By month"/>'
  const later = `${STORY.replace(/<chart[^]*?\/>\n/, '')}\n${chart}\n`
  expect(followed(later)[2]).toBe('By month')
})

test('a comment on a removed block is not moved to a similar one', () => {
  const months = (...names: string[]) => names.map((name) => `Revenue in ${name} was 12 million.`).join('\n\n')
  const [, june] = anchors(months('May', 'June', 'July'))
  expect(placeOf(june!, anchors(months('May', 'July')))).toBeUndefined()
  expect(followed('# Orders')).toEqual(['Orders', ...Array(5).fill(undefined)])
})

test('of blocks with the same content, the one between the same neighbours is meant', () => {
  const twice = '## A\n\nTotal\n\n## B\n\nTotal\n'
  expect(anchors(twice).map((anchor) => placeOf(anchor, anchors(twice)))).toEqual([0, 1, 2, 3])
  const [, , , second] = anchors(twice)
  expect(placeOf(second!, anchors(`New\n\n${twice}`))).toBe(4)
})
