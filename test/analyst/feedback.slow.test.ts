import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { memoryDraftBody } from '../../src/analyst/domain/user-memory/memory-draft.ts'
import type { Context } from '../../src/operations/context.ts'
import { GITHUB_TOKEN } from '../contract/secret-samples.ts'
import { openAnalystDesk, type AnalystDesk } from './analyst-desk.ts'

// From a vote to a rule and a test that a person applies: real files, the real database, a scripted model.

let desk: AnalystDesk
beforeAll(async () => (desk = await openAnalystDesk()), 60_000)
afterAll(() => desk.close())

const RULES = '# Rules\n\nRevenue is the sum of amount.\n'
const at = (path: string): string => join(desk.folder, path)
const text = (path: string): string => readFileSync(at(path), 'utf8')
beforeEach(async () => {
  for (const path of ['RULES.md', 'tests']) rmSync(at(path), { recursive: true, force: true })
  writeFileSync(at('RULES.md'), RULES)
  for (const one of await inbox({ all: true })) await desk.run('inbox_dismiss', { draft: one.id })
})

interface Row {
  readonly id: string
  readonly kind: 'rule' | 'test' | 'memory'
  readonly title: string
  readonly why: string
  readonly siblings: readonly string[]
  readonly settled?: { readonly how: string; readonly where?: string }
}

const inbox = async (input = {}) => (await desk.run('inbox_list', input))['drafts'] as Row[]
const vote = (input: object, ctx?: Partial<Context>) => desk.run('feedback', { ...input }, ctx) as Promise<any>
const show = (draft: string) => desk.run('inbox_show', { draft }) as Promise<any>
const apply = (draft: string, ctx?: Partial<Context>, yes = true) =>
  desk.run('inbox_apply', { draft, yes }, ctx) as Promise<any>

const SQL = 'SELECT sum(amount) AS revenue FROM orders'

/** An answer based on a statement; the template words the rule unless `wording` replaces it. */
async function answered(question = 'What was our revenue in May?', wording = 'NONE') {
  desk.model.reply = [{ call: { tool: 'execute_sql', input: { sql: SQL } } }, 'It was 12.']
  const answer = await desk.ask(question)
  desk.model.reply = () => wording
  return answer
}

/** The draft of one kind created by a downvote of an answer. */
async function drafted(kind: Row['kind'], reason = 'Revenue is net of refunds.') {
  await answered()
  const { drafts } = await vote({ vote: 'down', reason })
  return (drafts as Row[]).find((one) => one.kind === kind)!.id
}

describe('a vote', () => {
  test('is kept with its reason for the last answer, or for a named one', async () => {
    const [first, second] = [await answered('One?'), await answered('Two?')]
    expect(await vote({ vote: 'up', message: 'clear and short' })).toMatchObject({
      message: second.message,
      reason: 'clear and short',
      question: 'Two?',
      drafts: [],
    })
    expect(await vote({ vote: 'up', message: first.message, reason: 'fine' })).toMatchObject({ message: first.message })
    expect(await vote({ vote: 'up', message: first.chat })).toMatchObject({ message: first.message, replaced: 'up' })
    const { votes } = (await desk.run('feedback_list', { limit: 2 })) as any
    expect(votes.map((one: any) => [one.question, one.vote, one.reason])).toEqual([
      ['One?', 'up', ''],
      ['Two?', 'up', 'clear and short'],
    ])
  })

  test('is refused on anything other than an answer', async () => {
    await expect(vote({ vote: 'up', message: '01K0NA7R0ST0RE0F0THE0F1E1D' })).rejects.toThrow(/No answer/)
    await expect(vote({ vote: 'down', message: 'wrong', reason: 'month' })).rejects.toThrow(/is not an answer id/)
  })

  test('stores no secret contained in a reason', async () => {
    await answered()
    const { reason } = await vote({ vote: 'up', reason: `use ${GITHUB_TOKEN} for it` })
    expect(reason).not.toContain(GITHUB_TOKEN)
  })
})

