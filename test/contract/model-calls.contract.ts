import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { EvaluationState } from '../../src/evaluation/ports/evaluation-state.ts'
import { at, call, ODD, type AnalystStateSubject, ofEverybody } from './analyst-samples.ts'

export function describeModelCalls(name: string, subject: AnalystStateSubject): void {
  describe(`model calls: ${name}`, () => {
    let state: EvaluationState
    beforeEach(async () => {
      state = await subject.open()
    })
    afterEach(() => state.close())

    test('calls are returned as stored, in that order, each once', async () => {
      const calls = [
        call('b', { chat: 'c1', message: 'm1', model: ODD }),
        call('a', { usage: { input: 1, output: 0, cached: 0, reasoning: 0 }, failed: true, purpose: 'memory' }),
        call('free', { usage: { input: 1, output: 0, cached: 0, reasoning: 0, cost: 0 } }),
      ]
      for (const one of calls) await state.calls.keep(one)
      await state.calls.keep(call('a'))
      expect(await state.calls.list({})).toEqual(calls)
    })

    test('calls are listed by chat, user, project and time', async () => {
      state = await ofEverybody(subject, state)
      await state.calls.keep(call('a', { chat: 'c1', at: at(1) }))
      await state.calls.keep(call('b', { user: 'eve', at: at(2) }))
      await state.calls.keep(call('c', { project: 'other', at: at(3) }))
      const ids = async (wanted: Parameters<EvaluationState['calls']['list']>[0]) =>
        (await state.calls.list(wanted)).map(({ id }) => id)
      expect(await ids({ chat: 'c1' })).toEqual(['a'])
      expect(await ids({ user: 'ada' })).toEqual(['a', 'c'])
      expect(await ids({ project: 'shop' })).toEqual(['a', 'b'])
      expect(await ids({ since: at(2) })).toEqual(['b', 'c'])
      expect(await ids({ user: 'ada', since: at(2) })).toEqual(['c'])
      expect(await ids({ user: "' OR '1'='1" })).toEqual([])
    })

    test('spending is the sum of known prices, by user or project, since a time', async () => {
      state = await ofEverybody(subject, state)
      const usage = { input: 1, output: 1, cached: 0, reasoning: 0 }
      await state.calls.keep(call('a', { at: at(1), usage: { ...usage, cost: 1.5 } }))
      await state.calls.keep(call('b', { at: at(2), usage: { ...usage, cost: 0.25 } }))
      await state.calls.keep(call('c', { at: at(2), usage }))
      await state.calls.keep(call('d', { user: 'eve', at: at(3), usage: { ...usage, cost: 4 } }))
      await state.calls.keep(call('e', { project: 'other', at: at(3), usage: { ...usage, cost: 8 } }))
      expect(await state.calls.spent({ since: at(1) })).toBe(13.75)
      expect(await state.calls.spent({ since: at(2) })).toBe(12.25)
      expect(await state.calls.spent({ since: at(1), user: 'ada' })).toBe(9.75)
      expect(await state.calls.spent({ since: at(1), project: 'shop' })).toBe(5.75)
      expect(await state.calls.spent({ since: at(1), user: 'nobody' })).toBe(0)
    })
  })
}
