import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MOST_PART } from '../../src/analyst/domain/chat/kept-sizes.ts'
import type { ChatPart } from '../../src/analyst/domain/chat/part.ts'
import type { EvaluationState } from '../../src/evaluation/ports/evaluation-state.ts'
import { at, chat, ended, message, ODD, type AnalystStateSubject } from './analyst-samples.ts'

const PARTS: readonly ChatPart[] = [
  { kind: 'text', text: ODD },
  { kind: 'text', text: '' },
  { kind: 'reasoning', text: 'hm', carry: { signature: 'x' } },
  { kind: 'image', mediaType: 'image/png', base64: 'AAAA' },
  {
    kind: 'injected',
    injected: {
      memories: [{ id: 'r1', content: ODD, category: 'global_rule' }],
      decisions: [{ number: 1, title: 't' }],
      skills: ['s'],
      tables: [],
      stories: [],
    },
  },
  { kind: 'call', call: 'k1', tool: 'execute_sql', input: { sql: ODD, nested: [1, null, { a: '\0\ud800' }] } },
  { kind: 'result', call: 'k1', tool: 'execute_sql', text: ODD, failed: false, output: { rows: [[1, 'a']] } },
  { kind: 'chart', call: 'k2', chart: { query: 'q_1', kind: 'bar', title: 't', x: 'a', series: [{ column: 'b' }] } },
  { kind: 'story', call: 'k3', story: 's1', version: 2 },
  { kind: 'question', question: 'Which year?', options: ['2025', '2026'] },
  { kind: 'approval', call: 'k4', tool: 'mail', input: {} },
  { kind: 'approved', call: 'k4', answer: 'once' },
  { kind: 'follow_ups', questions: ['And 2024?'] },
  { kind: 'remembered', memory: 'r1', content: 'c' },
  { kind: 'compaction', summary: 'so far', upTo: 3 },
  { kind: 'citations', citations: [{ text: '12', at: 3, state: 'checked', query: 'q_1', column: 'n', row: 0 }] },
  { kind: 'notice', text: 'tried again' },
  { kind: 'failure', code: 'unavailable', message: 'gone', hint: 'wait' },
]

