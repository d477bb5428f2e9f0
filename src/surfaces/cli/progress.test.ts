import { expect, test } from 'vitest'
import type { ProgressPart } from '../../kernel/ports/call.ts'
import { showProgress } from './progress.ts'

const part = (name: string, done: number, total?: number, at = ''): ProgressPart => ({ name, done, total, at })

/** The screen of a terminal of that width after the text, and every intermediate state. */
function terminal(columns = 80) {
  const states: string[] = []
  let lines = ['']
  let row = 0
  return {
    states,
    stream: {
      isTTY: true,
      columns,
      write(text: string): boolean {
        for (const [token] of text.matchAll(/\x1b\[(?:\d*)[A-Z]|\r|\n|[^\x1b\r\n]+/g)) {
          const up = /^\x1b\[(\d+)A$/.exec(token)
          if (up) row -= Number(up[1])
          else if (token === '\x1b[J') lines = [...lines.slice(0, row), '']
          else if (token === '\n') lines[++row] ??= ''
          else if (token !== '\r') lines[row] += token
        }
        states.push(lines.join('\n'))
        return true
      },
    },
  }
}

test('a terminal shows a line for each source with its tables, and erases it when all are done', () => {
  const { states, stream } = terminal()
  const { say: progress } = showProgress(stream)
  progress('', 0, 0, [part('database/shop', 0), part('docs', 0)])
  progress('', 0, 40, [part('database/shop', 0, 40), part('docs', 0)])
  progress('', 10, 40, [part('database/shop', 10, 40, 'main.orders'), part('docs', 0, 0)])
  progress('', 40, 40, [part('database/shop', 40, 40), part('docs', 0, 0)])
  expect(states).toEqual([
    'database/shop  listing\ndocs           listing',
    'database/shop  [                        ] 0/40\ndocs           listing',
    'database/shop  [██████                  ] 10/40 main.orders\ndocs           up to date',
    '',
  ])
})

test('bars of failed or stopped work are erased, and nothing is written if none was drawn', () => {
  const { states, stream } = terminal()
  const { say, clear } = showProgress(stream)
  clear()
  expect(states).toEqual([])
  say('reading', 3, 0)
  expect(states.at(-1)).toBe('3 reading')
  clear()
  expect(states.at(-1)).toBe('')
  const said: string[] = []
  const piped = showProgress({ write: (text) => said.push(text) > 0 })
  piped.say('reading', 3, 0)
  piped.clear()
  expect(said).toEqual([])
})

test('lines never wrap, and if there are many sources the active ones are shown', () => {
  const { states, stream } = terminal(30)
  const parts = Array.from({ length: 20 }, (_, i) =>
    part(`source/${i}`, 1, i < 10 ? 1 : 2, 'a title that is far too long for it'),
  )
  showProgress(stream).say('', 0, 0, parts)
  const lines = states.at(-1)!.split('\n')
  expect(lines).toHaveLength(13)
  expect(lines[0]).toMatch(/^source\/10/)
  expect(lines.at(-1)).toBe('and 8 more')
  expect(lines.every((line) => line.length < 30)).toBe(true)
})

test('tasks without parts have one bar, and a message without a count stays on the screen', () => {
  const { states, stream } = terminal()
  const { say: progress } = showProgress(stream)
  progress('indexing', 1, 2)
  progress('Looking again in 60 s.', 0, 0)
  progress('indexing', 1, 2)
  progress('indexing', 2, 2)
  expect(states.at(-1)).toBe('Looking again in 60 s.\n')
  expect(states[0]).toBe('[████████████            ] 1/2 indexing')
})

test('without a terminal, prints plain lines: the total, progress at every quarter if there are many items, and messages without a count', () => {
  const said: string[] = []
  const { say: progress } = showProgress({ write: (text) => said.push(text) > 0 })
  for (let done = 0; done <= 200; done++)
    progress('', done, 203, [
      part('big', done, 200),
      part('small', Math.min(done, 3), 3),
      part('idle', 0, 0),
      part('late', 0),
    ])
  progress('indexing', 1, 2)
  progress('Looking again in 60 s.', 0, 0)
  expect(said.join('')).toBe(
    'big: 200 to fetch\nsmall: 3 to fetch\nbig: 50 of 200\nbig: 100 of 200\nbig: 150 of 200\nbig: 200 of 200\nLooking again in 60 s.\n',
  )
})
