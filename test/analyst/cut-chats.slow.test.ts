import { spawn, type ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { ChatEvent } from '../../src/analyst/domain/chat/event.ts'
import { KEN } from '../ken-program.ts'
import { useAskDesk } from './ask-desk.ts'
import { openEvents, type SentEvent } from './sent-events.ts'

const WORDS = Array.from({ length: 4_000 }, (_, i) => `word${i}`).join(' ')
const desk = useAskDesk({
  slowly: [{ say: WORDS, slow: 20 }],
  quickly: [{ say: 'At once.' }],
})
const servers: ChildProcess[] = []
afterEach(() => servers.splice(0).forEach((server) => server.kill('SIGKILL')))

async function startServer() {
  const child = spawn(
    process.execPath,
    [KEN, 'serve', '--http', '--port', '0', '--toolsets', 'data,app', '--project', desk.place],
    {
      cwd: desk.place,
      env: { PATH: process.env['PATH'], ...desk.env },
    },
  )
  servers.push(child)
  const url = await new Promise<string>((listening, failed) => {
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk
      const found = /listens on (\S+)/.exec(said)?.[1]
      if (found !== undefined) listening(found)
    })
    child.on('exit', () => failed(new Error(said)))
  })
  const headers = { authorization: `Bearer ${readFileSync(join(desk.env['KEN_HOME']!, 'http-token'), 'utf8').trim()}` }
  return {
    post: async (name: string, input: object) =>
      (await fetch(`${url}/v1/${name}`, { method: 'POST', headers, body: JSON.stringify(input) })).json() as Promise<
        Record<string, string>
      >,
    follow: (chat: string, after = '') =>
      openEvents((signal) =>
        fetch(`${url}/v1/chat_follow?chat=${chat}${after}`, {
          signal,
          headers: { ...headers, accept: 'text/event-stream' },
        }),
      ),
    async kill() {
      const gone = new Promise((done) => child.once('close', done))
      child.removeAllListeners('exit').kill('SIGKILL')
      await gone
    },
  }
}

const told = (events: readonly SentEvent[]): ChatEvent[] =>
  events.filter(({ event }) => event === 'chat').map(({ data }) => data as ChatEvent)
const answered = (events: readonly ChatEvent[]): string =>
  events
    .map((event) =>
      event.type === 'more' ? event.text : event.type === 'part' && event.part.kind === 'text' ? event.part.text : '',
    )
    .join('')
    .replace('Say it slowly.', '')

test('a killed server leaves the stored part of an answer, ended as interrupted, and the chat continues', async () => {
  const first = await startServer()
  const { chat } = await first.post('ask', { question: 'Say it slowly.', detach: true })
  const listening = await first.follow(chat!)
  const heard: SentEvent[] = []
  while (!answered(told(heard)).includes('word30 ')) heard.push((await listening.next())!)
  await first.kill()

  const second = await startServer()
  const again = told(await (await second.follow(chat!)).rest())
  const kept = answered(again)
  expect(kept).toMatch(/^word0 word1 /)
  expect(WORDS.startsWith(kept)).toBe(true)
  expect(again.at(-1)).toMatchObject({ type: 'end', end: { reason: 'cut' } })
  const more = told(await (await second.follow(chat!, `&after=${heard.at(-1)!.id}`)).rest())
  expect(more.filter(({ type }) => type === 'end')).toHaveLength(1)
  expect(WORDS.startsWith(answered(told(heard)) + answered(more)) || answered(more) === '').toBe(true)

  const next = await second.post('ask', { question: 'Now quickly.', chat })
  expect(next).toMatchObject({ text: 'At once.', end: 'answered' })
  expect(desk.model.requests.at(-1)!.said).toContain('word1 word2')
  expect(readdirSync(join(desk.env['KEN_HOME']!, 'turns'))).toEqual([])
}, 120_000)

test('another process follows an answer as it is written, and cannot write to its chat', async () => {
  const server = await startServer()
  const { chat } = await server.post('ask', { question: 'Say it slowly.', detach: true })
  const refused = await desk.piped(['ask', 'quickly', '--chat', chat!])
  expect([refused.status, refused.stderr]).toEqual([4, expect.stringContaining('already being answered')])
  let stop: Promise<object> | undefined
  const followed = desk.piped(['chats', 'follow', chat!, '--events'], '', (stdout) => {
    if (stdout.split('"more"').length > 3) stop ??= server.post('chat_stop', { chat })
  })
  const events = (await followed).stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(await stop).toMatchObject({ stopped: true })
  expect(events.filter(({ type }) => type === 'more').length).toBeGreaterThan(2)
  expect(events.findLast(({ type }) => type === 'end')).toMatchObject({ end: { reason: 'stopped' } })
  expect(events.at(-1)).toMatchObject({ type: 'answer', answer: { chat } })
}, 120_000)
