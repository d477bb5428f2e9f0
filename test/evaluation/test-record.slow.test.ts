import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { openAnalystDesk, type AnalystDesk } from '../analyst/analyst-desk.ts'
import { GITHUB_TOKEN } from '../contract/secret-samples.ts'
import type { Script } from '../scripted-model.ts'

// Past events become cases, and each case passes against its origin: real chats, files and searches.

let desk: AnalystDesk
beforeAll(async () => (desk = await openAnalystDesk()), 60_000)
afterAll(() => desk.close())
beforeEach(() => rmSync(at('tests'), { recursive: true, force: true }))

const at = (path: string): string => join(desk.folder, path)
const text = (path: string): string => readFileSync(at(path), 'utf8')
const record = (input: object = {}) => desk.run('test_record', { ...input }) as Promise<any>
const SQL = 'SELECT note, count(*) AS orders FROM orders GROUP BY note'

/** Asks a question with a model that follows this script. */
async function asked(question: string, script: Script, more: Readonly<Record<string, unknown>> = {}) {
  desk.model.reply = script
  return desk.ask(question, more)
}

/** Runs all recorded cases; the model follows the script. */
async function run(script: Script = []) {
  // A script is consumed once.
  desk.model.reply = typeof script === 'function' ? script : [...script]
  desk.model.requests.length = 0
  const output = (await desk.run('test_run', { threads: 1 })) as any
  return {
    total: output.total,
    failures: output.cases,
    told: desk.model.requests.map(({ said }) => said).join('\n'),
  }
}

const passed = (count: number) => ({ total: { passed: count, failed: 0, broken: 0, unfinished: 0 }, failures: [] })

