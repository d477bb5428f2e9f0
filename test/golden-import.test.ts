import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { extractNygard } from '../src/record/domain/import/nygard.ts'

interface Case {
  name: string
  input: string
  expected: {
    title: string | null
    rationale: string | null
    confidence: string
    rejected_legacy: object[] | null
    alternatives_strict: object[] | null
  }
}

const { cases } = JSON.parse(readFileSync(new URL('fixtures/golden/import-adr.json', import.meta.url), 'utf8')) as {
  cases: Case[]
}

describe('the parts of a plain ADR', () => {
  test.each(cases)('$name', ({ input, expected }) => {
    const { title, rationale, confidence, rejected, alternatives } = extractNygard(input)
    expect({ title, rationale, confidence, rejected_legacy: rejected, alternatives_strict: alternatives }).toEqual(
      expected,
    )
  })
})
