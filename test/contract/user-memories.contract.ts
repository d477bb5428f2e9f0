import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { MemoryRow } from '../../src/analyst/domain/user-memory/memory-row.ts'
import type { MemoryChange } from '../../src/analyst/ports/user-memories.ts'
import type { EvaluationState } from '../../src/evaluation/ports/evaluation-state.ts'
import { at, memory, ODD, type AnalystStateSubject, ofEverybody } from './analyst-samples.ts'

const add = (id: string, more: Partial<MemoryRow> = {}, supersedes?: string): MemoryChange => ({
  kind: 'add',
  row: memory(id, more),
  ...(supersedes !== undefined && { supersedes }),
})

export function describeUserMemories(name: string, subject: AnalystStateSubject): void {
  describe(`user memories: ${name}`, () => {
    let state: EvaluationState
    const apply = (...changes: MemoryChange[]) => state.memories.apply('ada', changes)
    const active = async (project?: string) => (await state.memories.active('ada', project)).map(({ id }) => id)
    const told = async (id?: string) =>
      (await state.memories.history('ada', id)).map(
        ({ kind, memory: of, undone }) => `${kind} ${of}${undone ? ' x' : ''}`,
      )
    beforeEach(async () => {
      state = await subject.open()
    })
    afterEach(() => state.close())

    test('a memory is returned as learned, only to its own user', async () => {
      const evidence = { words: ODD, chat: 'c1', message: 'm1', source: 'codex' }
      const row = memory('r1', { project: 'shop', content: ODD, evidence })
      await apply({ kind: 'add', row })
      expect(await state.memories.find('r1', 'ada')).toEqual(row)
      expect(await state.memories.all('ada')).toEqual([row])
      expect(await state.memories.find('r1', 'eve')).toBeUndefined()
      expect([...(await state.memories.active('eve', 'shop')), ...(await state.memories.all('eve'))]).toEqual([])
      expect(await state.memories.history('eve')).toEqual([])
      expect(await state.memories.undo('eve', at(9))).toBeUndefined()
    })

    test('active memories are those of the user and the project, newest first', async () => {
      await apply(
        add('old', { createdAt: at(1) }),
        add('new', { createdAt: at(3) }),
        add('here', { createdAt: at(2), project: 'shop' }),
        add('there', { createdAt: at(4), project: 'other' }),
        add('same', { createdAt: at(3) }),
      )
      expect(await active()).toEqual(['same', 'new', 'old'])
      expect(await active('shop')).toEqual(['same', 'new', 'here', 'old'])
    })

    test('a row that replaces another marks the other as superseded', async () => {
      await apply(add('r1'))
      await apply(add('r2', { createdAt: at(2) }, 'r1'))
      expect(await active()).toEqual(['r2'])
      expect((await state.memories.all('ada')).map((row) => [row.id, row.supersededBy])).toEqual([
        ['r2', undefined],
        ['r1', 'r2'],
      ])
    })

    test('a row supersedes no row of another user or category, and no inactive row', async () => {
      state = await ofEverybody(subject, state)
      await state.memories.apply('eve', [add('hers', { user: 'eve' })])
      await apply(add('fact', { category: 'personal_fact' }), add('gone'), add('old'))
      await apply({ kind: 'forget', id: 'gone', at: at(1), revive: false }, add('newer', {}, 'old'))
      for (const id of ['hers', 'fact', 'gone', 'old', 'nothing']) await apply(add(`after-${id}`, {}, id))
      expect((await active()).toSorted()).toEqual(
        ['after-fact', 'after-gone', 'after-hers', 'after-nothing', 'after-old', 'fact', 'newer'].toSorted(),
      )
      expect((await state.memories.find('hers', 'eve'))?.supersededBy).toBeUndefined()
      expect((await state.memories.find('old', 'ada'))?.supersededBy).toBe('newer')
    })

    test('an edit changes the content and the time', async () => {
      await apply(add('r1'))
      await apply({ kind: 'edit', id: 'r1', content: 'a\0\ud800', at: at(7) })
      expect(await state.memories.find('r1', 'ada')).toEqual(
        memory('r1', { content: 'a\ufffd\ufffd', updatedAt: at(7) }),
      )
    })

    test('forgetting restores the older row only on request', async () => {
      await apply(add('r1'))
      await apply(add('r2', {}, 'r1'))
      await apply({ kind: 'forget', id: 'r2', at: at(5), revive: false })
      expect(await active()).toEqual([])
      await apply({ kind: 'forget', id: 'r2', at: at(6), revive: true })
      expect(await active()).toEqual(['r1'])
      expect(await state.memories.find('r2', 'ada')).toMatchObject({ forgottenAt: at(5) })
      expect(await state.memories.find('r1', 'ada')).toEqual(memory('r1'))
    })

    test('changes are atomic, and only their own user can make them', async () => {
      state = await ofEverybody(subject, state)
      await state.memories.apply('eve', [add('hers', { user: 'eve' })])
      await apply(add('r1'))
      for (const last of [
        { kind: 'edit', id: 'none', content: 'x', at: at(2) },
        { kind: 'forget', id: 'hers', at: at(2), revive: false },
        { kind: 'edit', id: 'hers', content: 'x', at: at(2) },
        { kind: 'erase', id: 'hers', at: at(2) },
      ] as const)
        await expect(apply(add('r2', {}, 'r1'), last)).rejects.toMatchObject({ code: 'not_found' })
      await expect(apply(add('r2'), add('r1'))).rejects.toMatchObject({ code: 'conflict' })
      await expect(apply(add('r2'), add('hers'))).rejects.toMatchObject({ code: 'conflict' })
      await expect(apply(add('r2', { user: 'eve' }))).rejects.toMatchObject({ code: 'forbidden' })
      expect(await state.memories.all('ada')).toEqual([memory('r1')])
      expect(await told()).toEqual(['add r1'])
      expect(await state.memories.all('eve')).toEqual([memory('hers', { user: 'eve' })])
    })

    test('the history lists events, newest first, with the text before and after', async () => {
      await apply(add('r1'))
      await apply(add('r2', {}, 'r1'))
      await apply({ kind: 'edit', id: 'r2', content: 'better', at: at(3) })
      expect(await told()).toEqual(['edit r2', 'supersede r1', 'add r2', 'add r1'])
      const [edit, replaced, added, first] = await state.memories.history('ada')
      expect(edit).toMatchObject({ before: 'Rule r2', after: 'better', at: at(3) })
      expect(added).not.toHaveProperty('before')
      expect(replaced!.change).toBe(added!.change)
      expect(first!.change).toBeLessThan(added!.change)
      expect(await told('r1')).toEqual(['supersede r1', 'add r1'])
    })

    test('undo reverts changes one after the other, each completely', async () => {
      await apply(add('r1'))
      await apply(add('r2', {}, 'r1'), { kind: 'edit', id: 'r2', content: 'better', at: at(3) })
      await apply({ kind: 'forget', id: 'r2', at: at(4), revive: true })
      expect(await state.memories.undo('ada', at(5))).toMatchObject({ kind: 'forget', memory: 'r2', undone: true })
      expect(await active()).toEqual(['r2'])
      expect(await state.memories.undo('ada', at(6))).toMatchObject({ kind: 'add', memory: 'r2', undone: true })
      expect(await state.memories.all('ada')).toEqual([memory('r1')])
      expect(await state.memories.undo('ada', at(7))).toMatchObject({ kind: 'add', memory: 'r1' })
      expect(await state.memories.all('ada')).toEqual([])
      expect(await state.memories.undo('ada', at(8))).toBeUndefined()
      const kinds = await told()
      expect(kinds.filter((line) => line.startsWith('undo'))).not.toHaveLength(0)
      expect(kinds.filter((line) => !line.startsWith('undo')).every((line) => line.endsWith(' x'))).toBe(true)
    })

    test('changes after an undo are undone before earlier ones', async () => {
      await apply(add('r1'))
      await apply(add('r2'))
      await state.memories.undo('ada', at(3))
      await apply(add('r3'))
      expect(await state.memories.undo('ada', at(4))).toMatchObject({ memory: 'r3' })
      expect(await state.memories.undo('ada', at(5))).toMatchObject({ memory: 'r1' })
    })

    test('an erased memory is gone with its text, including from the history, and cannot be undone', async () => {
      await apply(add('r1', { content: 'my salary', evidence: { words: 'my salary' } }), add('r2'))
      await apply({ kind: 'edit', id: 'r1', content: 'my salary is high', at: at(2) })
      await apply({ kind: 'erase', id: 'r1', at: at(3) }, add('r3', { content: 'salary again' }), {
        kind: 'erase',
        id: 'r3',
        at: at(3),
      })
      expect(await state.memories.find('r1', 'ada')).toBeUndefined()
      expect(JSON.stringify([await state.memories.all('ada'), await state.memories.history('ada')])).not.toContain(
        'salary',
      )
      expect((await state.memories.history('ada', 'r1')).map(({ kind }) => kind)).toEqual(['erase', 'edit', 'add'])
      expect(await state.memories.undo('ada', at(4))).toMatchObject({ kind: 'add', memory: 'r2' })
      expect(await state.memories.all('ada')).toEqual([])
      expect(await state.memories.undo('ada', at(5))).toBeUndefined()
    })
  })
}