describe('a chat', () => {
  test('becomes the statement that its answer is based on, and passes', async () => {
    const script: Script = [{ call: { tool: 'execute_sql', input: { sql: SQL } } }, 'Here they are by note.']
    await asked('How many orders with each note?', script)
    const { file, kind, text: shown, undo, notes } = await record()
    expect([file, kind]).toEqual(['tests/how-many-orders-with-each-note.yaml', 'sql'])
    expect(parse(text(file))).toEqual([
      { name: 'How many orders with each note?', kind: 'sql', prompt: 'How many orders with each note?', sql: SQL },
    ])
    expect(text(file).endsWith(shown)).toBe(true)
    expect(text(file)).toMatch(/^# yaml-language-server: \$schema=\.schema\.json\n/)
    expect(JSON.parse(text('tests/.schema.json'))).toMatchObject({ title: 'Test cases of Ken' })
    expect(shown).toContain('#   Here they are by note.')
    expect(shown).toContain('#   called: [execute_sql]\n  #   tables: [orders]')
    expect(undo).toContain(file)
    expect(notes.join()).toContain('see that it is right')
    const ran = await run(script)
    expect(ran).toMatchObject(passed(1))
    // The model receives the person's question, and nothing about the expectation before it answers.
    expect(desk.model.requests[0]!.said).not.toContain('GROUP BY note')
  })

  test('uses the query that its numbers come from, not the last one tried', async () => {
    const first = 'SELECT count(*) AS n FROM orders'
    const script: Script = [
      { call: { tool: 'execute_sql', input: { sql: first } } },
      { call: { tool: 'execute_sql', input: { sql: 'SELECT note FROM orders LIMIT 1' } } },
      ({ messages }) => `There are [60](${JSON.stringify(messages).match(/q_[0-9a-f]{12}/)![0]}.n.1) of them.`,
    ]
    await asked('How many orders are there?', script)
    expect(parse((await record()).text)[0].sql).toBe(first)
    expect(await run(script)).toMatchObject(passed(1))
  })

  test.each<[string, string, Script, object]>([
    [
      'with numbers says these',
      'How many people work here?',
      ['There are 47 of us, of whom 12.5 % in Bern.'],
      [{ number: 47 }, { number: 12.5 }],
    ],
    [
      'that asks back expects a question',
      'How is revenue?',
      [{ call: { tool: 'clarify', input: { question: 'Net or gross?' } } }],
      [{ clarifies: true }],
    ],
    [
      'without numbers expects an answer',
      'Who are we?',
      ['A shop for small farms.'],
      [{ refuses: false }, { clarifies: false }],
    ],
    [
      'that refuses expects a refusal',
      'Delete all orders.',
      ['I cannot delete anything: I only read.'],
      [{ refuses: true }],
    ],
  ])('%s, and passes', async (_what, question, script, expected) => {
    await asked(question, script)
    const { kind, text: shown } = await record()
    expect([kind, parse(shown)[0].assert]).toEqual(['answer', expected])
    expect(await run(script)).toMatchObject(passed(1))
  })

  test('keeps the earlier messages if it continued, and one of its messages can be named', async () => {
    const first = await asked('How many people work here?', ['There are 47.'])
    const script: Script = ['There are 12.']
    const second = await asked('And in Bern?', script, { chat: first.chat })
    await asked('Thanks', ['You are welcome.'], { chat: first.chat })
    const { text: shown } = await record({ chat: second.message })
    expect(parse(shown)).toMatchObject([
      { prompt: 'And in Bern?', earlier: ['How many people work here?'], assert: [{ number: 12 }] },
    ])
    expect(await run(['There are 47.', ...script])).toMatchObject(passed(1))
    expect(parse((await record({ chat: first.chat.slice(0, 14), dry_run: true })).text)[0].earlier).toHaveLength(2)
  })

  test('is not recorded if it ended without an answer', async () => {
    await asked('What fails?', () => ({ fail: 400 }))
    await expect(record()).rejects.toThrow(/Nothing to expect/)
    expect(existsSync(at('tests'))).toBe(false)
    await expect(record({ chat: 'ZZZZ' })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('is written without its secrets, and its text cannot break the YAML', async () => {
    await asked(`Is ${GITHUB_TOKEN} ours?\n- name: x\n  kind: sql\n# [{`, ['Yes: 3.\n- name: y\n  kind: sql'])
    const { file } = await record()
    expect(text(file)).not.toContain(GITHUB_TOKEN)
    expect(parse(text(file))).toHaveLength(1)
    expect(await run(['Yes: 3.'])).toMatchObject(passed(1))
  })

  test('is not found if it belongs to another user', async () => {
    const { message } = await asked('Mine?', ['Yes, 3.'])
    await expect(desk.run('test_record', { chat: message }, { user: 'eve' })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

describe('the file', () => {
  test('keeps the existing bytes of a named file, and makes case names unique', async () => {
    await asked('How many people work here?', ['There are 47.'])
    const before =
      '# ours\n\n- name: "how many people work here?" # old\n  kind: answer\n  prompt: x\n  assert: [{contains: y}]\n'
    mkdirSync(at('tests'))
    writeFileSync(at('tests/finance.yaml'), before)
    const { name, new_file, line, undo } = await record({ file: 'finance' })
    expect([name, new_file, line]).toEqual(['How many people work here? (2)', false, 9])
    expect(text('tests/finance.yaml').startsWith(before)).toBe(true)
    expect(undo).toContain('line 9 of tests/finance.yaml')
    expect((await record({ file: 'tests/finance.yaml' })).name).toBe('How many people work here? (3)')
    await expect(record({ name: 'HOW many people work here?' })).rejects.toMatchObject({ code: 'conflict' })
    expect((await record()).file).toBe('tests/how-many-people-work-here-4.yaml')
  })

  test('is only printed in a dry run', async () => {
    await asked('How many people work here?', ['There are 47.'])
    const { written, file, text: shown } = await record({ dry_run: true })
    expect([written, file, existsSync(at('tests'))]).toEqual([false, 'tests/how-many-people-work-here.yaml', false])
    expect(shown).toContain('number: 47')
  })

  test.each([
    '../x.yaml',
    '/etc/x.yaml',
    'a/../../x',
    'outputs/x.yaml',
    'OUTPUTS/x',
    '.x',
    'x.json',
    'a\\..\\..\\x',
    '',
  ])('rejects the file name %j', async (file) => {
    await expect(record({ check: 'Use Redis', file })).rejects.toMatchObject({ code: 'invalid_input' })
    expect(existsSync(at('tests'))).toBe(false)
  })

  test('is not written through a link, and a file with other content is kept unchanged', async () => {
    mkdirSync(at('tests'))
    symlinkSync('../ken.yaml', at('tests/link.yaml'))
    await expect(record({ check: 'Use Redis', file: 'link' })).rejects.toMatchObject({ code: 'forbidden' })
    writeFileSync(at('tests/mine.yaml'), 'mine')
    await expect(record({ check: 'Use Redis', file: 'mine' })).rejects.toThrow(/Can’t add to/)
    expect(text('tests/mine.yaml')).toBe('mine')
  })
})

describe('a search', () => {
  test('expects its strong hits, and passes', async () => {
    const { text: shown, kind } = await record({ search: 'Use Postgres as the only datastore' })
    expect([kind, parse(shown)[0].wanted]).toEqual(['retrieval', expect.arrayContaining(['D2'])])
    expect(await run()).toMatchObject(passed(1))
  })

  test('expects the named hits; a low-ranked one is reported, and an unknown one is refused', async () => {
    const { notes } = await record({ search: 'datastore', want: ['D2'], at: 5, file: 'search' })
    expect(notes).toEqual([])
    expect(parse(text('tests/search.yaml'))[0]).toMatchObject({ wanted: ['D2'], at: 5 })
    expect(await run()).toMatchObject(passed(1))
    const far = await record({ search: 'datastore', want: ['D8'], at: 1 })
    expect(far.notes.join()).toContain('D8 is not among the first 1 now')
    await expect(record({ search: 'datastore', want: ['D999'] })).rejects.toMatchObject({ code: 'not_found' })
    await expect(record({ search: 'xyzzy plugh' })).rejects.toThrow(/strong enough|--want|want/)
    await expect(record({ want: ['D2'] })).rejects.toMatchObject({ code: 'invalid_input' })
  })
})

test.each(['Use Redis as the hot-read cache', 'Paint the office blue'])(
  'a check of "%s" returns the same result again',
  async (proposal) => {
    const { kind, text: shown } = await record({ check: proposal })
    expect([kind, parse(shown)[0].proposal]).toEqual(['decision', proposal])
    expect(await run()).toMatchObject(passed(1))
  },
)

describe('a learned memory', () => {
  beforeAll(() => desk.run('config_set', { name: 'memory.learn', value: 'true' }))
  afterAll(() => desk.run('config_set', { name: 'memory.learn', value: 'false' }))

  test('is recorded as a case with the user’s words, the memories it replaced and nothing else', async () => {
    await desk.run('memories_add', { content: 'My cat is called Tom.' })
    const said = 'From now on always show amounts in euros.'
    // Learning calls have no tools.
    const learned = [{ content: 'Always show amounts in euros.', evidence: said }]
    const script: Script = ({ tools }) =>
      tools.length === 0 ? JSON.stringify({ instructions: learned, facts: null, forget: [] }) : 'Understood.'
    await asked(said, script)
    const { kind, text: shown } = await record({ memory: true })
    expect(kind).toBe('memory')
    expect(parse(shown)[0]).toMatchObject({ conversation: [said], most: 1, expected: [{ category: 'global_rule' }] })
    expect(parse(shown)[0].expected[0].contains).toContain('euros')
    expect(shown).not.toContain('Tom')
    expect(await run(script)).toMatchObject(passed(1))
  })
})

describe('a downvote', () => {
  const down = async () => {
    desk.model.reply = [{ call: { tool: 'execute_sql', input: { sql: SQL } } }, 'It was 12.']
    const answer = await desk.ask('What was our revenue in May?')
    desk.model.reply = () => 'NONE'
    const { drafts } = (await desk.run('feedback', { vote: 'down', reason: 'Net of refunds.' })) as any
    return { answer, draft: drafts.find(({ kind }: { kind: string }) => kind === 'test').id as string }
  }
  const settled = async (id: string) => (await (await desk.state()).feedback.find(id, 'local'))?.settled

  test('is recorded from its pending inbox draft, and can be undone in the inbox', async () => {
    const { draft } = await down()
    const { file, draft: isDraft, notes, undo } = await record({ feedback: 'last' })
    expect([file, isDraft]).toEqual(['tests/what-was-our-revenue-in-may.yaml', true])
    expect(notes.join()).toContain('draft')
    expect(parse(text(file))).toMatchObject([{ kind: 'sql', sql: '', tags: ['feedback', 'draft'] }])
    expect(await settled(draft)).toMatchObject({ how: 'applied', where: file })
    expect(undo).toContain(draft.slice(-6).toLowerCase())
    await expect(record({ feedback: draft })).rejects.toMatchObject({ code: 'conflict' })
    await desk.run('inbox_undo', { draft })
    expect(existsSync(at(file))).toBe(false)
    await expect(run()).rejects.toMatchObject({ code: 'not_found' })
  })

  test('is identified by its answer or its draft, and is added to an existing file', async () => {
    const { answer, draft } = await down()
    expect((await record({ feedback: answer.message, dry_run: true })).written).toBe(false)
    expect(await settled(draft)).toBeUndefined()
    await record({ check: 'Use Redis', file: 'all' })
    const before = text('tests/all.yaml')
    await record({ feedback: draft.slice(-6), file: 'all' })
    expect(text('tests/all.yaml').startsWith(before)).toBe(true)
    expect(await settled(draft)).toMatchObject({ how: 'dismissed', where: 'recorded in tests/all.yaml' })
    // A draft dismissed by recording it can be recorded again from the vote.
    expect((await record({ feedback: answer.message })).name).toBe('What was our revenue in May? (2)')
  })

  test('rejects an answer that was not voted down', async () => {
    const { message } = await asked('How many?', ['There are 3.'])
    await expect(record({ feedback: message })).rejects.toThrow('That answer has no downvote.')
    await expect(record({ feedback: message, chat: 'last' })).rejects.toMatchObject({ code: 'invalid_input' })
  })
})
