import { expect, test } from 'vitest'
import { judgeCases, readCases } from '../eval/guard-cases.ts'
import { judgeSentences } from '../eval/rejections.ts'
import { answerText } from '../src/operations/answer.ts'
import { call } from '../src/operations/call.ts'
import type { Context } from '../src/operations/context.ts'
import type { Operation } from '../src/operations/operation.ts'
import { flagQuestion } from '../src/record/operations/flag-question.ts'
import { updateState } from '../src/record/operations/update-state.ts'
import { openMemoryStore } from '../src/record/store/memory/index.ts'
import { stepClock } from './contract/step-clock.ts'
import { recordFiles } from './sample-record.ts'

const RECORD = recordFiles([
  {
    num: 2,
    title: 'Jobs run in a Postgres queue',
    rejected: [{ name: 'Redis', reason: 'One more service to run.' }],
  },
])

async function ask(operation: unknown, input: Record<string, unknown>) {
  const store = await openMemoryStore({
    project: { id: 'P', name: 'shop', mode: 'local', location: 'memory' },
    clock: stepClock(),
    files: { ...RECORD, 'state_current.md': '# Current State\n\nQuiet.\n', 'open-questions.md': '# Open Questions\n' },
  })
  const ctx = {
    clock: stepClock(),
    origin: { surface: 'cli', actor: 'test' },
    record: async () => store,
    projects: { repositories: async () => [] },
    checkRoom() {},
  } as unknown as Context
  const answer = await call(ctx, operation as Operation, input)
  return { answer, text: answerText(operation as Operation, answer, 'pipe'), store }
}

const BACK = {
  decision: 'D002',
  title: 'Jobs run in a Postgres queue',
  alternative: 'Redis',
  reason: 'One more service to run.',
  named: 'redis',
  trust: 'approved',
}

test('a question about a rejected option is recorded, and names the decision that rejected it', async () => {
  const { answer, text, store } = await ask(flagQuestion, { question: 'Should we use redis?' })
  expect(answer.output).toMatchObject({ status: 'ok', num: 1, brings_back: [BACK] })
  expect(text).toBe(
    'Question Q1 flagged.\n\nD002 "Jobs run in a Postgres queue" rejected Redis: One more service to run.',
  )
  expect(await store.read('open-questions.md')).toContain('Should we use redis?')
})

test('a question that does not reintroduce a rejected option names no decision', async () => {
  const { answer, text } = await ask(flagQuestion, { question: 'Can we do without Redis?' })
  expect(answer.output).not.toHaveProperty('brings_back')
  expect(text).toBe('Question Q1 flagged.')
})

test('a state that names a rejected option is written with a warning', async () => {
  const { answer, text, store } = await ask(updateState, { delta: 'Jobs moved to redis.' })
  expect(answer.output).toMatchObject({ status: 'ok', brings_back: [BACK] })
  expect(text).toContain('D002 "Jobs run in a Postgres queue" rejected Redis')
  expect(await store.read('state_current.md')).toContain('Jobs moved to redis.')
  expect((await ask(updateState, { delta: 'The Redis server is gone.' })).answer.output).not.toHaveProperty(
    'brings_back',
  )
})

// `npm run eval:rejections` and `npm run eval:guard` run both sets completely.
test('finds nearly all reintroductions in the labelled sentences, with few false positives', async () => {
  const judged = await judgeSentences()
  const failed = (isReturn: boolean) =>
    judged.filter(({ wanted, isRight }) => (wanted !== undefined) === isReturn && !isRight).map(({ text }) => text)
  expect(failed(true).length).toBeLessThanOrEqual(8)
  expect(failed(false).length).toBeLessThanOrEqual(12)
})

test('judges a few labelled changes correctly on real repositories', async () => {
  const some = readCases('changes')
    .filter(({ isUntouched }) => !isUntouched)
    .filter((_, i) => i % 8 === 0)
  const wrong = (await judgeCases('changes', some)).filter(({ isRight }) => !isRight)
  expect(wrong.map(({ title }) => title)).toEqual([])
})
