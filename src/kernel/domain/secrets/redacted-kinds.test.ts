import { expect, test } from 'vitest'
import { redactSecrets } from './redact.ts'
import { REDACTED_KINDS } from './redacted-kinds.ts'

test.each(REDACTED_KINDS)('$kind: the example is redacted', ({ example }) => {
  const { text, count } = redactSecrets(`before\n${example}\nafter`)
  expect(count).toBeGreaterThan(0)
  expect(text).toContain('[redacted]')
  expect(text).toMatch(/^before\n[\s\S]*\nafter$/)
})
