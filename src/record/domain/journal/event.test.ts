import { expect, test } from 'vitest'
import { cleanOriginText } from '../../../kernel/domain/origin.ts'

test('what a client says of itself is kept without control characters, and not at any length', () => {
  expect(cleanOriginText('Agent\u0007 One\n')).toBe('Agent One')
  expect(cleanOriginText(`a${'b'.repeat(999)}`)).toBe(`a${'b'.repeat(255)}`)
})
