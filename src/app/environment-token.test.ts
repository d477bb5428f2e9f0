import { expect, test } from 'vitest'
import { environmentToken } from './environment-token.ts'

const origin = 'https://ken.example.com'
const elsewhere = 'https://elsewhere.example'

test('a token goes to the server that stands beside it, whoever names another', () => {
  const environment = { KEN_TOKEN: ' ken_p_1 ', KEN_SERVER: `${origin}/` }
  expect(environmentToken(environment, { origin })).toBe('ken_p_1')
  expect(environmentToken(environment, { origin: elsewhere, isNamed: true })).toBeUndefined()
})

test('a token alone goes to a server that the user named, and to none that a clone names', () => {
  expect(environmentToken({ KEN_TOKEN: 'ken_p_1' }, { origin, isNamed: true })).toBe('ken_p_1')
  expect(environmentToken({ KEN_TOKEN: 'ken_p_1' }, { origin })).toBeUndefined()
  expect(environmentToken({ KEN_TOKEN: ' ' }, { origin, isNamed: true })).toBeUndefined()
})
