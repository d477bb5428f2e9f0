import { expect, test } from 'vitest'
import { fetchWithRetries, type RetryRules } from './http-retry.ts'

const RULES: RetryRules = { tries: 3, firstPause: 1, longestPause: 2, whenLonger: 'give up', withoutAnswer: true }
const after = (pause: string, more: Record<string, string> = {}) =>
  new Response('', { status: 429, headers: { 'retry-after': pause, ...more } })

/** Returns each of these in turn, and counts the requests. */
function sending(...answers: (Response | Error)[]) {
  let sent = 0
  const send = async (): Promise<Response> => {
    const answer = answers[Math.min(sent++, answers.length - 1)]!
    if (answer instanceof Error) throw answer
    return answer
  }
  return { send, sent: () => sent }
}

test.each([
  ['an answer is given as it is', [new Response('', { status: 404 })], 404, 1],
  ['after 429 and a fault it is sent again', [after('0'), new Response('', { status: 503 }), new Response()], 200, 3],
  ['the last answer is given, whatever it says', [new Response('', { status: 500 })], 500, 3],
  ['a request without an answer is sent again', [new Error('reset'), new Response()], 200, 2],
  ['a pause that is too long is not waited for', [after('600'), new Response()], 429, 1],
  [
    'a date is compared with the clock of the other side',
    [after('Thu, 01 Jan 2026 00:10:00 GMT', { date: 'Thu, 01 Jan 2026 00:00:00 GMT' }), new Response()],
    429,
    1,
  ],
  ['a pause that cannot be read is ours', [after('soon'), new Response()], 200, 2],
])('%s', async (_what, answers, status, times) => {
  const { send, sent } = sending(...answers)
  expect((await fetchWithRetries(send, RULES)).status).toBe(status)
  expect(sent()).toBe(times)
})

test('shortens a pause that is too long, if allowed', async () => {
  const { send, sent } = sending(after('600'), new Response())
  expect((await fetchWithRetries(send, { ...RULES, whenLonger: 'wait less' })).status).toBe(200)
  expect(sent()).toBe(2)
})

test('throws the error of the last request, or of the first if retries are off', async () => {
  const failing = sending(new Error('reset'))
  await expect(fetchWithRetries(failing.send, RULES)).rejects.toThrow('reset')
  expect(failing.sent()).toBe(3)
  const once = sending(new Error('reset'))
  await expect(fetchWithRetries(once.send, { ...RULES, withoutAnswer: false })).rejects.toThrow('reset')
  expect(once.sent()).toBe(1)
})

test('a signal ends the pause', async () => {
  const { send, sent } = sending(after('0'))
  await expect(fetchWithRetries(send, { ...RULES, signal: AbortSignal.abort() })).rejects.toThrow()
  expect(sent()).toBe(1)
})
