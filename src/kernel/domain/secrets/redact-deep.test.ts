import { expect, test } from 'vitest'
import { redactDeep } from './redact-deep.ts'

const SECRET = `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}`

test.each([
  ['a text', SECRET],
  ['a list', ['plain', SECRET]],
  ['a list in a list', [['plain', [SECRET]]]],
  ['a field', { token: { deep: SECRET } }],
  ['the name of a field', { [SECRET]: 1 }],
])('a secret in %s is masked and counted', (_where, value) => {
  const redacted = redactDeep(value as unknown)
  expect(JSON.stringify(redacted.value)).not.toContain(SECRET)
  expect(redacted.count).toBe(1)
})

test('a text is judged by its field name and masked if that names a secret', () => {
  const { value, count } = redactDeep({
    user: 'shop',
    password: 'violetharbourkettle',
    steps: [{ api_key: 'k3VtQ9xLz7RmB2nW' }],
  })
  expect(value).toEqual({ user: 'shop', password: '[redacted]', steps: [{ api_key: '[redacted]' }] })
  expect(count).toBe(2)
  expect(redactDeep({ token: 'required', next_token: 'k3VtQ9xLz7RmB2nW', key: 'orders_2' }).count).toBe(0)
})

test('a value without secrets is returned as the same object, and dates stay dates', () => {
  const value = { at: new Date(0), list: ['plain', 1, null] }
  expect(redactDeep(value)).toEqual({ value, count: 0 })
  expect(redactDeep(value).value).toBe(value)
  expect(redactDeep({ ...value, token: SECRET }).value.at).toBe(value.at)
})
