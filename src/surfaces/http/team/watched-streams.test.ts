import { expect, test } from 'vitest'
import { openWatchedStreams } from './watched-streams.ts'

/** A stream that sends one event and stays open; `left` resolves when its reader disconnects. */
function endless(): { readonly response: Response; readonly left: Promise<void> } {
  const { promise: left, resolve } = Promise.withResolvers<void>()
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('data: 1\n\n')),
    cancel: () => resolve(),
  })
  return { response: new Response(body, { headers: { 'content-type': 'text/event-stream' } }), left }
}

test('a stream ends with its reader’s permissions, and its producer is notified', async () => {
  let isAllowed = true
  const { response, left } = endless()
  const { watch } = openWatchedStreams({ every: 5, most: 1 })
  let asked = 0
  const heard = watch(response, 'ada', async () => async () => {
    if (++asked === 3) isAllowed = false
    return isAllowed
  }).text()
  expect(await heard).toBe('data: 1\n\n')
  await left
  expect(asked).toBe(3)
})

test('a reader keeps the stream if permissions cannot be checked', async () => {
  const { response } = endless()
  let asked = 0
  const heard = openWatchedStreams({ every: 5, most: 1 }).watch(response, 'ada', async () => {
    if (++asked < 3) throw new Error('the database is away')
    return async () => ++asked < 5
  })
  expect(await heard.text()).toBe('data: 1\n\n')
})

test('a stream over the limit of its holder ends, and closing one makes room', async () => {
  const { watch } = openWatchedStreams({ every: 5, most: 1 })
  const lasting = async () => async () => true
  const [first, second, third] = [endless(), endless(), endless()]
  const kept = watch(first.response, 'ada', lasting).body!.getReader()
  await kept.read()
  expect(await watch(second.response, 'ada', lasting).text()).toBe('data: 1\n\n')
  await kept.cancel()
  await first.left
  let asked = 0
  await watch(third.response, 'ada', async () => async () => ++asked < 3).text()
  expect(asked).toBe(3)
})

test('a response that is not a stream is unchanged', () => {
  const answer = Response.json({})
  const { watch } = openWatchedStreams({ every: 5, most: 0 })
  expect(watch(answer, 'ada', async () => async () => false)).toBe(answer)
})