export function describeChatLog(name: string, subject: AnalystStateSubject): void {
  describe(`chat log: ${name}`, () => {
    let state: EvaluationState
    const textOf = async (number: number): Promise<unknown> =>
      (await state.log.parts('c1', number - 1, 1)).map(({ part }) => (part.kind === 'text' ? part.text : part))[0]
    beforeEach(async () => {
      state = await subject.open()
      await state.chats.start(chat('c1'))
      await state.chats.start(chat('c2'))
    })
    afterEach(() => state.close())

    test('every kind of part is returned unchanged, numbered in its chat from 1', async () => {
      const first = message('m1', { at: at(4), model: 'openai:small' })
      expect(await state.log.begin(first, PARTS.slice(0, 3))).toEqual([1, 2, 3])
      const numbers: number[] = []
      for (const part of PARTS.slice(3)) numbers.push(await state.log.append(first, part, at(5)))
      expect(numbers).toEqual(PARTS.slice(3).map((_, index) => index + 4))
      expect(await state.log.begin(message('n1', { chat: 'c2' }), [PARTS[0]!])).toEqual([1])
      const parts = await state.log.parts('c1', 0)
      expect(parts.map(({ part }) => part)).toEqual(PARTS)
      expect(parts.map(({ number }) => number)).toEqual(PARTS.map((_, index) => index + 1))
      expect(parts.map((part) => part.at)).toEqual(PARTS.map((_, index) => at(index < 3 ? 4 : 5)))
      expect(await state.log.messages('c1')).toEqual([first])
    })

    test('parts are read from a number on, with a limit', async () => {
      await state.log.begin(message('m1'), PARTS)
      const numbers = async (after: number, limit?: number) =>
        (await state.log.parts('c1', after, limit)).map(({ number }) => number)
      expect(await numbers(0, 2)).toEqual([1, 2])
      expect(await numbers(2, 2)).toEqual([3, 4])
      expect(await numbers(PARTS.length - 1)).toEqual([PARTS.length])
      expect(await numbers(PARTS.length)).toEqual([])
    })

    test('messages are returned in the order they began, whatever their ids and times', async () => {
      for (const [id, minute] of [
        ['z', 5],
        ['a', 5],
        ['m', 4],
      ] as const)
        await state.log.begin(message(id, { at: at(minute) }), [])
      expect((await state.log.messages('c1')).map(({ id }) => id)).toEqual(['z', 'a', 'm'])
    })

    test('a new message updates the time of its chat', async () => {
      await state.log.begin(message('m1', { at: at(30) }), [])
      expect((await state.chats.find('c1', 'ada'))?.updatedAt).toBe(at(30))
    })

    test('a message begins once, in an existing chat, with all of its parts', async () => {
      await state.log.begin(message('m1'), [])
      await expect(state.log.begin(message('m1'), [PARTS[0]!])).rejects.toMatchObject({ code: 'conflict' })
      await expect(state.log.begin(message('m2', { chat: 'none' }), [])).rejects.toMatchObject({ code: 'not_found' })
      const huge: ChatPart = { kind: 'image', mediaType: 'image/png', base64: 'A'.repeat(MOST_PART) }
      await expect(state.log.begin(message('m3'), [PARTS[0]!, huge])).rejects.toMatchObject({ code: 'invalid_input' })
      expect(await state.log.parts('c1', 0)).toEqual([])
      expect((await state.log.messages('c1')).map(({ id }) => id)).toEqual(['m1'])
    })

    test('a part is only added to a message of its own chat, even after its end', async () => {
      await state.log.begin(message('m1'), [])
      await state.log.end('m1', ended)
      expect(await state.log.append(message('m1'), { kind: 'notice', text: 'late' }, at(9))).toBe(1)
      for (const [id, of] of [
        ['m1', 'c2'],
        ['m9', 'c1'],
        ["m1' OR '1'='1", 'c1'],
      ] as const)
        await expect(state.log.append({ id, chat: of }, { kind: 'notice', text: 'x' }, at(9))).rejects.toMatchObject({
          code: 'not_found',
        })
      expect(await state.log.parts('c2', 0)).toEqual([])
    })

    test('a text grows and never gets shorter; the carry of a provider is stored with it', async () => {
      const [text, thought, other] = await state.log.begin(message('m1'), [
        { kind: 'text', text: 'a' },
        { kind: 'reasoning', text: '' },
        { kind: 'notice', text: 'n' },
      ])
      await state.log.grow('c1', text!, 'abc')
      await state.log.grow('c1', text!, 'ab')
      await state.log.grow('c1', thought!, 'so', { signature: 's' })
      await state.log.grow('c1', thought!, 'so then')
      expect((await state.log.parts('c1', 0)).map(({ part }) => part)).toEqual([
        { kind: 'text', text: 'abc' },
        { kind: 'reasoning', text: 'so then', carry: { signature: 's' } },
        { kind: 'notice', text: 'n' },
      ])
      for (const number of [other!, 99, 0])
        await expect(state.log.grow('c1', number, 'longer')).rejects.toMatchObject({ code: 'not_found' })
      await expect(state.log.grow('c2', text!, 'longer')).rejects.toMatchObject({ code: 'not_found' })
    })

    test('many texts that grow concurrently all end with their last value', async () => {
      const numbers = await state.log.begin(
        message('m1'),
        Array.from({ length: 20 }, () => ({ kind: 'text', text: '' }) as const),
      )
      await Promise.all(
        Array.from({ length: 20 }, (_, length) =>
          Promise.all(numbers.map((number) => state.log.grow('c1', number, 'x'.repeat(length + 1)))),
        ),
      )
      for (const number of numbers) expect(await textOf(number)).toBe('x'.repeat(20))
    })

    test('one failure among concurrent writes does not affect the others', async () => {
      const [good, bad, better] = await Promise.allSettled([
        state.log.begin(message('m1'), []),
        state.log.begin(message('m2', { chat: 'none' }), []),
        state.log.begin(message('m3'), []),
      ])
      expect([good.status, bad.status, better.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect((await state.log.messages('c1')).map(({ id }) => id)).toEqual(['m1', 'm3'])
    })

    test('invalid Unicode, and NUL, are replaced in place, so that offsets stay valid', async () => {
      const [number] = await state.log.begin(message('m1'), [{ kind: 'text', text: 'a\0\ud83d' }])
      expect(await textOf(number!)).toBe('a\ufffd\ufffd')
      // A surrogate pair split by a stream.
      await state.log.grow('c1', number!, 'a\0\ud83d\ude00b')
      expect(await textOf(number!)).toBe('a\ufffd\u{1f600}b')
    })

    test('a part over the limit is refused in one line, and leaves nothing behind', async () => {
      const [number] = await state.log.begin(message('m1'), [{ kind: 'text', text: 'short' }])
      const big = 'b'.repeat(50 * 1024 * 1024)
      const refused = expect.objectContaining({ code: 'invalid_input', message: expect.stringContaining('50 MB') })
      await expect(state.log.append(message('m1'), { kind: 'text', text: big }, at(2))).rejects.toEqual(refused)
      await expect(state.log.grow('c1', number!, big)).rejects.toEqual(refused)
      expect((await state.log.parts('c1', 0)).map(({ part }) => part)).toEqual([{ kind: 'text', text: 'short' }])
    })

    test('the first end of a message wins', async () => {
      await state.log.begin(message('m1'), [])
      await state.log.end('m1', ended)
      await state.log.end('m1', { ...ended, reason: 'cut' })
      expect((await state.log.messages('c1'))[0]?.end).toEqual(ended)
      await expect(state.log.end('m9', ended)).rejects.toMatchObject({ code: 'not_found' })
    })

    test('superseded messages are left out with all that followed, and their numbers are not reused', async () => {
      await state.log.begin(message('m1'), [PARTS[0]!])
      await state.log.begin(message('m2'), [PARTS[0]!])
      await state.log.begin(message('m3'), [PARTS[0]!])
      await state.log.supersede('c1', 'm2')
      expect((await state.log.messages('c1')).map(({ id }) => id)).toEqual(['m1'])
      expect((await state.log.parts('c1', 0)).map(({ number }) => number)).toEqual([1])
      const all = await state.log.messages('c1', { superseded: true })
      expect(all.map(({ superseded }) => superseded)).toEqual([false, true, true])
      expect(await state.log.begin(message('m4'), [PARTS[0]!])).toEqual([4])
      expect((await state.log.parts('c1', 1)).map((part) => part.message)).toEqual(['m4'])
      await expect(state.log.supersede('c2', 'm1')).rejects.toMatchObject({ code: 'not_found' })
    })

    test('answers that never ended are found in all chats, oldest first', async () => {
      await state.log.begin(message('late', { at: at(20) }), [])
      await state.log.begin(message('b', { at: at(6), chat: 'c2' }), [])
      await state.log.begin(message('a', { at: at(5) }), [])
      await state.log.begin(message('asked', { at: at(5), role: 'user' }), [])
      await state.log.begin(message('done', { at: at(5) }), [])
      await state.log.end('done', ended)
      expect((await state.log.unended(at(20))).map(({ id }) => id)).toEqual(['a', 'b'])
    })
  })
}
