import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { StoryData } from '../../src/analyst/domain/story/story.ts'
import type { EvaluationState } from '../../src/evaluation/ports/evaluation-state.ts'
import { at, ODD, story, version, type AnalystStateSubject, ofEverybody } from './analyst-samples.ts'

const data = (query: string, result: string): StoryData => ({
  story: 's1',
  query,
  database: 'shop',
  sql: ODD,
  result,
  at: at(4),
})

export function describeStories(name: string, subject: AnalystStateSubject): void {
  describe(`stories: ${name}`, () => {
    let state: EvaluationState
    const ids = async (more: object = {}) => (await state.stories.list({ user: 'ada', ...more })).map(({ id }) => id)
    beforeEach(async () => {
      state = await subject.open()
    })
    afterEach(() => state.close())

    test('a story is returned as created, by its id and by its slug', async () => {
      const whole = story('s1', {
        chat: 'c1',
        title: ODD,
        archivedAt: at(1),
        schedule: { cron: '0 9 * * 1', timezone: 'Europe/Rome' },
        lastRefresh: { at: at(2), ok: false, problem: ODD },
      })
      await state.stories.create(whole, version('s1', 1, ODD))
      expect(await state.stories.find({ id: 's1' })).toEqual(whole)
      expect(await state.stories.find({ slug: 'story-s1', project: 'shop' })).toEqual(whole)
      expect(await state.stories.find({ slug: 'story-s1', project: 'other' })).toBeUndefined()
      expect(await state.stories.versions('s1')).toEqual([version('s1', 1, ODD)])
    })

    test('a slug names one story of a project, and a refused one leaves nothing behind', async () => {
      state = await ofEverybody(subject, state)
      await state.stories.create(story('s1', { slug: 'sales' }), version('s1'))
      const second = state.stories.create(story('s2', { slug: 'sales', user: 'eve' }), version('s2'))
      await expect(second).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('sales') })
      await expect(state.stories.create(story('s1'), version('s1'))).rejects.toMatchObject({ code: 'conflict' })
      expect(await state.stories.find({ id: 's2' })).toBeUndefined()
      expect(await state.stories.versions('s2')).toEqual([])
      await state.stories.create(story('s3', { slug: 'sales', project: 'other' }), version('s3'))
      expect(await ids()).toHaveLength(2)
    })

    test('versions are counted, and the most recently changed story comes first', async () => {
      await state.stories.create(story('s1'), version('s1'))
      await state.stories.create(story('s2', { updatedAt: at(1) }), version('s2'))
      expect(await ids()).toEqual(['s2', 's1'])
      const { version: _, ...next } = version('s1', 2, 'a\0\ud800')
      expect(await state.stories.addVersion({ ...next, by: 'person' })).toBe(2)
      expect(await state.stories.addVersion({ ...next, at: at(3) })).toBe(3)
      expect((await state.stories.versions('s1')).map((one) => [one.version, one.by, one.text])).toEqual([
        [1, 'analyst', '# Sales'],
        [2, 'person', 'a\ufffd\ufffd'],
        [3, 'analyst', 'a\ufffd\ufffd'],
      ])
      expect(await ids()).toEqual(['s1', 's2'])
      await expect(state.stories.addVersion({ ...next, story: 'none' })).rejects.toMatchObject({ code: 'not_found' })
    })

    test('versions added concurrently get distinct numbers', async () => {
      await state.stories.create(story('s1'), version('s1'))
      const { version: _, ...next } = version('s1')
      const numbers = await Promise.all([1, 2, 3].map(() => state.stories.addVersion(next)))
      expect(numbers.toSorted()).toEqual([2, 3, 4])
    })

    test('lists filter by user, project, archived or not, and schedule', async () => {
      state = await ofEverybody(subject, state)
      await state.stories.create(story('s1'), version('s1'))
      await state.stories.create(story('s2', { project: 'other' }), version('s2'))
      await state.stories.create(story('s3', { user: 'eve' }), version('s3'))
      await state.stories.change('s1', { schedule: { cron: '* * * * *', timezone: 'UTC' } })
      expect((await ids()).toSorted()).toEqual(['s1', 's2'])
      expect(await ids({ project: 'other' })).toEqual(['s2'])
      expect(await ids({ scheduled: true })).toEqual(['s1'])
      await state.stories.change('s1', { archivedAt: at(9) })
      expect([await ids(), await ids({ archived: true }), await ids({ scheduled: true })]).toEqual([['s2'], ['s1'], []])
    })

    test('a change keeps the rest, and null deletes a field', async () => {
      const whole = story('s1', { chat: 'c1', schedule: { cron: '0 9 * * 1', timezone: 'UTC' } })
      await state.stories.create(whole, version('s1'))
      await state.stories.change('s1', { title: ODD, archivedAt: at(9) })
      expect(await state.stories.find({ id: 's1' })).toEqual({ ...whole, title: ODD, archivedAt: at(9) })
      await state.stories.change('s1', { archivedAt: null, schedule: null })
      expect(await state.stories.find({ id: 's1' })).toEqual(story('s1', { chat: 'c1', title: ODD }))
      await expect(state.stories.change('none', { title: 'x' })).rejects.toMatchObject({ code: 'not_found' })
    })

    test('a failed refresh is recorded and keeps the data of the last good one', async () => {
      await state.stories.create(story('s1'), version('s1'))
      const good = [data('q_a', '{"rows":[[1]]}'), data('q_b', '{"rows":[]}')]
      await state.stories.keepRefresh('s1', { at: at(4), ok: true }, good.toReversed())
      expect(await state.stories.data('s1')).toEqual(good)
      const bad = { at: at(5), ok: false, problem: 'no such column' }
      await state.stories.keepRefresh('s1', bad, [data('q_a', 'half')])
      expect(await state.stories.data('s1')).toEqual(good)
      expect((await state.stories.find({ id: 's1' }))?.lastRefresh).toEqual(bad)
      await state.stories.keepRefresh('s1', { at: at(6), ok: true }, [data('q_c', '{}')])
      expect(await state.stories.data('s1')).toEqual([data('q_c', '{}')])
      await expect(state.stories.keepRefresh('none', bad, [])).rejects.toMatchObject({ code: 'not_found' })
    })
  })
}
