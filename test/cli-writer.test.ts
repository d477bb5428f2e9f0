import { anything, assert, asyncProperty, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { systemClock } from '../src/adapters/clock/system/index.ts'
import { AppError } from '../src/core/errors.ts'
import { screenView } from '../src/core/view/view.ts'
import { defineOperation, type Operation } from '../src/operations/operation.ts'
import type { Context } from '../src/ports/context.ts'
import { askPerson } from '../src/surfaces/cli/ask-person.ts'
import { showProgress } from '../src/surfaces/cli/progress.ts'
import { runCommand } from '../src/surfaces/cli/run.ts'
import { writeText } from '../src/surfaces/cli/write-text.ts'
import { HOSTILE } from './hostile-text.ts'
import { typist } from './typist.ts'

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/
const data = string({ unit: 'binary' }).map((text) => `${text}${HOSTILE}`)

/** An operation that answers, or fails, with whatever it is given. */
const echo = (words: Operation['words'], answer: { text: string; value: unknown } | AppError) =>
  defineOperation({
    name: 'echo',
    title: 'Echo',
    summary: 'Says it again.',
    effect: 'read',
    words,
    input: {},
    output: { text: z.string(), value: z.unknown(), trust: z.string() },
    examples: [],
    async run() {
      if (answer instanceof AppError) throw answer
      return { ...answer, trust: 'approved' }
    },
    render: (output) => `${output.text}\n${JSON.stringify(output.value)}`,
  }) as unknown as Operation

async function said(operation: Operation, argv: string[]): Promise<string> {
  const out: string[] = []
  const stream = { write: (text: string) => out.push(text) }
  await runCommand(
    { ...operation, toolset: 'cli', command: ['echo'] },
    argv,
    async () => ({ clock: systemClock }) as Context,
    {
      out: (text) => writeText(stream, text),
      err: (text) => writeText(stream, text),
      readText: () => '',
      view: (now) => screenView({ columns: 80, now, hasColour: false, verbose: false }),
      trace: () => {},
    },
  )
  return out.join('')
}

test('no control character is in anything a command prints, whatever the data is', async () => {
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

test('no control character is in any failure a command prints, whatever it names', async () => {
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

test('progress draws with its own cursor moves and lets no data make one', () => {
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

test('a question shows what it is about without being moved by it', async () => {
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
