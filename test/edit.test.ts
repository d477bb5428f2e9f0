import { afterEach, beforeEach, expect, it } from 'vitest'
import { call } from '../src/operations/call.ts'
import type { Operation } from '../src/operations/operation.ts'
import { edit } from '../src/record/operations/edit.ts'
import { init } from '../src/setup/operations/init.ts'
import { openDesk, type Desk } from './client-desk.ts'

const PATH = 'decisions/001-initial-project-setup.md'
let desk: Desk
beforeEach(async () => {
  desk = openDesk()
  await desk.run(init, {})
})
afterEach(() => desk.close())

/** A person whose editor returns these texts in turn, and who confirms the first `yes` prompts. */
function editing(texts: readonly ((text: string) => string)[], yes = 0): (input?: object) => Promise<any> {
  const [left, asked] = [[...texts], [] as string[]]
  const ctx = {
    ...desk.context,
    editText: async (text: string) => left.shift()!(text),
    confirm: async (question: string) => {
      asked.push(question)
      return asked.length <= yes
    },
  }
  return async (input = {}) => ({
    ...(await call(ctx, edit as unknown as Operation, { decision: '1', ...input })).output,
    asked,
  })
}

const textOf = async () => (await (await desk.context.record()).read(PATH))!
const clearer = (text: string) => text.replace('Keep the decisions', 'Keep all decisions')

it('records an edit in the editor, so that the record still verifies', async () => {
  expect(await editing([clearer])()).toMatchObject({ number: 1, changed: true })
  expect(await textOf()).toContain('Keep all decisions')
  const store = await desk.context.record()
  expect(await store.verify()).toEqual([])
  expect((await store.journal()).at(-1)).toMatchObject({ operation: 'accept', facts: { files: [PATH] } })
  expect((await store.snapshots.list()).at(-1)?.trigger).toContain('edit: 001')
})

it('closing the editor without a change records nothing', async () => {
  const events = (await (await desk.context.record()).journal()).length
  expect(await editing([(text) => text])()).toMatchObject({ changed: false })
  expect((await (await desk.context.record()).journal()).length).toBe(events)
})

it('a text that is no longer a decision can be corrected, and is refused otherwise', async () => {
  const broken = (text: string) => text.replace('## Decision', '## Choice')
  const mended = await editing([broken, (text) => clearer(text.replace('## Choice', '## Decision'))], 1)()
  expect(mended).toMatchObject({ changed: true, asked: [expect.stringMatching(/Decision.*\nEdit it again\?$/)] })
  const before = await textOf()
  await expect(editing([broken])()).rejects.toMatchObject({ code: 'invalid_input', hint: 'No changes.' })
  expect(await textOf()).toBe(before)
})

it.each([
  ['another number', (text: string) => text.replace('# 001 —', '# 002 —'), /heading says 2/],
  ['a hidden character', (text: string) => text.replace('Keep', 'Ke\u202eep'), /U\+202E/],
])('%s is refused', async (_what, change, message) => {
  await expect(editing([change])()).rejects.toMatchObject({ message: expect.stringMatching(message) })
})

it('a script passes the whole text, and a call without an editor does not hang', async () => {
  expect(await desk.run(edit, { decision: 'D1', text: clearer(await textOf()) })).toMatchObject({ changed: true })
  await expect(desk.run(edit, { decision: '1' })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('$EDITOR'),
  })
  await expect(desk.run(edit, { decision: '99' })).rejects.toMatchObject({ code: 'not_found' })
})

it('a concurrent change is not overwritten', async () => {
  const store = await desk.context.record()
  const meanwhile = { ...desk.context, confirm: async () => false }
  const ctx = {
    ...meanwhile,
    editText: async (text: string) => {
      await store.commit({ surface: 'cli' }, async (draft) => draft.write(PATH, `${text}\nMore.\n`))
      return clearer(text)
    },
  }
  await expect(call(ctx, edit as unknown as Operation, { decision: '1' })).rejects.toMatchObject({ code: 'conflict' })
  expect(await textOf()).toContain('More.')
})
