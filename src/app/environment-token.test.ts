import { expect, test } from 'vitest'
import { environmentToken } from './environment-token.ts'

const origin = 'https://ken.example.com'
const elsewhere = 'https://elsewhere.example'

test('a token is sent only to the server configured with it', () => {
  const environment = { KEN_TOKEN: ' ken_p_1 ', KEN_SERVER: `${origin}/` }
  expect(environmentToken(environment, { origin })).toBe('ken_p_1')
  expect(environmentToken(environment, { origin: elsewhere, isNamed: true })).toBeUndefined()
})

test('a token without a server is sent to one that the user named, never to one named by a clone', () => {
  expect(environmentToken({ KEN_TOKEN: 'ken_p_1' }, { origin, isNamed: true })).toBe('ken_p_1')
  expect(environmentToken({ KEN_TOKEN: 'ken_p_1' }, { origin })).toBeUndefined()
  expect(environmentToken({ KEN_TOKEN: ' ' }, { origin, isNamed: true })).toBeUndefined()
})
