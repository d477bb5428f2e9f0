import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sha256 } from '../../../kernel/domain/sha256.ts'
import { chainFaults, looseLines } from './chain.ts'
import type { JournalEvent } from './event.ts'
import { formatEvent, toLine } from './journal-lines.ts'
import { mergeJournals } from './merge-journal.ts'

const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => toLine(line, sha256(line)))

/** A journal with one more event, as a store would write it. */
function grown(journal: string, id: string, at: string): string {
  const lines = linesOf(journal)
  const last = lines.findLast(({ event }) => event !== undefined)?.event
  const event: JournalEvent = {
    event_version: 1,
    id,
    at,
    operation: 'edit',
    origin: { surface: 'cli' },
    facts: {},
    files: {},
    ...(last && { after: [last.id] }),
    pins: looseLines(lines),
  }
  return journal + formatEvent(event)
}

const day = (n: number) => `2026-01-${String((n % 28) + 1).padStart(2, '0')}T00:00:00.000Z`
type Step = { kind: 'event' | 'foreign'; day: number }
const grow = (journal: string, steps: readonly Step[], name: string): string =>
  steps.reduce(
    (text, step, n) =>
      step.kind === 'event'
        ? grown(text, `${name}${n}`, day(step.day))
        : `${text}{"of":"another program","n":"${name}${n}"}\n`,
    journal,
  )

const steps = fc.array(fc.record({ kind: fc.constantFrom('event' as const, 'foreign' as const), day: fc.nat(27) }), {
  maxLength: 6,
})

describe('two merged journals', () => {
  test('have the same bytes whichever is ours, form a chain, and lose no line', () => {
    fc.assert(
      fc.property(steps, steps, steps, (base, left, right) => {
        const start = grow('', base, 'base')
        const [mine, yours] = [grow(start, left, 'left'), grow(start, right, 'right')]
        const joined = mergeJournals(mine, yours)
        expect(mergeJournals(yours, mine)).toBe(joined)
        expect(mergeJournals(joined, mine)).toBe(joined)
        const lines = linesOf(joined)
        const loose = new Set(looseLines(lines))
        expect(chainFaults(lines, loose)).toEqual([])
        const held = new Set(lines.map((line) => line.text))
        for (const line of [...linesOf(mine), ...linesOf(yours)]) expect(held.has(line.text)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  test('pin both ends, so that a changed line on either side is reported', () => {
    const start = grow('', [{ kind: 'event', day: 1 }], 'base')
    const joined = mergeJournals(
      grow(start, [{ kind: 'event', day: 2 }], 'left'),
      grow(start, [{ kind: 'event', day: 3 }], 'right'),
    )
    expect(chainFaults(linesOf(joined), new Set())).toEqual([])
    for (const name of ['base0', 'left0', 'right0'])
      expect(chainFaults(linesOf(joined.replace(`"id":"${name}"`, '"id":"other"')), new Set())).not.toEqual([])
  })

  test('keep both lines that claim to be the same event, and the conflict is reported', () => {
    const start = grow('', [{ kind: 'event', day: 1 }], 'base')
    const forged = start.replace('"surface":"cli"', '"surface":"mcp-stdio"')
    const joined = mergeJournals(start, forged)
    expect(mergeJournals(forged, start)).toBe(joined)
    expect(chainFaults(linesOf(joined), new Set()).map((fault) => fault.message)).toContainEqual(
      expect.stringContaining('different lines'),
    )
  })
})
