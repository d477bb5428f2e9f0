/**
 * Measures how fast chats are stored and opened, and prints each figure beside its limit: `npm run bench:chats [--
 * --chats 2000 --keep]`. Creates one `state.db` with many chats and a long one, and fails if a limit is exceeded.
 */
import { mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type MessageEnd } from '../src/analyst/domain/chat/chat.ts'
import type { ChatPart } from '../src/analyst/domain/chat/part.ts'
import { openSqliteAnalystState } from '../src/database/state/sqlite/analyst-state.ts'
import { openSqliteState } from '../src/database/state/sqlite/index.ts'
import { NO_USAGE } from '../src/kernel/domain/model-usage.ts'

const { values } = parseArgs({
  options: {
    chats: { type: 'string', default: '2000' },
    runs: { type: 'string', default: '5' },
    /** Megabytes of images and results beside the chats, so that the file is as large as after years of use. */
    ballast: { type: 'string', default: '250' },
    keep: { type: 'boolean' },
  },
})
const WORDS =
  'revenue order customer region product week month churn return margin average Übersicht net gross by for the of'.split(
    ' ',
  )
const END: MessageEnd = { reason: 'answered', usage: NO_USAGE, milliseconds: 900, steps: 2 }
const time = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString()
let drawn = 7
const chance = (below: number): number => (drawn = (drawn * 48271) % 2147483647) % below
const prose = (words: number): string => Array.from({ length: words }, () => WORDS[chance(WORDS.length)]).join(' ')

const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-chats-bench-')))
const path = join(place, 'state.db')
const state = await openSqliteAnalystState(path)
for (let n = 0; n < Number(values.chats); n++) await writeChat(`chat-${n}`, 20, n * 100)
await writeChat('long', 2000, 1e6)
await writeBallast(Number(values.ballast))
console.log(
  `${values.chats} chats of 20 messages and one of 2,000; ${(statSync(path).size / 1e6).toFixed(0)} MB; load ${loadavg()[0]!.toFixed(1)}; milliseconds, fastest of ${values.runs}\n`,
)
console.log('| | measured | limit |\n|---|---|---|')
const results = [
  await measured('a chat of 2,000 messages opens, with the file', 200, async () => {
    const fresh = await openSqliteAnalystState(path)
    await fresh.chats.find('long', 'ada')
    await fresh.log.messages('long')
    await fresh.log.parts('long', 0)
    await fresh.close()
  }),
  await measured('the last 50 chats', 10, () => state.chats.list({ user: 'ada', limit: 50 })),
  await measured('a search that all chats fit', 200, () =>
    state.chats.list({ user: 'ada', text: 'revenue', limit: 50 }),
  ),
  await measured('a search of two words that one chat fits', 400, () =>
    state.chats.list({ user: 'ada', text: 'needle revenue', limit: 50 }),
  ),
  await measured('a search that none fits', 200, () => state.chats.list({ user: 'ada', text: 'haystack', limit: 50 })),
  await measured('the file opens for a harvest, its tombstones checked', 50, () => openSqliteState(path).close()),
  await growth(200),
]
await state.close()
console.log(`\nLoad ${loadavg()[0]!.toFixed(1)}.`)
if (values.keep) console.log(place)
else rmSync(place, { recursive: true, force: true })
process.exitCode = results.every(Boolean) ? 0 : 1

async function measured(name: string, limit: number, work: () => Promise<unknown>): Promise<boolean> {
  let fastest = Number.POSITIVE_INFINITY
  for (let run = 0; run < Number(values.runs); run++) {
    const begun = performance.now()
    await work()
    fastest = Math.min(fastest, performance.now() - begun)
  }
  return told(name, fastest, limit)
}

function told(name: string, milliseconds: number, limit: number): boolean {
  console.log(`| ${name} | ${milliseconds.toFixed(1)} | ${limit} |`)
  return milliseconds <= limit
}

/** Measures one second in which many answers grow to 4 KB at once, 20 times each; in milliseconds of this thread. */
async function growth(many: number): Promise<boolean> {
  const text = prose(700).slice(0, 4000)
  const open = Array.from({ length: many }, (_, n) => n)
  const numbers = await Promise.all(
    open.map(async (n) => {
      const message = {
        id: `grow-${n}`,
        chat: `chat-${n}`,
        role: 'assistant',
        at: time(2e6),
        superseded: false,
      } as const
      return (await state.log.begin(message, [{ kind: 'text', text: '' }]))[0]!
    }),
  )
  const [rounds, longest] = [20, [] as number[]]
  const [begun, cpu] = [performance.now(), process.cpuUsage()]
  for (let round = 1; round <= rounds; round++) {
    const asked = performance.now()
    await Promise.all(
      open.map((n) => state.log.grow(`chat-${n}`, numbers[n]!, text.slice(0, (text.length * round) / rounds))),
    )
    longest.push(performance.now() - asked)
  }
  const took = performance.now() - begun
  const { user, system } = process.cpuUsage(cpu)
  console.log(
    `(${many * rounds} growths: ${((took / many / rounds) * 1000).toFixed(0)} µs each, slowest round ${Math.max(...longest).toFixed(1)} ms, CPU ${((user + system) / 1000).toFixed(0)} ms)`,
  )
  return told(`${many} answers grow 20 times`, took, 1000)
}

async function writeChat(id: string, messages: number, start: number): Promise<void> {
  const project = 'shop'
  const chat = { id, user: 'ada', project, folder: '/shop', title: prose(5), starred: false }
  await state.chats.start({ ...chat, createdAt: time(start), updatedAt: time(start) })
  const writes: Promise<unknown>[] = []
  for (let n = 0; n < messages; n++) {
    const role = n % 2 === 0 ? 'user' : 'assistant'
    const message = { id: `${id}-${n}`, chat: id, role, at: time(start + n), superseded: false } as const
    const needle = id === 'chat-3' && n === 4 ? ' needle' : ''
    writes.push(state.log.begin(message, partsOf(role, needle)))
    if (role === 'assistant') writes.push(state.log.end(message.id, END))
  }
  await Promise.all(writes)
}

function partsOf(role: 'user' | 'assistant', needle: string): ChatPart[] {
  if (role === 'user') return [{ kind: 'text', text: prose(15) + needle }]
  const call = { call: 'k', tool: 'execute_sql' }
  return [
    { kind: 'reasoning', text: prose(40) },
    { kind: 'call', ...call, input: { sql: `SELECT ${prose(20)}`, database: 'shop' } },
    { kind: 'result', ...call, text: prose(150), failed: false },
    { kind: 'text', text: prose(90) + needle },
  ]
}

async function writeBallast(megabytes: number): Promise<void> {
  const image: ChatPart = { kind: 'image', mediaType: 'image/png', base64: 'A'.repeat(1e6) }
  for (let n = 0; n < megabytes; n++) {
    const message = { id: `ballast-${n}`, chat: `chat-${n % Number(values.chats)}`, at: time(n), superseded: false }
    await state.log.begin({ ...message, role: 'user' }, [image])
  }
}
