import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { decisionNumber, slugify } from '../src/record/domain/decision/decision-id.ts'
import { duplicateHash } from '../src/record/domain/decision/duplicate.ts'
import { DecisionFault } from '../src/record/domain/decision/fault.ts'
import { formatDecision } from '../src/record/domain/decision/format.ts'
import { parseDecision } from '../src/record/domain/decision/parse.ts'

interface Golden<I, E> {
  cases: { name: string; input: I; expected: E }[]
}

function golden<I, E>(file: string): Golden<I, E>['cases'] {
  return (JSON.parse(readFileSync(new URL(`fixtures/golden/${file}.json`, import.meta.url), 'utf8')) as Golden<I, E>)
    .cases
}

describe('a decision file', () => {
  test.each(golden<{ filename: string; text: string }, { parsed: object; formatted: string }>('decisions'))(
    '$name is parsed as expected and formatted canonically',
    ({ input, expected }) => {
      const decision = parseDecision(input.text, input.filename)
      expect(decision).toEqual(expected.parsed)
      expect(formatDecision(decision)).toBe(expected.formatted)
      expect(formatDecision(parseDecision(expected.formatted, input.filename))).toBe(expected.formatted)
    },
  )

  test.each(golden<{ filename: string; text: string }, { kind: string }>('malformed'))(
    '$name is refused',
    ({ input, expected }) => {
      expect(() => parseDecision(input.text, input.filename)).toThrow(
        expect.objectContaining({ kind: expected.kind.split(' ')[0] }),
      )
      expect(() => parseDecision(input.text, input.filename)).toThrow(DecisionFault)
    },
  )

  test.each(golden<string, string>('slugs'))('the slug of $input', ({ input, expected }) =>
    expect(slugify(input)).toBe(expected),
  )

  test.each(golden<string, number | null>('decision-numbers'))('the number in $input', ({ input, expected }) =>
    expect(decisionNumber(input) ?? null).toBe(expected),
  )

  test.each(golden<{ title: string; rationale: string }, { sha256: string }>('hashes'))(
    'the hash of $input.title',
    ({ input, expected }) => expect(duplicateHash(input.title, input.rationale)).toBe(expected.sha256),
  )
})
