import { expect, test } from 'vitest'
import { moveSecrets } from './move-secrets.ts'

const variableOf = (field: string): string => `SHOP_${field.toUpperCase()}`

test('replaces a secret with a reference to a variable, and returns its value', () => {
  expect(moveSecrets({ host: 'db', password: 'hunter2-long-enough' }, ['password'], variableOf)).toEqual({
    fields: { host: 'db', password: '${SHOP_PASSWORD}' },
    variables: { SHOP_PASSWORD: 'hunter2-long-enough' },
  })
})

test('refuses a secret inside an object or a list, which no variable can replace', () => {
  for (const login of [{ api_key: 'hunter2-long-enough' }, [{ url: 'https://ann:hunter2@db.example' }]])
    expect(() => moveSecrets({ login }, [], variableOf)).toThrow('"login" contains a secret.')
})
