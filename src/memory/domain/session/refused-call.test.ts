import { expect, test } from 'vitest'
import { isRefusal } from './refused-call.ts'

test.each([
  "The user doesn't want to proceed with this tool use. The tool use was rejected.",
  'The user rejected permission to use this specific tool call.',
  'Error: The user rejected permission to use this specific tool call.',
  '[Operation Cancelled] Reason: User did not allow tool call',
  'exec command rejected by user',
])('recognises %j as a refusal', (result) => {
  expect(isRefusal(result)).toBe(true)
})

test.each([
  'push rejected by remote',
  'FAIL: rejected by user name check',
  'Exit code 1\nThe user rejected permission',
])('takes %j for a failure', (result) => {
  expect(isRefusal(result)).toBe(false)
})