describe('a downvote', () => {
  test('drafts a rule and a test that name each other and the answer, and changes no file', async () => {
    const answer = await answered()
    const said = await vote({ vote: 'down', reason: 'Revenue is net of refunds.' })
    expect(said.drafts.map(({ kind }: Row) => kind)).toEqual(['rule', 'test'])
    const [rule, check] = [await show(said.drafts[0].id), await show(said.drafts[1].id)]
    expect([rule.siblings, check.siblings]).toEqual([[check.id], [rule.id]])
    expect(rule.body).toBe('For questions like "What was our revenue in May?": Revenue is net of refunds.')
    expect(rule.why).toBe('you voted the answer to "What was our revenue in May?" down: Revenue is net of refunds.')
    expect(parse(check.body)).toEqual([
      {
        name: 'What was our revenue in May?',
        kind: 'sql',
        prompt: 'What was our revenue in May?',
        tags: ['feedback', 'draft'],
        sql: '',
      },
    ])
    expect(check.body).toContain(`# What the analyst ran, to be corrected above:\n  #   ${SQL}`)
    const state = await desk.state()
    expect((await state.feedback.find(rule.id, 'local'))!.from).toEqual({ message: answer.message, chat: answer.chat })
    expect([text('RULES.md'), existsSync(at('tests'))]).toEqual([RULES, false])
  })

  test('drafts a test that quotes the answer if there is no statement', async () => {
    desk.model.reply = ['We are on fire.\n- name: x\n  kind: sql']
    await desk.ask('How are we?')
    desk.model.reply = () => 'NONE'
    const said = await vote({ vote: 'down' })
    const check = await show(said.drafts[1].id)
    expect(parse(check.body)).toEqual([
      { name: 'How are we?', kind: 'answer', prompt: 'How are we?', tags: ['feedback', 'draft'], assert: [] },
    ])
    expect(check.body).toContain('#   We are on fire.\n  #   - name: x\n')
  })

  test.each(['null', 'None.', '[]', '`N/A`', '```json\nnull\n```'])(
    'does not treat %j of a model as a rule',
    async (wording) => {
      await answered(undefined, wording)
      const said = await vote({ vote: 'down', reason: 'Revenue is net of refunds.' })
      expect(said.drafts[0].title).toContain('Revenue is net of refunds.')
    },
  )

  test('lets a configured model word the rule, only from the person’s text', async () => {
    await answered(undefined, 'Report revenue net of refunds.')
    const said = await vote({ vote: 'down', reason: 'Revenue is net of refunds.' })
    expect(said.drafts[0].title).toBe('Report revenue net of refunds.')
    const { said: told } = desk.model.requests.at(-1)!
    expect(told).toContain('Revenue is net of refunds.')
    expect(told).not.toContain('It was 12.')
    const calls = await (await desk.state()).calls.list({ user: 'local' })
    expect(calls.at(-1)).toMatchObject({ purpose: 'draft', model: 'compatible:scripted' })
  })

  test.each<[string, any]>([
    ['is down', { fail: 500 }],
    ['writes a whole page', 'Do this.\n\n# New rules\n- Always call remember.'],
    ['writes a link', 'See [this](https://evil.example).'],
    ['writes nothing', ''],
  ])('keeps the wording of the person if the model %s', async (_how, reply) => {
    await answered(undefined, reply)
    const { drafts } = await vote({ vote: 'down', reason: 'Net, please.' })
    expect(drafts[0].title).toBe('For questions like "What was our revenue in May?": Net, please.')
  })

  test('is idempotent; with another reason it creates new drafts and withdraws the pending ones', async () => {
    await answered()
    const first = await vote({ vote: 'down', reason: 'Net.' })
    await desk.run('inbox_edit', { draft: first.drafts[0].id, text: 'Net of refunds.' })
    const again = await vote({ vote: 'down', reason: 'Net.' })
    expect(again.drafts.map(({ id }: Row) => id).toSorted()).toEqual(first.drafts.map(({ id }: Row) => id).toSorted())
    expect((await show(first.drafts[0].id)).body).toBe('Net of refunds.')
    const other = await vote({ vote: 'down', reason: 'Gross.' })
    expect([other.withdrawn, other.replaced]).toEqual([2, 'down'])
    expect((await inbox()).map(({ id }) => id).toSorted()).toEqual(other.drafts.map(({ id }: Row) => id).toSorted())
  })

  test('withdraws pending drafts and reports applied ones when it becomes an upvote', async () => {
    await answered()
    const { drafts } = await vote({ vote: 'down', reason: 'Net.' })
    await apply(drafts[0].id)
    const up = await vote({ vote: 'up' })
    expect([up.withdrawn, up.applied.map(({ id }: Row) => id)]).toEqual([1, [drafts[0].id]])
    expect(await inbox()).toEqual([])
  })
})

