import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { EvaluationState } from '../../src/evaluation/ports/evaluation-state.ts'
import { at, comment, ODD, story, version, type AnalystStateSubject } from './analyst-samples.ts'

export function describeStoryComments(name: string, subject: AnalystStateSubject): void {
  describe(`comments on stories: ${name}`, () => {
    let state: EvaluationState
    const ids = async (of: string) => (await state.comments.list(of)).map(({ id }) => id)
    beforeEach(async () => {
      state = await subject.open()
      for (const id of ['s1', 's2']) await state.stories.create(story(id), version(id))
    })
    afterEach(() => state.close())

    test('comments are returned as written, in the order they were written', async () => {
      const anchor = { kind: 'chart', name: ODD, text: ODD, before: '', after: 'next' } as const
      const whole = [
        comment('k2', { text: ODD, anchor, byAgent: true }),
        comment('k1', { thread: 'k2', at: at(2), kind: 'resolved', text: '' }),
      ]
      for (const one of whole) await state.comments.add(one)
      await state.comments.add(comment('k3', { story: 's2' }))
      expect(await state.comments.list('s1')).toEqual(whole)
      expect(await ids('s2')).toEqual(['k3'])
      expect(await ids('none')).toEqual([])
    })

    test('a removed comment is gone, and the rest of its thread stays', async () => {
      for (const id of ['k1', 'k2']) await state.comments.add(comment(id, { thread: 'k1' }))
      expect(await state.comments.remove('k1')).toBe(true)
      expect(await ids('s1')).toEqual(['k2'])
      expect(await state.comments.remove('k1')).toBe(false)
    })

    test('a comment needs a story, and text that a database refuses is kept without it', async () => {
      await expect(state.comments.add(comment('k1', { story: 'none' }))).rejects.toMatchObject({ code: 'not_found' })
      await state.comments.add(comment('k1', { text: 'a\0\ud800' }))
      expect((await state.comments.list('s1'))[0]!.text).toBe('a\ufffd\ufffd')
    })
  })
}
