import { expect, test } from 'vitest'
import { AppError } from '../kernel/domain/errors.ts'
import { AskedTooLong } from '../memory/ask-beside.ts'
import type { TeamMemory } from './ports/team-memory.ts'
import { restingTeamMemory, type Rests } from './resting-team-memory.ts'

const QUESTION = { text: 'okapi', by: 'both', limit: 3, scope: {} } as const

function desk(answer: () => Promise<[]>) {
  let [asked, time] = [0, 0]
  const memory: TeamMemory = {
    search: async () => ((asked += 1), answer()),
    read: async () => undefined,
  }
  const rests: Rests = new Map()
  const open = (server: string) => restingTeamMemory(memory, { server, rests, clock: { now: () => new Date(time) } })
  return { open, asked: () => asked, wait: (milliseconds: number) => (time += milliseconds) }
}

test('skips a server that timed out for half a minute, and no other server', async () => {
  const stop = new AbortController()
  const { open, asked, wait } = desk(async () => {
    stop.abort()
    throw new Error('aborted')
  })
  const fine = new AbortController().signal
  await expect(open('https://a').search(QUESTION, stop.signal)).rejects.toThrow('aborted')
  await expect(open('https://a').search(QUESTION, fine)).rejects.toThrow(AskedTooLong)
  expect(asked()).toBe(1)
  await expect(open('https://b').search(QUESTION, fine)).rejects.toThrow('aborted')
  wait(30_000)
  await expect(open('https://a').search(QUESTION, fine)).rejects.toThrow('aborted')
  expect(asked()).toBe(3)
})

test('a server that refused a request is queried again the next time', async () => {
  const { open, asked } = desk(async () => {
    throw new AppError('forbidden', 'no')
  })
  const { signal } = new AbortController()
  for (let i = 0; i < 2; i++) await expect(open('https://a').search(QUESTION, signal)).rejects.toThrow('no')
  expect(asked()).toBe(2)
})
