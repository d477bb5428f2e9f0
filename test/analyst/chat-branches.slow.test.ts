import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openAnalystDesk, type AnalystDesk } from './analyst-desk.ts'

let desk: AnalystDesk
beforeAll(async () => {
  desk = await openAnalystDesk([], { files: { 'agent/skills/weekly.md': '---\nname: weekly\n---\nThe week.' } })
}, 60_000)
afterAll(() => desk.close())
beforeEach(() => {
  desk.model.requests.length = 0
})

const COUNT = 'SELECT count(*) AS n FROM users'
const sql = (text: string) => ({ call: { tool: 'execute_sql', input: { sql: text } } })
const said = async (chat: string): Promise<string[]> =>
  (await desk.parts(chat)).flatMap((part) => (part.kind === 'text' ? [part.text] : []))

describe('a question that replaces another', () => {
  test('removes that question and everything after it, including for the model', async () => {
    desk.model.reply = ['Red.', 'Two.', 'Blue.']
    const first = await desk.ask('Which colour?')
    const second = await desk.ask('How many?', { chat: first.chat })
    const again = await desk.ask('Which colour, really?', { instead: first.message })
    expect(again).toMatchObject({ chat: first.chat, text: 'Blue.' })
    expect(await said(first.chat)).toEqual(['Which colour, really?', 'Blue.'])
    const told = desk.model.requests.at(-1)!.said
    for (const gone of ['Red.', 'How many?', 'Two.']) expect(told).not.toContain(gone)
    await expect(desk.ask('And?', { instead: second.message })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('is refused if the chat has no such message, and nothing is lost', async () => {
    desk.model.reply = ['Red.']
    const { chat } = await desk.ask('Which colour?')
    await expect(desk.ask('Again?', { chat, instead: '01K0' })).rejects.toMatchObject({ code: 'not_found' })
    expect(await said(chat)).toEqual(['Which colour?', 'Red.'])
  })
})

test('the end of an answer reports how full the model window is', async () => {
  desk.model.reply = [sql(COUNT), { say: '25.', usage: { input: 700, output: 20 } }]
  await desk.ask('How many users?')
  expect(desk.heard.findLast(({ type }) => type === 'end')).toMatchObject({
    end: { window: { used: 720, size: 32_000 } },
  })
})

describe('a branch', () => {
  test('contains the chat up to an answer, with its queries, and leaves the other chat unchanged', async () => {
    desk.model.reply = [sql(COUNT), '25 users.', 'Later.', 'As in the branch.']
    const first = await desk.ask('How many users?')
    await desk.ask('And later?', { chat: first.chat })
    const branch = (await desk.run('chat_branch', { chat: first.chat, message: first.message })) as { id: string }
    expect(await said(branch.id)).toEqual(['How many users?', '25 users.'])
    expect(await said(first.chat)).toHaveLength(4)
    const query = first.queries[0]!.id
    expect(await desk.run('chat_result', { chat: branch.id, query_id: query })).toMatchObject({ sql: COUNT, kept: 1 })
    expect((await desk.ask('Go on', { chat: branch.id })).text).toBe('As in the branch.')
    expect(desk.model.requests.at(-1)!.said).toContain('25 users.')
    expect(await said(first.chat)).toHaveLength(4)
  })

  test('is refused if it starts from a message of another chat', async () => {
    desk.model.reply = ['Red.']
    const { chat } = await desk.ask('Which colour?')
    await expect(desk.run('chat_branch', { chat, message: 'nobody' })).rejects.toMatchObject({ code: 'not_found' })
  })
})

test('reads the results of a chat in pages, but not those of another chat', async () => {
  desk.model.reply = [sql('SELECT id FROM users ORDER BY id'), 'Many.', 'None.']
  const asked = await desk.ask('Which users?')
  const query_id = asked.queries[0]!.id
  const page = await desk.run('chat_result', { chat: asked.chat, query_id, offset: 2, limit: 3 })
  expect(page).toMatchObject({ rows: [[3], [4], [5]], offset: 2, kept: 25, row_count: 25, cut: false })
  const other = await desk.ask('Another?')
  await expect(desk.run('chat_result', { chat: other.chat, query_id })).rejects.toMatchObject({ code: 'not_found' })
})

describe('a story from an answer', () => {
  test('has its text, its chart and the table behind the numbers, with their rows', async () => {
    desk.model.reply = [
      sql('SELECT id, amount FROM orders ORDER BY id LIMIT 3'),
      ({ said: told }) => ({
        call: {
          tool: 'display_chart',
          input: {
            query_id: told.match(/q_[0-9a-f]{12}/g)!.at(-1),
            kind: 'bar',
            title: 'A "few" orders',
            x: 'id',
            y: ['amount'],
          },
        },
      }),
      'Three orders.',
    ]
    const asked = await desk.ask('What do orders cost?')
    const made = (await desk.run('story_from_answer', { message: asked.message })) as { slug: string; faults: string[] }
    expect(made).toMatchObject({ slug: 'what-do-orders-cost', faults: [] })
    const shown = (await desk.run('story_show', { slug: made.slug })) as { text: string; data: { rows: unknown[] }[] }
    expect(shown.text).toMatch(/^# What do orders cost\?\n\nThree orders\.\n\n<chart query="q_\w+" kind="bar"/)
    expect(shown.data[0]!.rows).toHaveLength(3)
    expect(await desk.run('story_from_answer', { message: asked.message })).toMatchObject({
      slug: 'what-do-orders-cost-2',
    })
  })

  test('keeps the marks of wrong numbers', async () => {
    desk.model.reply = [
      sql('SELECT count(*) AS n FROM orders'),
      ({ said: told }) => `There are [99999](${told.match(/q_[0-9a-f]{12}/g)!.at(-1)}.n.1) orders of 777 customers.`,
    ]
    const { message } = await desk.ask('How many orders?')
    const { slug, notices } = (await desk.run('story_from_answer', { message })) as { slug: string; notices: string[] }
    expect(notices.join(' ')).toMatch(/from no query: 777\. .*99999: q_\w+, n, row 1 has \d+/)
    expect(await desk.run('story_show', { slug })).toMatchObject({ notices })
  })
})

test('withdrawing a vote deletes it and its drafts', async () => {
  desk.model.reply = ['Red.', 'For questions like it: blue.']
  const { message, chat } = await desk.ask('Which colour?')
  await desk.run('feedback', { vote: 'down', message, reason: 'It is blue.' })
  expect(await desk.run('feedback', { vote: 'none', message })).toMatchObject({ replaced: 'down', withdrawn: 2 })
  expect(await desk.run('feedback_list', { chat })).toMatchObject({ votes: [] })
  expect(await desk.run('feedback', { vote: 'none', message })).toMatchObject({ withdrawn: 0 })
})

test('lists mentions as they are written in a question', async () => {
  const { mentions } = (await desk.run('mentions', {})) as { mentions: { kind: string; mention: string }[] }
  expect(mentions).toContainEqual(expect.objectContaining({ kind: 'table', mention: '@main.orders' }))
  expect(mentions).toContainEqual(expect.objectContaining({ kind: 'skill', mention: '/weekly' }))
  const found = (await desk.run('mentions', { words: ['ORD'], kinds: ['table'] })) as { mentions: { name: string }[] }
  expect(found.mentions.map(({ name }) => name)).toEqual(expect.arrayContaining(['main.orders']))
  expect(found.mentions.every(({ name }) => name.includes('ord'))).toBe(true)
})

test('lists answerers, the configured one first', async () => {
  const told = (await desk.run('answerers', {})) as { set: string; answerers: object[] }
  expect(told.set).toBe('compatible:scripted')
  expect(told.answerers[0]).toMatchObject({ name: 'compatible:scripted', why: 'set', window: 32_000 })
})
