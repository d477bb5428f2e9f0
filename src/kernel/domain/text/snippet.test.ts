import { describe, expect, test } from 'vitest'
import { analyseQuery } from './analyse.ts'
import { densestPart, snippetAround, snippetOf } from './snippet.ts'

const LONG = `${'before '.repeat(20)}Redis${' after'.repeat(20)}`

test('dots appear only in place of omitted text', () => {
  expect(snippetAround('Cache in Redis', 'redis')).toBe('Cache in Redis')
  expect(snippetAround(LONG, 'redis')).toMatch(/^\.\.\.\S.*Redis.*\S\.\.\.$/)
  expect(snippetAround(`Redis${' after'.repeat(20)}`, 'redis')).toMatch(/^Redis.*\.\.\.$/)
  expect(snippetAround(`${'before '.repeat(20)}Redis`, 'redis')).toMatch(/^\.\.\..*Redis$/)
})

test('a text with none of the words is represented by its first sentence', () => {
  expect(snippetAround('One thing. Another thing.', 'redis')).toBe('One thing.')
  expect(snippetAround('x'.repeat(300), 'redis')).toHaveLength(100)
})

describe('most relevant lines of a chunk', () => {
  const about = (lines: readonly string[], question: string) => snippetOf(lines.join('\n'), analyseQuery(question))

  test('are one piece around the best line, at most four hundred characters including line breaks', () => {
    const [above, below] = ['a'.repeat(199), 'b'.repeat(195)]
    expect(about([above, 'pears', below.slice(1)], 'pears')).toEqual({
      text: `${above}\npears\n${below.slice(1)}`,
      line: 0,
    })
    expect(about([above, 'pears', below], 'pears')).toEqual({ text: `pears\n${below}`, line: 1 })
  })

  test('grow towards the more relevant neighbour', () => {
    const filler = 'x'.repeat(300)
    expect(about([filler, `plums ${filler}`, 'pears and plums', filler], 'pears plums').line).toBe(1)
    expect(about([filler, filler, 'pears and plums', `plums ${filler}`], 'pears plums').line).toBe(2)
  })

  test('are the first after the frontmatter if none is relevant', () => {
    expect(about(['---', 'title: x', '---', '', 'Hello.', 'x'.repeat(400)], 'pears')).toMatchObject({
      text: expect.stringContaining('Hello.'),
    })
    expect(about(['---', `title: ${'x'.repeat(400)}`, '---', '', 'Hello.'], 'pears')).toEqual({
      text: 'Hello.',
      line: 3,
    })
  })

  test('exclude the frontmatter, even if it matches the question', () => {
    expect(about(['---', 'title: pears', '---', '# Pears', 'They keep well.'], 'pears')).toEqual({
      text: '# Pears\nThey keep well.',
      line: 3,
    })
    expect(about(['---', 'title: pears', '---', '', 'Hello.'], 'pears').text).toBe('Hello.')
    expect(about(['---', 'title: pears', '---'], 'pears').text).toBe('---\ntitle: pears\n---')
    expect(about(['---', 'a line that begins a chunk', 'and no frontmatter at all'], 'chunk').text).toContain('chunk')
  })
})

test('the densest part of a long line begins at the first of the words that are closest together', () => {
  const text = `${'pears '.repeat(300)}${'x '.repeat(5_000)}plums and PEARS ${'y '.repeat(5_000)}plums`
  expect(text.slice(densestPart(text, ['pears', 'plums', ''], 1_000))).toMatch(/^plums and PEARS/)
  expect(densestPart(text, ['apples'], 1_000)).toBe(0)
  expect(densestPart('', ['apples'], 1_000)).toBe(0)
})
