import { expect, test } from 'vitest'
import type { StreamedCall } from './event-stream.ts'
import { openKeptCalls } from './kept-calls.ts'

interface Listener extends StreamedCall {
  readonly heard: string[]
  leave(): void
}

function listener(): Listener {
  const gone = new AbortController()
  const heard: string[] = []
  return {
    heard,
    leave: () => gone.abort(),
    signal: gone.signal,
    hear: () => {},
    progress: (message) => void heard.push(message),
  }
}

/** Work that continues until it is ended. */
function openWork() {
  const begun: StreamedCall[] = []
  const ends: (() => void)[] = []
  return {
    begun,
    end: () => ends.at(-1)!(),
    begin: (through: StreamedCall) => {
      begun.push(through)
      return new Promise<{ done: boolean }>((resolve, reject) => {
        ends.push(() => resolve({ done: true }))
        through.signal.addEventListener('abort', () => reject(new Error('stopped')))
      })
    },
  }
}

test('a call continues when its listener leaves, and a returning listener gets its progress', async () => {
  const calls = openKeptCalls(Date.now)
  const work = openWork()
  const [first, second] = [listener(), listener()]
  const left = expect(calls.join('sync', first, work.begin)).rejects.toThrow('gone away')
  await expect.poll(() => work.begun.length).toBe(1)
  work.begun[0]!.progress('half', 1, 2)
  first.leave()
  await left
  expect(work.begun[0]!.signal.aborted).toBe(false)
  const joined = calls.join('sync', second, work.begin)
  work.begun[0]!.progress('most', 2, 2)
  work.end()
  expect(await joined).toEqual({ done: true })
  expect([first.heard, second.heard]).toEqual([['half'], ['half', 'most']])
  expect(work.begun).toHaveLength(1)
})

test('an ended call is reported for ten minutes, and starting it again restarts it', async () => {
  let now = 0
  const calls = openKeptCalls(() => now)
  const work = openWork()
  const first = calls.join('sync', listener(), work.begin)
  await expect.poll(() => work.begun.length).toBe(1)
  work.end()
  await first
  expect(await calls.follow('sync', listener())).toEqual({ done: true })
  now += 10 * 60_000 + 1
  expect(calls.follow('sync', listener())).toBeUndefined()
  void calls.join('sync', listener(), work.begin)
  await expect.poll(() => work.begun.length).toBe(2)
  expect(calls.follow('other', listener())).toBeUndefined()
})

test('a call can be stopped by name, and all calls stop with the server', async () => {
  const calls = openKeptCalls(Date.now)
  const work = openWork()
  const running = ['one', 'two'].map((name) =>
    calls.join(name, listener(), work.begin).catch((error: Error) => error.message),
  )
  await expect.poll(() => work.begun.length).toBe(2)
  expect([calls.stop('one'), calls.stop('none')]).toEqual([true, false])
  await calls.stopAll()
  expect(await Promise.all(running)).toEqual(['stopped', 'stopped'])
  expect(calls.stop('one')).toBe(false)
})

test('the number of running calls is limited, whatever names a page chooses', async () => {
  const calls = openKeptCalls(Date.now)
  const work = openWork()
  const begin = (n: number) => calls.join(`call ${n}`, listener(), work.begin)
  const first = Array.from({ length: 100 }, (_, n) => begin(n))
  await expect(begin(100)).rejects.toMatchObject({ code: 'unavailable' })
  const joined = begin(99)
  expect(work.begun).toHaveLength(100)
  work.end()
  expect(await joined).toEqual({ done: true })
  const next = begin(100)
  await Promise.resolve()
  expect(work.begun).toHaveLength(101)
  await calls.stopAll()
  await Promise.allSettled([...first, next])
})
