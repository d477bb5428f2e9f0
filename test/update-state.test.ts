import { afterEach, beforeEach, expect, test } from 'vitest'
import { fieldNamed } from '../src/kernel/domain/named-operation.ts'
import { updateState } from '../src/record/operations/update-state.ts'
import type { Store } from '../src/record/ports/store.ts'
import { type ImportDesk, openImportDesk } from './import-desk.ts'

let desk: ImportDesk
let store: Store
beforeEach(async () => {
  desk = openImportDesk()
  store = await desk.start()
})
afterEach(() => desk.close())

const state = async (): Promise<string> => ((await store.read('state_current.md')) ?? '').split('\n\n*Last')[0]!
const run = (input: Record<string, unknown>) => desk.run(updateState, input)

test('keeps both additions, one made with the new field name and one with the old', async () => {
  await run({ add: 'Login works.' })
  const second = await run({ delta: 'Payments work.' })
  expect(await state()).toBe('# Current State\n\nLogin works.\n\nPayments work.')
  expect(second).toMatchObject({ status: 'ok', mode: 'add', kept: 1, added: ['Payments work.'], gone: [] })
  expect(updateState.own(second, {} as never)).toBe('Added to the state: 1 new line, 1 kept.')
})

test('a replacement lists the removed lines, the history keeps them, and one command restores them', async () => {
  await run({ replace: '- a\n- b' })
  const replaced = await run({ state: '- b\n- c' })
  expect(replaced).toMatchObject({ mode: 'replace', kept: 1, added: ['- c'], gone: ['- a'] })
  expect(updateState.own(replaced, {} as never)).toBe(
    'Replaced the state: 1 new line, 1 kept, 1 gone.\nNo longer in it, but in the history (`ken state --undo` takes this change back):\n  - a',
  )
  expect(await store.read('state_history.md')).toContain('- a\n- b')
  expect(await run({ undo: true })).toMatchObject({ mode: 'undo', added: ['- a'], gone: ['- c'] })
  expect(await state()).toBe('# Current State\n\n- a\n- b')
  await run({ undo: true })
  expect(await state()).toBe('# Current State\n\n- b\n- c')
  expect(await store.verify()).toEqual([])
})

test('no field, or more than one, is refused with a hint', async () => {
  const before = await state()
  await expect(run({})).rejects.toMatchObject({
    code: 'invalid_input',
    hint: expect.stringContaining(fieldNamed('add')),
  })
  await expect(run({ add: 'x', replace: 'y' })).rejects.toMatchObject({
    message: `Only one of ${fieldNamed('add')}, ${fieldNamed('replace')} at a time.`,
  })
  await expect(run({ undo: true, add: 'x' })).rejects.toMatchObject({ code: 'invalid_input' })
  expect(await state()).toBe(before)
})

test('a state longer than a session reads is refused, and the current one is kept', async () => {
  for (let i = 0; i < 4; i++) await run({ add: `${i} ${'x'.repeat(4_900)}` })
  const before = await state()
  await expect(run({ add: 'y'.repeat(4_900) })).rejects.toMatchObject({ hint: expect.stringContaining('Replace it') })
  expect(await state()).toBe(before)
})

test('rejects an undo without an earlier state', async () => {
  await expect(run({ undo: true })).rejects.toMatchObject({ code: 'not_found' })
})
