import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { EvaluationState } from '../../src/evaluation/ports/evaluation-state.ts'
import {
  at,
  call,
  chat,
  draft,
  memory,
  message,
  ODD,
  query,
  story,
  version,
  vote,
  type AnalystStateSubject,
  ofEverybody,
} from './analyst-samples.ts'

export function describeChats(name: string, subject: AnalystStateSubject): void {
  describe(`chats: ${name}`, () => {
    let state: EvaluationState
    const ids = async (more: object = {}): Promise<string[]> =>
      (await state.chats.list({ user: 'ada', limit: 100, ...more })).map(({ id }) => id)
    const say = (id: string, text: string, minute = 1): Promise<unknown> =>
      state.log.begin(message(`${id}-${minute}`, { chat: id, role: 'user', at: at(minute) }), [{ kind: 'text', text }])
    beforeEach(async () => {
      state = await subject.open()
    })
    afterEach(() => state.close())

    test('a chat is returned as started, and cannot be started twice', async () => {
      const whole = chat('c1', { starred: true, deletedAt: at(9), clientSession: 's1', title: ODD })
      await state.chats.start(whole)
      expect(await state.chats.find('c1', 'ada')).toEqual(whole)
      await expect(state.chats.start(chat('c1'))).rejects.toMatchObject({ code: 'conflict' })
      expect(await state.chats.find('c1', 'ada')).toEqual(whole)
    })

    test('users never see the chats of another user', async () => {
      await state.chats.start(chat('c1'))
      await say('c1', 'revenue')
      expect(await state.chats.find('c1', 'eve')).toBeUndefined()
      expect(await state.chats.ofMessage('c1-1', 'eve')).toBeUndefined()
      expect(await state.chats.ofMessage('c1-1', 'ada')).toMatchObject({ id: 'c1' })
      expect(await state.chats.ofMessage('c1-2', 'ada')).toBeUndefined()
      for (const more of [{}, { text: 'revenue' }, { prefix: 'c' }, { deleted: true }])
        expect(await state.chats.list({ user: 'eve', limit: 9, ...more })).toEqual([])
    })

    test('the chat with the newest message comes first, and lists can be continued', async () => {
      for (const [id, minute] of [
        ['a', 1],
        ['b', 3],
        ['c', 2],
      ] as const) {
        await state.chats.start(chat(id))
        await say(id, 'hello', minute)
      }
      expect(await ids()).toEqual(['b', 'c', 'a'])
      expect(await ids({ limit: 1 })).toEqual(['b'])
      expect(await ids({ before: at(3) })).toEqual(['c', 'a'])
    })

    test('lists filter by project, id prefix, and deleted or not', async () => {
      state = await ofEverybody(subject, state)
      await state.chats.start(chat('01A'))
      await state.chats.start(chat('01B', { project: 'other' }))
      await state.chats.start(chat('02C'))
      await state.chats.change('02C', { deletedAt: at(5) })
      expect(await ids({ project: 'other' })).toEqual(['01B'])
      expect((await ids({ prefix: '01' })).toSorted()).toEqual(['01A', '01B'])
      expect(await ids({ prefix: '%' })).toEqual([])
      expect(await ids({ prefix: '_1' })).toEqual([])
      expect(await ids({ deleted: true })).toEqual(['02C'])
    })

    test('deleted chats are ordered by deletion, newest first, regardless of their messages', async () => {
      for (const [id, said, gone] of [
        ['a', 3, 11],
        ['b', 1, 13],
        ['c', 2, 12],
      ] as const) {
        await state.chats.start(chat(id))
        await say(id, 'hello', said)
        await state.chats.change(id, { deletedAt: at(gone) })
      }
      expect(await ids({ deleted: true })).toEqual(['b', 'c', 'a'])
      expect(await ids({ deleted: true, before: at(13) })).toEqual(['c', 'a'])
    })

    test('a search finds all its words in titles and texts, ignoring case and accents', async () => {
      await state.chats.start(chat('a', { title: 'Umsatz nach Ländern' }))
      await say('a', 'How much did we sell in España?')
      await state.chats.start(chat('b'))
      await say('b', 'HOW MUCH is 100 % of it_x?')
      expect((await ids({ text: 'how much' })).toSorted()).toEqual(['a', 'b'])
      expect(await ids({ text: 'landern espana' })).toEqual(['a'])
      expect(await ids({ text: 'LÄNDERN sell' })).toEqual(['a'])
      expect(await ids({ text: '% it_x' })).toEqual(['b'])
      expect(await ids({ text: 'much of Ländern' })).toEqual([])
      expect(await ids({ text: "' OR 1=1 --" })).toEqual([])
      expect(await ids({ text: 'how', limit: 1 })).toHaveLength(1)
    })

    test('a search finds the current text of an answer, but not superseded messages', async () => {
      await state.chats.start(chat('c1'))
      const [number] = await state.log.begin(message('m1'), [{ kind: 'text', text: 'The' }])
      await state.log.grow('c1', number!, 'The answer is plovdiv')
      expect(await ids({ text: 'plovdiv' })).toEqual(['c1'])
      await state.log.supersede('c1', 'm1')
      expect(await ids({ text: 'plovdiv' })).toEqual([])
    })

    test('a change keeps the rest, and an unknown chat is reported', async () => {
      await state.chats.start(chat('c1', { clientSession: 's1' }))
      await state.chats.change('c1', { title: ODD })
      await state.chats.change('c1', { starred: true })
      await state.chats.change('c1', {})
      expect(await state.chats.find('c1', 'ada')).toEqual(
        chat('c1', { clientSession: 's1', title: ODD, starred: true }),
      )
      await state.chats.change('c1', { deletedAt: at(3), clientSession: 's2' })
      await state.chats.change('c1', { deletedAt: null })
      expect(await state.chats.find('c1', 'ada')).toEqual(
        chat('c1', { clientSession: 's2', title: ODD, starred: true }),
      )
      for (const id of ['c2', "' OR '1'='1"])
        await expect(state.chats.change(id, { title: 'x' })).rejects.toMatchObject({ code: 'not_found' })
    })

    test('invalid Unicode and NUL in a title are replaced by U+FFFD', async () => {
      await state.chats.start(chat('c1', { title: 'a\0b\ud800' }))
      expect(await state.chats.find('c1', 'ada')).toMatchObject({ title: 'a\ufffdb\ufffd' })
      await state.chats.change('c1', { title: '\udfff\0' })
      expect(await state.chats.find('c1', 'ada')).toMatchObject({ title: '\ufffd\ufffd' })
    })

    test('a sweep deletes chats deleted before a time with all their data, and nothing else', async () => {
      for (const id of ['c1', 'c2', 'c3']) {
        await state.chats.start(chat(id))
        await state.log.begin(message(`m-${id}`, { chat: id }), [{ kind: 'text', text: 'kept' }])
        await state.queries.keep(query('q_1', { chat: id, message: `m-${id}` }))
        await state.feedback.give(vote(`m-${id}`, { chat: id }), [
          draft(`d-${id}`, { from: { chat: id, message: `m-${id}`, session: 's' } }),
        ])
        await state.calls.keep(call(`call-${id}`, { chat: id, message: `m-${id}` }))
        await state.stories.create(story(id, { chat: id }), version(id))
        const evidence = { words: 'w', chat: id, message: `m-${id}` }
        await state.memories.apply('ada', [{ kind: 'add', row: memory(`r-${id}`, { evidence }) }])
      }
      await state.chats.change('c1', { deletedAt: at(5) })
      await state.chats.change('c2', { deletedAt: at(7) })
      expect(await state.chats.sweep(at(6))).toBe(1)
      expect(await state.chats.sweep(at(6))).toBe(0)
      expect([await ids(), await ids({ deleted: true })]).toEqual([['c3'], ['c2']])
      expect(await state.log.messages('c1', { superseded: true })).toEqual([])
      expect(await state.log.parts('c1', 0)).toEqual([])
      expect([await state.queries.find('c1', 'q_1'), await state.queries.list('c1')]).toEqual([undefined, []])
      expect(await state.feedback.votes({ chat: 'c1', limit: 9 })).toEqual([])
      expect((await state.feedback.find('d-c1', 'ada'))?.from).toEqual({ session: 's' })
      expect(await state.calls.list({ chat: 'c1' })).toEqual([])
      expect((await state.calls.list({ user: 'ada' }))[0]).toEqual(call('call-c1'))
      expect(await state.stories.find({ id: 'c1' })).toEqual(story('c1'))
      expect((await state.memories.find('r-c1', 'ada'))?.evidence).toEqual({ words: 'w' })
      for (const id of ['c2', 'c3']) {
        expect(await state.log.parts(id, 0)).toHaveLength(1)
        expect(await state.queries.find(id, 'q_1')).toBeDefined()
        expect(await state.feedback.votes({ chat: id, limit: 9 })).toHaveLength(1)
        expect((await state.feedback.find(`d-${id}`, 'ada'))?.from).toMatchObject({ chat: id })
        expect((await state.memories.find(`r-${id}`, 'ada'))?.evidence.chat).toBe(id)
      }
    })

    test('erases one chat with all its data, whether or not the chat was deleted before', async () => {
      for (const id of ['c1', 'c2']) {
        await state.chats.start(chat(id))
        await say(id, 'kept')
        await state.queries.keep(query('q_1', { chat: id }))
      }
      await state.chats.erase('c1')
      expect(await ids()).toEqual(['c2'])
      expect(await ids({ text: 'kept' })).toEqual(['c2'])
      expect([await state.log.messages('c1'), await state.queries.list('c1')]).toEqual([[], []])
      expect(await state.log.parts('c2', 0)).toHaveLength(1)
      await expect(state.chats.erase('c1')).rejects.toMatchObject({ code: 'not_found' })
      await expect(state.chats.erase("' OR '1'='1")).rejects.toMatchObject({ code: 'not_found' })
    })

    test('a restored chat is not swept', async () => {
      await state.chats.start(chat('c1', { deletedAt: at(1) }))
      await state.chats.change('c1', { deletedAt: null })
      expect(await state.chats.sweep(at(59))).toBe(0)
      expect(await ids()).toEqual(['c1'])
    })
  })
}
