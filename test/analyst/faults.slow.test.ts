import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openAnalystDesk, type AnalystDesk } from './analyst-desk.ts'

let desk: AnalystDesk
beforeAll(async () => {
  desk = await openAnalystDesk()
}, 60_000)
afterAll(() => desk.close())
beforeEach(() => {
  desk.model.requests.length = 0
})

const sql = (text: string) => ({ call: { tool: 'execute_sql', input: { sql: text } } })
const ENDLESS = 'WITH RECURSIVE t(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM t) SELECT count(*) FROM t'

describe('a provider', () => {
  test('a single failure is retried, and the person is notified', async () => {
    desk.model.reply = [{ fail: 503 }, 'Here I am.']
    const answer = await desk.ask('Hello?')
    expect(answer).toMatchObject({ end: 'answered', text: 'Here I am.' })
    expect(answer.notes).toEqual([expect.stringMatching(/failed \(503 .*\)\. Asked once more\.$/)])
  })

  test('two failures end the answer with one clear line', async () => {
    desk.model.reply = [{ fail: 503 }, { fail: 503 }]
    const answer = await desk.ask('Hello?')
    expect(answer).toMatchObject({ end: 'failed', failure: { code: 'unavailable' } })
    expect(desk.model.requests).toHaveLength(2)
  })

  test('a rejected key is not tried again', async () => {
    desk.model.reply = [{ fail: 401 }]
    expect(await desk.ask('Hello?')).toMatchObject({
      end: 'failed',
      failure: { message: expect.stringContaining('401') },
    })
    expect(desk.model.requests).toHaveLength(1)
  })

  test('an interrupted stream is retried, and the earlier text stays in the log', async () => {
    desk.model.reply = [{ say: 'It was the best of times', cut: 10 }, 'The answer is four.']
    const answer = await desk.ask('Hello?')
    expect(answer).toMatchObject({ end: 'answered', text: 'The answer is four.' })
    expect((await desk.parts(answer.chat)).flatMap((part) => (part.kind === 'text' ? [part.text] : []))).toEqual([
      'Hello?',
      expect.stringMatching(/^It was/),
      'The answer is four.',
    ])
  })

  test('garbage ends the answer with one clear line', async () => {
    desk.model.reply = [{ garbage: true }, { garbage: true }]
    const answer = await desk.ask('Hello?')
    expect(answer.end).toBe('failed')
    expect(answer.failure!.message.split('\n')).toHaveLength(1)
  })

  test('an empty model reply is reported', async () => {
    desk.model.reply = ['']
    expect(await desk.ask('Hello?')).toMatchObject({
      end: 'failed',
      failure: { message: 'compatible:scripted returned an empty answer.' },
    })
  })

  test('a call to an unknown tool is answered with the list of tools', async () => {
    desk.model.reply = [
      { call: { tool: 'delete_everything', input: {} } },
      (request) => (expect(request.said).toMatch(/No tool named "delete_everything"/), 'So be it.'),
    ]
    expect(await desk.ask('Hello?')).toMatchObject({ end: 'answered', text: 'So be it.' })
  })

  test('arguments that are not JSON are answered with an error', async () => {
    desk.model.reply = [
      { call: { tool: 'execute_sql', input: '{"sql": "SELECT 1' } },
      (request) => (expect(request.answers.at(-1)!.text).toMatch(/no JSON object/), 'Sorry.'),
    ]
    expect(await desk.ask('Hello?')).toMatchObject({ end: 'answered', text: 'Sorry.' })
  })
})

describe('a stop', () => {
  test('reaches the engine in the middle of a query, and the chat can continue', async () => {
    desk.model.reply = [sql(ENDLESS), 'never said']
    const stop = new AbortController()
    const asked = desk.ask('Count forever', {}, { signal: stop.signal })
    await heardOf('call')
    setTimeout(() => stop.abort(), 300)
    const answer = await asked
    expect(answer.end).toBe('stopped')
    desk.model.reply = [(request) => (expect(request.said).toMatch(/stopped|not run/i), 'Going on.')]
    expect(await desk.ask('And now?', { chat: answer.chat })).toMatchObject({ end: 'answered', text: 'Going on.' })
  })

  test('keeps the text written so far', async () => {
    desk.model.reply = [{ say: 'A long story that takes its time.', slow: 100 }]
    const stop = new AbortController()
    const asked = desk.ask('Tell me', {}, { signal: stop.signal })
    await heardOf('text')
    stop.abort()
    const answer = await asked
    expect(answer.end).toBe('stopped')
    expect('A long story that takes its time.').toContain(answer.text)
  })
})

describe('a limit', () => {
  test('a step limit lets the model answer with the data it has, without tools', async () => {
    await desk.run('config_set', { name: 'analyst.steps', value: '2' })
    desk.model.reply = [
      sql('SELECT 1 AS one'),
      sql('SELECT 2 AS two'),
      (request) => (expect(request.tools).toEqual([]), 'One and two.'),
    ]
    const answer = await desk.ask('Go on and on')
    await desk.run('config_unset', { name: 'analyst.steps' })
    expect(answer).toMatchObject({ end: 'capped', text: 'One and two.' })
    expect(answer.notes.join()).toContain('2 steps (analyst.steps)')
  })

  test('a token limit ends the turn', async () => {
    await desk.run('config_set', { name: 'analyst.tokens', value: '100' })
    desk.model.reply = [{ ...sql('SELECT 1 AS one'), usage: { input: 90, output: 20 } }]
    const answer = await desk.ask('Go on')
    await desk.run('config_unset', { name: 'analyst.tokens' })
    expect(answer).toMatchObject({ end: 'capped' })
    expect(desk.model.requests).toHaveLength(1)
  })

  test('a time limit stops a running statement', async () => {
    await desk.run('config_set', { name: 'analyst.seconds', value: '1' })
    desk.model.reply = [sql(ENDLESS), 'never said']
    const answer = await desk.ask('Count forever')
    await desk.run('config_unset', { name: 'analyst.seconds' })
    expect(answer).toMatchObject({ end: 'capped' })
    expect(answer.notes.join()).toContain('1 seconds (analyst.seconds)')
  })

  test('a silent model is reported, and aborted after the limit', async () => {
    await desk.run('config_set', { name: 'analyst.silence', value: '2' })
    desk.model.reply = [{ silence: true }]
    const silent = await desk.ask('Are you there?')
    desk.model.reply = [{ say: 'One moment', silence: true }]
    const midway = await desk.ask('Are you there?')
    desk.model.reply = ['Yes.']
    const heard = await desk.ask('Are you there?')
    await desk.run('config_unset', { name: 'analyst.silence' })
    expect(silent).toMatchObject({
      end: 'failed',
      notes: [expect.stringContaining('has not answered for 1 s.')],
      failure: { message: expect.stringContaining('has not answered for 2 s and was given up.') },
    })
    expect(midway).toMatchObject({ end: 'failed', text: 'One moment' })
    expect(heard).toMatchObject({ end: 'answered', text: 'Yes.', notes: [] })
    expect(desk.model.requests).toHaveLength(3)
    expect(desk.model.requests.slice(0, 2).every(({ aborted }) => aborted)).toBe(true)
  })
})

/** Waits for a part of this kind. */
const heardOf = async (kind: string): Promise<void> => {
  while (!desk.heard.some((event) => event.type === 'part' && event.part.kind === kind && event.message !== first()))
    await new Promise((passed) => setTimeout(passed, 10))
}

/** The person's message. */
const first = (): string | undefined =>
  desk.heard.flatMap((event) =>
    event.type === 'message' && event.message.role === 'user' ? [event.message.id] : [],
  )[0]
