import { expect, test } from 'vitest'
import { cleanOriginText } from '../../../kernel/domain/origin.ts'

test('strips control characters from client info and limits its length', () => {
  expect(cleanOriginText('Agent\u0007 One\n')).toBe('Agent One')
  expect(cleanOriginText(`a${'b'.repeat(999)}`)).toBe(`a${'b'.repeat(255)}`)
})
