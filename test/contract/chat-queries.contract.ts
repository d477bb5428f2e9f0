import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MOST_ROWS } from '../../src/analyst/domain/chat/kept-sizes.ts'
import type { EvaluationState } from '../../src/evaluation/ports/evaluation-state.ts'
import { at, chat, ODD, query, type AnalystStateSubject } from './analyst-samples.ts'

export function describeChatQueries(name: string, subject: AnalystStateSubject): void {
  describe(`chat queries: ${name}`, () => {
    let state: EvaluationState
    beforeEach(async () => {
      state = await subject.open()
      await state.chats.start(chat('c1'))
      await state.chats.start(chat('c2'))
    })
    afterEach(() => state.close())

    test('a result is returned as stored, only in its own chat', async () => {
      const rows = [[1, -0.5, true, null, ODD, '\0\ud800']]
      const result = query('q_1', { sql: ODD, rows, rowCount: 12, cut: true, columns: [{ name: ODD, type: 'TEXT' }] })
      await state.queries.keep(result)
      expect(await state.queries.find('c1', 'q_1')).toEqual(result)
      for (const [of, id] of [
        ['c2', 'q_1'],
        ['c1', 'q_2'],
        ['c1', "q_1' --"],
      ] as const)
        expect(await state.queries.find(of, id)).toBeUndefined()
    })

    test('the last result of a statement replaces the first, in its position', async () => {
      await state.queries.keep(query('q_b'))
      await state.queries.keep(query('q_a'))
      const again = query('q_b', { rows: [[9]], rowCount: 1, at: at(9), message: 'm2' })
      await state.queries.keep(again)
      expect(await state.queries.find('c1', 'q_b')).toEqual(again)
      const { rows: _, ...told } = again
      expect(await state.queries.list('c1')).toEqual([
        told,
        expect.not.objectContaining({ rows: expect.anything(), id: 'q_b' }),
      ])
    })

    test('a result belongs to an existing chat', async () => {
      await expect(state.queries.keep(query('q_1', { chat: 'none' }))).rejects.toMatchObject({ code: 'not_found' })
      expect(await state.queries.list('none')).toEqual([])
    })

    test('stores the first rows and the total count of a huge result', async () => {
      const cell = 'x'.repeat(MOST_ROWS / 10)
      await state.queries.keep(query('q_1', { rows: Array.from({ length: 50 }, (_, n) => [n, cell]), rowCount: 50 }))
      const kept = await state.queries.find('c1', 'q_1')
      expect(kept?.rows.map(([n]) => n)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
      expect(kept?.rowCount).toBe(50)
    })
  })
}
