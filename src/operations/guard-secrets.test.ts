import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Context } from './context.ts'
import { guardSecrets } from './guard-secrets.ts'
import { defineOperation } from './operation.ts'

// Assembled at run time, so that no scanner takes this file for a leak.
const KEY = ['AKIA', 'IOSFODNN7EXAMPL2'].join('')
const answer = { text: `use ${KEY}`, file: `JVBERi0x ${KEY} xref` }

const operation = (...holdsFile: readonly string[]) =>
  defineOperation({
    name: 'hand_over',
    title: 'Hand over',
    summary: 'Hand a file over.',
    effect: 'read',
    words: 'own',
    needs: [],
    input: {},
    output: { text: z.string(), file: z.string() },
    examples: [],
    holdsFile,
    run: () => Promise.resolve(answer),
    render: ({ text }) => text,
  })

test('keeps every byte of a file in an answer and redacts the text beside it', () => {
  const { output } = guardSecrets({} as Context, operation('file'))
  expect(output(answer)).toEqual({ text: 'use [redacted]', file: answer.file })
})

test('redacts every text by default', () => {
  const { output } = guardSecrets({} as Context, operation())
  expect(output(answer)['file']).not.toContain(KEY)
})
