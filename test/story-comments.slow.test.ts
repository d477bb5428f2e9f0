import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openStoryDesk, type StoryDesk } from './stories/story-desk.ts'

let desk: StoryDesk
afterEach(() => desk?.close())

const TEXT = `# Sales

They grew.

<chart query="q_1" kind="line" x="month" y="revenue" title="By month"/>

<table query="q_2" title="In all"/>
`

async function withStory(): Promise<void> {
  desk = await openStoryDesk()
  await desk.run('story', { action: 'create', title: 'Sales', slug: 'sales', text: TEXT })
}

const comment = (text: string, more: object = {}) => desk.run('story_comment', { slug: 'sales', text, ...more })
const threads = async (more: object = {}): Promise<any[]> =>
  (await desk.run('story_comments', { slug: 'sales', ...more }))['threads']
/** Each thread as its place and the texts of its comments. */
const told = async (more: object = {}): Promise<string[]> =>
  (await threads(more)).map(
    ({ block = '-', on = 'story', resolved, comments }) =>
      `${block} ${on}${resolved ? ' (resolved)' : ''}: ${comments.map(({ text }: { text: string }) => text).join(' | ')}`,
  )

test('a comment is on the story or on a block, and is answered, resolved and reopened', async () => {
  await withStory()
  const { id } = await comment('Net?', { on: 'by month' })
  await comment('For whom is this?')
  await comment('Yes, net.', { answers: id.slice(-6).toLowerCase() })
  await comment('Say since when', { on: '2' })
  expect(await told()).toEqual([
    '3 By month: Net? | Yes, net.',
    '- story: For whom is this?',
    '2 They grew.: Say since when',
  ])
  expect((await threads())[0].comments[0]).toMatchObject({ by: 'You', agent: false, removable: true })
  expect(await desk.run('story_comment_resolve', { slug: 'sales', comment: id })).toMatchObject({ changed: true })
  expect(await desk.run('story_comment_resolve', { slug: 'sales', comment: id })).toMatchObject({ changed: false })
  expect((await told())[0]).toBe('3 By month (resolved): Net? | Yes, net.')
  expect((await threads())[0].resolved).toMatchObject({ by: 'You' })
  const shown = await desk.say('story_comments', { slug: 'sales' })
  expect(shown).toContain('sales: 2 open threads, 1 resolved.')
  expect(shown).toMatch(/Block 3: By month\n {2}You, \S+ \(\w{6}\): Net\?/)
  await desk.run('story_comment_resolve', { slug: 'sales', comment: id, reopen: true })
  expect((await told())[0]).toBe('3 By month: Net? | Yes, net.')
})

test('comments follow their blocks when the text is edited, and those on removed blocks are still listed', async () => {
  await withStory()
  for (const on of ['they grew', 'by month', 'in all']) await comment(`on ${on}`, { on })
  const later = `# Sales\n\nNew first.\n\n<table query="q_2" title="In all"/>\n\nThey grew in May.\n\nThey grew.\n`
  await desk.run('story_edit', { slug: 'sales', text: later })
  expect(await told()).toEqual(['5 They grew.: on they grew', '- By month: on by month', '3 In all: on in all'])
  expect(await desk.say('story_comments', { slug: 'sales' })).toContain('A block that is gone: By month')
  // The earlier version still has it.
  expect((await told({ version: 1 }))[1]).toBe('3 By month: on by month')
  await expect(comment('late', { on: '3', version: 1 })).rejects.toMatchObject({ code: 'conflict' })
})

test('a block is named by its number or by words of it alone, and otherwise refused', async () => {
  await withStory()
  await desk.run('story_edit', { slug: 'sales', text: '# Sales\n\nTotal of May\n\nTotal of June\n' })
  await expect(comment('?', { on: 'total' })).rejects.toMatchObject({
    code: 'invalid_input',
    hint: 'Use more words, or a number: 2, 3.',
  })
  await expect(comment('?', { on: 'nothing like it' })).rejects.toMatchObject({ code: 'not_found' })
  for (const on of ['0', '4']) await expect(comment('?', { on })).rejects.toMatchObject({ code: 'not_found' })
  await expect(comment(' \n ')).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(comment('?', { answers: 'ZZZZZZ' })).rejects.toMatchObject({ code: 'not_found' })
  const { id } = await comment('fine', { on: 'june' })
  await expect(comment('?', { on: '2', answers: id })).rejects.toMatchObject({ code: 'invalid_input' })
})

test('a removed comment leaves the file, and the answers to it stay', async () => {
  await withStory()
  const { id } = await comment('ephemeral words', { on: 'by month' })
  await comment('An answer', { answers: id })
  await desk.run('story_comment_remove', { slug: 'sales', comment: id })
  expect(await told()).toEqual(['3 By month: An answer'])
  for (const name of ['state.db', 'state.db-wal'])
    expect(readFileSync(join(desk.home, name)).includes('ephemeral words')).toBe(false)
})

test('comments keep no secret, are marked if an agent wrote them, and are escaped in a terminal', async () => {
  await withStory()
  const secret = ['ghp', 'a'.repeat(36)].join('_')
  await comment(`Use ${secret} there \u001b[31mred`)
  await desk.run(
    'story_comment',
    { slug: 'sales', text: 'From a tool' },
    { origin: { surface: 'mcp-stdio', client: 'x' } },
  )
  expect(JSON.stringify(await threads())).not.toContain(secret)
  expect(await told()).toEqual([expect.stringContaining('there'), '- story: From a tool'])
  expect((await threads())[1].comments[0]).toMatchObject({ agent: true })
  const shown = await desk.say('story_comments', { slug: 'sales' })
  expect(shown).not.toContain('\u001b')
  expect(shown).toContain('You (through an agent)')
})

test('a copy and an export have no comments, unless they are asked for', async () => {
  await withStory()
  await comment('<script>alert(1)</script> is **net**', { on: 'by month' })
  const html = async (more: object): Promise<string> =>
    (await desk.run('story_export', { slug: 'sales', as: 'html', output: '-', ...more }))['text']
  expect(await html({})).not.toContain('alert(1)')
  const page = await html({ comments: true })
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt; is **net**')
  expect(page).not.toContain('<script')
  const pdf = await desk.run('story_export', { slug: 'sales', as: 'pdf', output: '-', comments: true })
  expect(Buffer.from(pdf['base64'], 'base64').subarray(0, 5).toString()).toBe('%PDF-')
  await expect(
    desk.run('story_export', { slug: 'sales', as: 'md', output: '-', comments: true }),
  ).rejects.toMatchObject({ code: 'invalid_input' })
  const copy = await desk.run('story_new', { title: 'Copy', from: 'sales' })
  expect((await desk.run('story_comments', { slug: copy['slug'] }))['threads']).toEqual([])
})
