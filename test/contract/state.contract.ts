import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Tombstone } from '../../src/memory/domain/upkeep/session-retention.ts'
import type { State } from '../../src/memory/ports/state.ts'

export interface StateSubject {
  open(): Promise<State>
  readonly knownGaps?: Record<string, string>
}

const stone = (session: string, more: Partial<Tombstone> = {}): Tombstone => ({
  client: 'codex',
  session,
  why: 'evicted',
  ended: '2026-01-01T00:00:00Z',
  at: '2026-05-01T00:00:00Z',
  ...more,
})

/** Contract of every state. `knownGaps` lists rules that the subject breaks, with the reason; a stale entry fails. */
export function describeState(name: string, subject: StateSubject): void {
  const rule = (title: string, body: () => Promise<void>) =>
    (subject.knownGaps?.[title] ? test.fails : test)(title, body)

  describe(`state: ${name}`, () => {
    let state: State
    beforeEach(async () => {
      state = await subject.open()
    })
    afterEach(() => state.close())

    rule('has no cursor for a folder that was never harvested', async () => {
      expect(await state.cursor('codex', '/home/a')).toBeUndefined()
    })

    rule('keeps the last cursor of each folder and client', async () => {
      await state.keepCursor('codex', '/home/a', '1')
      await state.keepCursor('codex', '/home/b', '2')
      await state.keepCursor('gemini-cli', '/home/a', '3')
      await state.keepCursor('codex', '/home/a', '4')
      expect(
        await Promise.all([
          state.cursor('codex', '/home/a'),
          state.cursor('codex', '/home/b'),
          state.cursor('gemini-cli', '/home/a'),
        ]),
      ).toEqual(['4', '2', '3'])
    })

    rule('returns tombstones as they were written, in order', async () => {
      const [b, a] = [stone('b'), stone('a', { client: 'claude-code' })]
      await state.bury([b, a])
      expect(await state.tombstones()).toEqual([a, b])
    })

    rule('replaces a tombstone by a later one, unless its session was forgotten', async () => {
      await state.bury([stone('a'), stone('b', { why: 'forgotten' })])
      await state.bury([stone('a', { ended: '2026-02-02T00:00:00Z' }), stone('b')])
      expect(await state.tombstones()).toEqual([
        stone('a', { ended: '2026-02-02T00:00:00Z' }),
        stone('b', { why: 'forgotten' }),
      ])
      await state.bury([stone('a', { why: 'forgotten' })])
      expect((await state.tombstones()).map(({ why }) => why)).toEqual(['forgotten', 'forgotten'])
    })

    rule('removes tombstones, except those of forgotten sessions', async () => {
      await state.bury([stone('a'), stone('b', { why: 'expired' }), stone('c', { why: 'forgotten' })])
      await state.raise([stone('a'), stone('b'), stone('c'), stone('nobody')])
      expect(await state.tombstones()).toEqual([stone('c', { why: 'forgotten' })])
    })

    rule('keeps the last value of a fact', async () => {
      expect(await state.fact('limit')).toBeUndefined()
      await state.keepFact('limit', '1')
      await state.keepFact('limit', '2')
      expect([await state.fact('limit'), await state.fact('other')]).toEqual(['2', undefined])
    })

    rule('keeps any text unchanged', async () => {
      const odd = `"'; DROP TABLE x;-- \u{1f600}\n${'z'.repeat(100_000)}`
      await state.keepCursor(odd, odd, odd)
      expect(await state.cursor(odd, odd)).toBe(odd)
    })
  })
}
