import { anything, assert, asyncProperty, constantFrom, oneof, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { AppError } from '../src/kernel/domain/errors.ts'
import { visible } from '../src/kernel/domain/trust/visible.ts'
import { PLAIN, screenView } from '../src/kernel/domain/view/view.ts'
import { systemClock } from '../src/kernel/system/clock.ts'
import type { Context } from '../src/operations/context.ts'
import { defineOperation, type Operation } from '../src/operations/operation.ts'
import { askPerson } from '../src/surfaces/cli/ask-person.ts'
import { showProgress } from '../src/surfaces/cli/progress.ts'
import { runCommand } from '../src/surfaces/cli/run.ts'
import { writeText } from '../src/surfaces/cli/write-text.ts'
import { HOSTILE } from './hostile-text.ts'
import { typist } from './typist.ts'

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/
const data = string({ unit: 'binary' }).map((text) => `${text}${HOSTILE}`)

/** An operation that returns, or fails with, the given value. */
const echo = (words: Operation['words'], answer: { text: string; value: unknown } | AppError, tone?: 'bad') =>
  defineOperation({
    name: 'echo',
    title: 'Echo',
    summary: 'Says it again.',
    effect: 'read',
    words,
    needs: [],
    input: {},
    output: { text: z.string(), value: z.unknown(), trust: z.string() },
    examples: [],
    async run() {
      if (answer instanceof AppError) throw answer
      return { ...answer, trust: 'approved' }
    },
    render: (output, _input, view = PLAIN) =>
      `${tone === undefined ? '' : view.mark(tone, output.text)}${output.text}\n${JSON.stringify(output.value)}`,
  }) as unknown as Operation

async function said(operation: Operation, argv: string[], hasColour = false): Promise<string> {
  const out: string[] = []
  const stream = { write: (text: string) => out.push(text) }
  await runCommand(
    { ...operation, toolset: 'cli', command: ['echo'] },
    argv,
    async () => ({ clock: systemClock }) as Context,
    {
      out: (text) => writeText(stream, text, { hasColour }),
      err: (text) => writeText(stream, text, { hasColour }),
      readText: () => '',
      view: (now) => screenView({ columns: 80, now, hasColour, verbose: false }),
      trace: () => {},
    },
  )
  return out.join('')
}

test('commands never print control characters, regardless of the data', async () => {
  await assert(
    asyncProperty(data, anything({ withNullPrototype: false }), async (text, value) => {
      const plain = JSON.parse(JSON.stringify({ value }) ?? '{}').value as unknown
      for (const words of ['own', 'record', 'database'] as const) {
        expect(await said(echo(words, { text, value: plain }), [])).not.toMatch(CONTROL)
        const json = await said(echo(words, { text, value: plain }), ['--json'])
        expect(json).not.toMatch(CONTROL)
        expect(() => JSON.parse(json)).not.toThrow()
      }
    }),
    { numRuns: 200 },
  )
})

test('only the renderer sets colours: data can neither start nor end a colour', async () => {
  const marks = string({ unit: constantFrom('\u000e', '\u000f', 'b', 'm', '\u001b[31m', '\n', '消', ' ') })
  await assert(
    asyncProperty(oneof(data, marks), async (text) => {
      const seen = visible(text)
      const red = seen.split('\n').map((line) => (line === '' ? '' : `\u001b[31m${line}\u001b[39m`))
      expect(await said(echo('own', { text, value: '' }, 'bad'), [], true)).toBe(`${red.join('\n')}${seen}\n""\n`)
      expect(await said(echo('own', { text, value: '' }, 'bad'), [])).toBe(`${seen}${seen}\n""\n`)
    }),
    { numRuns: 300 },
  )
})

test('a failure that contains a mark is not coloured by it', async () => {
  const failure = new AppError('not_found', 'There is no \u000eb red \u000f file.')
  expect(await said(echo('own', failure), [], true)).toBe('ken: There is no \\u{e}b red \\u{f} file.\n')
})

test('failures never print control characters, regardless of the names in them', async () => {
  await assert(
    asyncProperty(data, async (text) => {
      const failure = new AppError('not_found', text, { hint: text, details: { [text]: [text] } })
      expect(await said(echo('own', failure), [])).not.toMatch(CONTROL)
      const json = await said(echo('own', failure), ['--json'])
      expect(json).not.toMatch(CONTROL)
      expect(JSON.parse(json).error.code).toBe('not_found')
      expect(await said(echo('own', failure), [`--${text.trim()}`])).not.toMatch(CONTROL)
    }),
    { numRuns: 200 },
  )
})

test('progress uses its own cursor moves and allows none from data', () => {
  assert(
    property(data, (text) => {
      for (const isTTY of [true, false]) {
        const out: string[] = []
        const { say: progress } = showProgress({ isTTY, columns: 1_000, write: (line) => out.push(line) > 0 })
        progress(text, 0, 0)
        progress(text, 1, 2)
        progress('', 0, 0, [
          { name: text, done: 1, total: 3, at: text },
          { name: 'b', done: 0, total: undefined, at: '' },
        ])
        // eslint-disable-next-line no-control-regex
        expect(out.join('').replaceAll(/\r(?:\u001b\[\d+A)?\u001b\[J/g, '')).not.toMatch(CONTROL)
      }
    }),
  )
})

test('a prompt escapes control characters in its text', async () => {
  const streams = typist([['Allow', 'y']])
  const out: string[] = []
  const write = streams.output.write.bind(streams.output)
  streams.output.write = ((chunk: string, ...rest: never[]) => {
    out.push(String(chunk))
    return write(chunk, ...rest)
  }) as typeof streams.output.write
  expect(await askPerson(`It reads ${HOSTILE}\n\nAllow ${HOSTILE.replaceAll(/\s/g, '')}?`, streams)).toBe(true)
  const text = out.join('')
  expect(text).toContain('\\u{1b}]52;c;ZXZpbA==\\u{7}')
  expect(text).not.toContain('\u001b]')
  expect(text).not.toContain('\u009b')
})
