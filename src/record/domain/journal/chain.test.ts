import { expect, test } from 'vitest'
import { sha256 } from '../../../kernel/domain/sha256.ts'
import { chainFaults } from './chain.ts'
import { formatEvent, toLine } from './journal-lines.ts'

const FOREIGN = ['{"of":"another program"}', '{"of":"yet another"}']
const lines = (texts: readonly string[]) => texts.map((text) => toLine(text, sha256(text)))
const chained = (pins: readonly string[]): string =>
  formatEvent({
    event_version: 1,
    id: 'one',
    at: '2026-01-01T00:00:00.000Z',
    operation: 'edit',
    origin: { surface: 'cli' },
    facts: {},
    files: {},
    pins,
  }).trimEnd()

test('a journal from before lines were chained has no misplaced line', () => {
  expect(chainFaults(lines(FOREIGN), new Set())).toEqual([])
})

test('reports a line as inserted if the next chained event does not pin it, unless the line was seen here before', () => {
  const [known, strange] = lines(FOREIGN).map((line) => line.sha256)
  const journal = lines([...FOREIGN, chained([known!])])
  expect(chainFaults(journal, new Set())).toEqual([
    { message: 'line 2 was changed, or put in between', lines: [strange] },
  ])
  expect(chainFaults(journal, new Set([strange!]))).toEqual([])
})
