import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WITHDRAWN } from '../../src/analyst/domain/feedback/feedback.ts'
import type { EvaluationState } from '../../src/evaluation/ports/evaluation-state.ts'
import { at, draft, ODD, vote, type AnalystStateSubject, ofEverybody } from './analyst-samples.ts'

export function describeFeedback(name: string, subject: AnalystStateSubject): void {
  describe(`feedback: ${name}`, () => {
    let state: EvaluationState
    const inbox = async (more: object = {}) =>
      (await state.feedback.inbox({ user: 'ada', ...more })).map(({ id }) => id)
    beforeEach(async () => {
      state = await subject.open()
    })
    afterEach(() => state.close())

    test('a vote replaces the earlier one on its message, with its drafts', async () => {
      const drafts = [draft('d1', { siblings: ['d2'], body: ODD }), draft('d2', { siblings: ['d1'], kind: 'test' })]
      await state.feedback.give(vote('m1', { reason: ODD }), drafts)
      expect(await state.feedback.votes({ limit: 9 })).toEqual([vote('m1', { reason: ODD })])
      expect(await Promise.all(['d1', 'd2'].map((id) => state.feedback.find(id, 'ada')))).toEqual(drafts)
      const second = vote('m1', { vote: 'up', reason: '', at: at(6) })
      await state.feedback.give(second, [])
      expect(await state.feedback.votes({ limit: 9 })).toEqual([second])
    })

    test('a vote withdraws the pending drafts of the earlier one, and nothing else', async () => {
      state = await ofEverybody(subject, state)
      const applied = { how: 'applied', at: at(6) } as const
      await state.feedback.give(vote('m1'), [draft('d1'), draft('d2'), draft('d3', { from: { message: 'm2' } })])
      await state.feedback.draft([draft('eves', { user: 'eve' })])
      await state.feedback.settle('d2', applied)
      await state.feedback.give(vote('m1', { at: at(7), reason: 'Net, not gross.' }), [draft('d4')])
      expect((await inbox()).toSorted()).toEqual(['d3', 'd4'])
      expect((await state.feedback.find('d1', 'ada'))?.settled).toEqual({
        how: 'dismissed',
        at: at(7),
        where: WITHDRAWN,
      })
      expect((await state.feedback.find('d2', 'ada'))?.settled).toEqual(applied)
      expect((await state.feedback.find('eves', 'eve'))?.settled).toBeUndefined()
      await expect(state.feedback.give(vote('m1', { vote: 'up' }), [draft('d3')])).rejects.toMatchObject({
        code: 'conflict',
      })
      expect((await inbox()).toSorted()).toEqual(['d3', 'd4'])
    })

    test('a draft can be edited while pending, and is pending again once it is reopened', async () => {
      await state.feedback.draft([draft('d1')])
      await state.feedback.edit('d1', { title: 'Net', body: ODD })
      expect(await state.feedback.find('d1', 'ada')).toEqual(draft('d1', { title: 'Net', body: ODD }))
      await state.feedback.settle('d1', { how: 'applied', at: at(9) })
      await expect(state.feedback.edit('d1', { title: 'x', body: 'y' })).rejects.toMatchObject({ code: 'conflict' })
      await state.feedback.reopen('d1')
      expect(await inbox()).toEqual(['d1'])
      for (const gone of [
        () => state.feedback.reopen('none'),
        () => state.feedback.edit('none', { title: '', body: '' }),
      ])
        await expect(gone()).rejects.toMatchObject({ code: 'not_found' })
    })

    test('a vote with an existing draft is refused', async () => {
      await state.feedback.draft([draft('d1')])
      await expect(state.feedback.give(vote('m1'), [draft('d2'), draft('d1')])).rejects.toMatchObject({
        code: 'conflict',
      })
      await expect(state.feedback.draft([draft('d3'), draft('d3')])).rejects.toMatchObject({ code: 'conflict' })
      expect(await state.feedback.votes({ limit: 9 })).toEqual([])
      expect(await inbox()).toEqual(['d1'])
    })

    test('votes are listed by chat, message and user, newest first', async () => {
      state = await ofEverybody(subject, state)
      await state.feedback.give(vote('m1', { at: at(1) }), [])
      await state.feedback.give(vote('m2', { at: at(3) }), [])
      await state.feedback.give(vote('m3', { at: at(2), chat: 'c2', user: 'eve' }), [])
      const of = async (more: object) =>
        (await state.feedback.votes({ limit: 9, ...more })).map(({ message }) => message)
      expect(await of({})).toEqual(['m2', 'm3', 'm1'])
      expect(await of({ chat: 'c1' })).toEqual(['m2', 'm1'])
      expect(await of({ user: 'eve' })).toEqual(['m3'])
      expect(await of({ message: 'm1' })).toEqual(['m1'])
      expect(await of({ limit: 1 })).toEqual(['m2'])
    })

    test('the inbox lists pending drafts by user, project and kind, newest first', async () => {
      state = await ofEverybody(subject, state)
      await state.feedback.draft([
        draft('a', { at: at(1) }),
        draft('b', { at: at(3), project: 'other' }),
        draft('c', { at: at(2), kind: 'memory', from: { session: 's' } }),
        draft('d', { user: 'eve' }),
      ])
      expect(await inbox()).toEqual(['b', 'c', 'a'])
      expect(await inbox({ project: 'other' })).toEqual(['b'])
      expect(await inbox({ kind: 'memory' })).toEqual(['c'])
      expect(await state.feedback.find('a', 'eve')).toBeUndefined()
    })

    test('a draft is settled once', async () => {
      await state.feedback.draft([draft('d1'), draft('d2')])
      const settled = { how: 'applied', at: at(9), where: 'RULES.md' } as const
      await state.feedback.settle('d1', settled)
      expect(await state.feedback.find('d1', 'ada')).toEqual(draft('d1', { settled }))
      expect([await inbox(), await inbox({ settled: true })]).toEqual([['d2'], ['d1']])
      await expect(state.feedback.settle('d1', { how: 'dismissed', at: at(9) })).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('applied'),
      })
      await expect(state.feedback.settle('none', settled)).rejects.toMatchObject({ code: 'not_found' })
    })
  })
}