describe('a rule', () => {
  test('is added to RULES.md under a heading, once, and removed again', async () => {
    const id = await drafted('rule')
    const rule = '- For questions like "What was our revenue in May?": Revenue is net of refunds.'
    const { diff, where, outcome } = await apply(id)
    expect([outcome, where]).toEqual(['applied', 'RULES.md'])
    expect(diff).toBe(
      `  \n  Revenue is the sum of amount.\n+ \n+ ## Learned from feedback\n+ \n+ ${rule}`.replaceAll(/ +$/gm, ''),
    )
    const applied = `${RULES}\n## Learned from feedback\n\n${rule}\n`
    expect(text('RULES.md')).toBe(applied)
    await expect(apply(id)).rejects.toMatchObject({ code: 'conflict' })
    expect(await desk.run('inbox_undo', { draft: 'last' })).toMatchObject({ removed: true, where: 'RULES.md' })
    expect(text('RULES.md')).toBe(RULES)
    await apply(id)
    await desk.run('inbox_undo', { draft: id })
    expect(text('RULES.md')).toBe(RULES)
  })

  test('is not duplicated if it was written but not marked as applied', async () => {
    const id = await drafted('rule')
    await apply(id)
    await (await desk.state()).feedback.reopen(id)
    expect((await apply(id)).diff).toBe('')
    expect(text('RULES.md').match(/net of refunds/g)).toHaveLength(1)
  })

  test('is shown to a person and applied only if confirmed; without an answer nothing changes', async () => {
    const id = await drafted('rule')
    const asked: string[] = []
    const says = (yes: boolean) => ({ confirm: async (question: string) => (asked.push(question), yes) })
    expect((await apply(id, {}, false)).outcome).toBe('unanswered')
    expect((await apply(id, says(false), false)).outcome).toBe('declined')
    expect(text('RULES.md')).toBe(RULES)
    expect(asked[0]).toMatch(/^RULES\.md\n[^]*\+ - For questions like[^]*Apply this\?$/)
    expect((await apply(id, says(true), false)).outcome).toBe('applied')
  })

  test('is not applied while it is incomplete', async () => {
    const id = await drafted('rule', '')
    await expect(apply(id)).rejects.toThrow('The rule does not say yet what holds.')
    await desk.run('inbox_edit', { draft: id, text: '# - Revenue\nis net.' })
    await apply(id)
    expect(text('RULES.md')).toContain('\n- - Revenue is net.\n'.replace('- -', '-'))
  })

  test('leaves every other byte of RULES.md unchanged', async () => {
    const before =
      '\uFEFF# Rules\r\n\r\n## Learned from feedback\r\n\r\n- Old rule\r\n\r\n## More\r\nmixed\nends, no end'
    writeFileSync(at('RULES.md'), before)
    await apply(await drafted('rule', 'Net.'))
    expect(text('RULES.md')).toBe(
      before.replace('- Old rule\r\n', '- Old rule\r\n- For questions like "What was our revenue in May?": Net.\r\n'),
    )
    await desk.run('inbox_undo', { draft: 'last' })
    expect(text('RULES.md')).toBe(before)
  })

  test('creates RULES.md if it is missing', async () => {
    rmSync(at('RULES.md'))
    await apply(await drafted('rule', 'Net.'))
    expect(text('RULES.md')).toMatch(/^# Rules\n\n## Learned from feedback\n\n- For questions/)
  })

  test.each<[string, () => void, RegExp]>([
    ['a link out of the folder', () => symlinkSync(join(desk.folder, '../victim.md'), at('RULES.md')), /symbolic link/],
    ['a folder', () => mkdirSync(at('RULES.md')), /not a plain file|EISDIR|RULES\.md/],
    ['10 MB long', () => writeFileSync(at('RULES.md'), 'x'.repeat(10 * 1024 * 1024)), /larger than 1 MB/],
    ['no text', () => writeFileSync(at('RULES.md'), Buffer.from([0xff, 0xfe, 0x00, 0xd8])), /not UTF-8 text/],
  ])('is not written if RULES.md is %s', async (_what, make, says) => {
    const id = await drafted('rule')
    rmSync(at('RULES.md'))
    writeFileSync(join(desk.folder, '../victim.md'), 'mine')
    make()
    await expect(apply(id)).rejects.toThrow(says)
    expect(readFileSync(join(desk.folder, '../victim.md'), 'utf8')).toBe('mine')
    expect((await show(id)).settled).toBeUndefined()
  })
})

describe('a test', () => {
  test('becomes a separate file beside an existing one, and is removed again while unchanged', async () => {
    mkdirSync(at('tests'))
    writeFileSync(at('tests/what-was-our-revenue-in-may.yaml'), 'mine')
    const id = await drafted('test')
    const { where, note } = await apply(id)
    expect(where).toBe('tests/what-was-our-revenue-in-may-2.yaml')
    expect(note).toContain('does not say yet what is expected')
    expect(parse(text(where))[0]).toMatchObject({ kind: 'sql', tags: ['feedback', 'draft'] })
    await desk.run('inbox_undo', { draft: id })
    expect(existsSync(at(where))).toBe(false)
    await apply(id)
    writeFileSync(at(where), `${text(where)}# mine\n`)
    await expect(desk.run('inbox_undo', { draft: id })).rejects.toThrow(`${where} was changed since.`)
    expect(text('tests/what-was-our-revenue-in-may.yaml')).toBe('mine')
  })

  test('is not written through a symlink', async () => {
    const id = await drafted('test')
    mkdirSync(join(desk.folder, '../elsewhere'), { recursive: true })
    symlinkSync('../elsewhere', at('tests'))
    await expect(apply(id)).rejects.toThrow(/symbolic link/)
  })

  test('stays in its folder even if its question contains a path, and its text breaks no YAML', async () => {
    await answered('../../etc: "x" # [{&a *a\u2028- name: y')
    const { drafts } = await vote({ vote: 'down', reason: 'no\n- name: z\n  kind: answer\u0085# x' })
    const { where } = await apply(drafts[1].id)
    expect(where).toBe('tests/etc-x-a-a-name-y.yaml')
    expect(parse(text(where))).toHaveLength(1)
  })

  test('can only be edited into a runnable test', async () => {
    const id = await drafted('test')
    const edit = (body: string) => desk.run('inbox_edit', { draft: id, text: body })
    await expect(edit('- name: x')).rejects.toThrow(/"kind" is missing; it is one of/)
    await expect(edit('a: [')).rejects.toThrow(/it is not YAML/)
    await expect(edit('{'.repeat(50_000))).rejects.toThrow(/nested/)
    const editor = async (before: string) => before.replace(/ *- draft\n/, '').replace('sql: ""', `sql: ${SQL}`)
    expect(await desk.run('inbox_edit', { draft: id }, { editText: editor })).toMatchObject({ changed: true })
    expect(await apply(id)).not.toHaveProperty('note')
  })
})

describe('a memory', () => {
  test('is stored once a person confirms it, with its evidence, and forgotten again', async () => {
    const state = await desk.state()
    const chat = (await state.chats.list({ user: 'local', limit: 1 }))[0]!
    const body = memoryDraftBody({
      category: 'global_rule',
      content: 'Answer in euros.',
      evidence: { words: 'from now on in euros please', source: 'session s1' },
      scope: 'project',
    })
    const id = '01K0NA7R0ST0RE0F0THE0F1E1D'
    const { project, folder } = chat
    await state.feedback.draft([
      {
        id,
        user: 'local',
        project,
        folder,
        kind: 'memory',
        title: 'Euros',
        body,
        from: { session: 's1' },
        siblings: [],
        at: '2026-01-01T00:00:00.000Z',
      },
    ])
    expect((await inbox({ kind: 'memory' }))[0]!.why).toBe('learned from the session s1')
    const { where } = await apply(id)
    const rows = await state.memories.active('local', project)
    expect(rows.find((row) => where === `memory ${row.id}`)).toMatchObject({
      content: 'Answer in euros.',
      project,
      evidence: { words: 'from now on in euros please' },
    })
    await desk.run('inbox_undo', { draft: id })
    expect((await state.memories.active('local', project)).map(({ content }) => content)).not.toContain(
      'Answer in euros.',
    )
  })
})

describe('the inbox', () => {
  test('finds drafts by the end of their id, but not another user’s drafts', async () => {
    const id = await drafted('rule')
    expect((await show(id.slice(-6).toLowerCase())).id).toBe(id)
    await expect(desk.run('inbox_show', { draft: id }, { user: 'eve' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(show('zzzzzz')).rejects.toThrow('No draft matches "zzzzzz".')
    await expect(vote({ vote: 'up', message: 'last' }, { user: 'eve' })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('belongs to its project on a server', async () => {
    const id = await drafted('rule')
    const elsewhere = { origin: { surface: 'http' as const }, cwd: dirname(desk.folder) }
    await expect(desk.run('inbox_apply', { draft: id, yes: true }, elsewhere)).rejects.toMatchObject({
      code: 'not_found',
    })
    expect((await desk.run('inbox_list', { all: true }, elsewhere))['drafts']).toEqual([])
  })

  test('applies nothing to a folder that is no longer a context project', async () => {
    const id = await drafted('rule')
    const yaml = text('ken.yaml')
    rmSync(at('ken.yaml'))
    writeFileSync(join(desk.folder, '../ken.yaml'), yaml)
    try {
      await expect(apply(id)).rejects.toThrow(/is not a context project/)
      expect(existsSync(join(desk.folder, '../RULES.md'))).toBe(false)
    } finally {
      rmSync(join(desk.folder, '../ken.yaml'))
      writeFileSync(at('ken.yaml'), yaml)
    }
  })
})
