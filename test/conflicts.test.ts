import { afterEach, beforeEach, expect, test } from 'vitest'
import { conflicts, resolveConflict } from '../src/record/operations/conflicts.ts'
import { questions } from '../src/record/operations/questions.ts'
import { undo } from '../src/record/operations/undo.ts'
import { init } from '../src/setup/operations/init.ts'
import { openDesk, type Desk } from './client-desk.ts'
import { plantConflict } from './planted-conflict.ts'

const DECISION = 'decisions/001-initial-project-setup.md'
const said = (words: string) => (text: string) => text.replace('Keep the decisions', words)

let desk: Desk
beforeEach(async () => {
  desk = openDesk()
  await desk.run(init, {})
})
afterEach(() => desk.close())

const store = () => desk.context.record()
const open = async () => (await desk.run(conflicts, {})).conflicts
const textOf = async (path: string) => (await (await store()).read(path))!
const plant = async (path = DECISION) =>
  path === DECISION
    ? plantConflict(await store(), path, [said('Keep all decisions'), said('Keep few decisions')])
    : plantConflict(await store(), path, [(text) => `${text}\nFor teams.\n`, (text) => `${text}\nFor people.\n`])

test('lists both texts of a conflict', async () => {
  await plant()
  expect(await open()).toEqual([
    expect.objectContaining({
      question: 'Q1',
      path: DECISION,
      standing: expect.stringContaining('Keep all decisions'),
      other: expect.stringContaining('Keep few decisions'),
    }),
  ])
})

test('takes the other text of a decision and resolves the question with that decision, until it is undone', async () => {
  await plant()
  const [before] = await open()
  expect(await desk.run(resolveConflict, { question: 'q1', keep: 'other' })).toMatchObject({ changed: true })
  expect(await textOf(DECISION)).toBe(before!.other)
  expect((await desk.run(questions, { all: true })).questions).toMatchObject([{ id: 'Q1', resolved_by: 1 }])
  expect([await open(), await (await store()).verify()]).toEqual([[], []])
  await desk.run(undo, { yes: true })
  expect(await textOf(DECISION)).toBe(before!.standing)
  expect(await open()).toEqual([before])
})

test('keeps the current text, or writes a merged one, and closes the question about a file that is not a decision', async () => {
  await plant('project.md')
  const [before] = await open()
  const text = `${before!.standing}\nFor people.\n`
  expect(await desk.run(resolveConflict, { question: 'Q1', text, expects: before!.hash })).toMatchObject({
    changed: true,
  })
  expect(await textOf('project.md')).toBe(text)
  expect((await desk.run(questions, { all: true })).questions).toEqual([])
  await desk.run(undo, { yes: true })
  await desk.run(resolveConflict, { question: 'Q1', keep: 'standing' })
  expect(await textOf('project.md')).toBe(before!.standing)
  expect([await open(), await (await store()).verify()]).toEqual([[], []])
})

test('refuses a text that is not a decision, a decision for a text that has changed, and an unknown question', async () => {
  await plant()
  const [before] = await open()
  const refuse = (input: object) => expect(desk.run(resolveConflict, input as never)).rejects
  await refuse({ question: 'Q1', text: 'Nothing.' }).toMatchObject({ code: 'invalid_input' })
  await refuse({ question: 'Q1', keep: 'other', expects: '0'.repeat(64) }).toMatchObject({ code: 'conflict' })
  await refuse({ question: 'Q9', keep: 'other' }).toMatchObject({ code: 'not_found' })
  await refuse({ question: 'Q1' }).toMatchObject({ code: 'invalid_input' })
  expect(await open()).toEqual([before])
})
