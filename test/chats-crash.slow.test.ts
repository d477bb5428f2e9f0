import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { openSqliteAnalystState } from '../src/database/state/sqlite/analyst-state.ts'
import type { EvaluationState } from '../src/evaluation/ports/evaluation-state.ts'
import { seededChance } from './crash/seeded-chance.ts'

const WRITER = join(import.meta.dirname, 'crash', 'chat-writer.ts')
const base = mkdtempSync(join(tmpdir(), 'ken-chats-crash-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

interface Acknowledged {
  readonly chat: string
  readonly message?: string
  readonly ended?: string
  readonly number?: number
  readonly text?: string
}

test('nothing acknowledged is lost when two processes that write chats are killed repeatedly', async () => {
  const path = join(base, 'state.db')
  const chance = seededChance(13)
  const told: Acknowledged[] = []
  for (let round = 0; round < 25; round++) {
    const writers = ['a', 'b'].map((name) => startWriter(path, `${name}${round}`))
    await Promise.all(writers.map(({ begun }) => begun))
    for (const writer of writers) {
      await new Promise((passed) => setTimeout(passed, chance() * 120))
      told.push(...(await writer.kill()))
    }
  }
  const database = new DatabaseSync(path)
  expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  database.close()
  const state = await openSqliteAnalystState(path)
  expect(told.length).toBeGreaterThan(1000)
  expect(await missing(state, told)).toEqual([])
  await state.close()
})

test('many processes create one new file together', async () => {
  const path = join(base, 'new', 'state.db')
  const writers = Array.from({ length: 6 }, (_, n) => startWriter(path, `w${n}`))
  await Promise.all(writers.map(({ begun }) => begun))
  const told = (await Promise.all(writers.map((writer) => writer.kill()))).flat()
  const state = await openSqliteAnalystState(path)
  expect(await missing(state, told)).toEqual([])
  await state.close()
})

/** A complete line was acknowledged; the last one may be incomplete. */
function startWriter(path: string, name: string) {
  const child = spawn(process.execPath, [WRITER, path, name], { stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, err] = ['', '']
  const begun = new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (data: Buffer) => {
      out += String(data)
      resolve()
    })
    child.stderr.on('data', (data: Buffer) => (err += String(data)))
    child.on('exit', () => reject(new Error(`The writer ended by itself: ${err}`)))
  })
  return {
    begun,
    async kill(): Promise<Acknowledged[]> {
      const closed = once(child, 'close')
      child.kill('SIGKILL')
      await closed
      expect(err).toBe('')
      return out
        .slice(0, out.lastIndexOf('\n') + 1)
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Acknowledged)
    },
  }
}

async function missing(state: EvaluationState, told: readonly Acknowledged[]): Promise<Acknowledged[]> {
  const kept = new Map<string, Awaited<ReturnType<typeof keptOf>>>()
  for (const { chat } of told) if (!kept.has(chat)) kept.set(chat, await keptOf(state, chat))
  return told.filter(({ chat, message, ended, number, text }) => {
    const own = kept.get(chat)!
    if (!own.isThere) return true
    if (message !== undefined && !own.messages.has(message)) return true
    if (ended !== undefined && own.messages.get(ended) !== true) return true
    return number !== undefined && !(own.texts.get(number) ?? '\0').startsWith(text ?? '')
  })
}

async function keptOf(state: EvaluationState, chat: string) {
  const [found, messages, parts] = await Promise.all([
    state.chats.find(chat, 'ada'),
    state.log.messages(chat),
    state.log.parts(chat, 0),
  ])
  return {
    isThere: found !== undefined,
    messages: new Map(messages.map(({ id, end }) => [id, end !== undefined])),
    texts: new Map(parts.map(({ number, part }) => [number, 'text' in part ? part.text : ''])),
  }
}
