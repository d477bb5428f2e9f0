import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KEN } from './ken-program.ts'

const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-mcp-')))
const environment = { PATH: process.env['PATH']!, HOME: place, KEN_HOME: join(place, 'home') }
const SESSION = 'ed7a3c3c-7b14-49f3-8c28-0a4c518c00db'
let client: Client
let usual: Awaited<ReturnType<typeof listWith>>

beforeAll(async () => {
  execFileSync(process.execPath, [KEN, 'init', 'shop', '--demo'], { cwd: place, env: environment })
  const talks = join(place, '.claude/projects/shop')
  mkdirSync(talks, { recursive: true })
  const said = { type: 'user', sessionId: SESSION, uuid: 'a1', timestamp: '2026-05-01T10:00:00.000Z', cwd: place }
  const message = { role: 'user', content: 'Where do we keep the invoices of the orchard?' }
  writeFileSync(join(talks, `${SESSION}.jsonl`), `${JSON.stringify({ ...said, message })}\n`)
  execFileSync(process.execPath, [KEN, 'harvest'], { cwd: place, env: environment })
  // Before the server's own upkeep begins: a search during upkeep finds only documents indexed by then.
  execFileSync(process.execPath, [KEN, 'update'], { cwd: place, env: environment })
  client = new Client({ name: 'test-agent', version: '9' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [KEN, 'serve', '--stdio', '--toolsets', 'record'],
      cwd: place,
      env: environment,
      stderr: 'pipe',
    }),
  )
  usual = await listWith([])
}, 120_000)

afterAll(async () => {
  await client?.close()
  rmSync(place, { recursive: true, force: true })
})

const call = async (name: string, input: Record<string, unknown> = {}) => {
  const result = await client.callTool({ name, arguments: input })
  const [block] = result.content as { type: string; text: string }[]
  return {
    isError: result.isError === true,
    text: block?.text ?? '',
    data: result.structuredContent as Record<string, never>,
  }
}

const projectFolder = (): string => dirname(globSync(join(place, 'home/projects/*/project.md'))[0]!)

const IN_ENVELOPE = /<(ken-context-\w+) [^>]*trust="[^"]+"[^]*<\/\1>/

const bytesOf = (tools: unknown): number => Buffer.byteLength(JSON.stringify({ tools }))

/** Another server's tools and instructions, and its answer to one call. */
async function listWith(
  args: readonly string[],
  request?: { name: string; arguments: Record<string, unknown> },
  set: Record<string, string> = {},
  cwd = place,
) {
  const other = new Client({ name: 'test-agent', version: '9' })
  await other.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [KEN, 'serve', '--stdio', ...args],
      cwd,
      env: { ...environment, KEN_UPKEEP: '0', ...set },
      stderr: 'pipe',
    }),
  )
  const { tools } = await other.listTools()
  const instructions = other.getInstructions() ?? ''
  const answer = request && (await other.callTool(request))
  const uri = 'ken://sessions/{id}'
  const sessions = tools.some(({ name }) => name === 'memory_get')
    ? await other.complete({ ref: { type: 'ref/resource', uri }, argument: { name: 'id', value: 'invoices' } })
    : undefined
  const [id] = sessions?.completion.values ?? []
  const session = id === undefined ? undefined : await other.readResource({ uri: `ken://sessions/${id}` })
  await other.close()
  return { tools, instructions, answer, session }
}

describe('the stdio server', () => {
  test('offers the eleven record tools, each closed-world, in less than 6 KB', async () => {
    const { tools } = await client.listTools()
    expect(tools.map((tool) => tool.name)).toEqual([
      'get_context',
      'brief',
      'get_raw_file',
      'list_decisions',
      'get_decision',
      'diff_since_last_session',
      'search_decisions',
      'check_decision',
      'propose_decision',
      'flag_question',
      'update_state',
    ])
    for (const tool of tools) expect(tool.annotations).toMatchObject({ openWorldHint: false })
    expect(tools.find((tool) => tool.name === 'check_decision')?.annotations).toEqual({
      readOnlyHint: true,
      idempotentHint: true,
      openWorldHint: false,
    })
    expect(tools.find((tool) => tool.name === 'propose_decision')?.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: false,
    })
    expect(bytesOf(tools)).toBeLessThan(6 * 1024)
  })

  test('stays below 10 KB with the default tools of a server, and marks five of them as always loaded', async () => {
    const { tools } = usual
    for (const { annotations } of tools)
      expect(annotations).toMatchObject({ idempotentHint: annotations?.readOnlyHint, openWorldHint: false })
    expect(tools.map((tool) => tool.name)).toEqual(
      expect.arrayContaining(['memory_search', 'memory_vsearch', 'memory_query', 'memory_update']),
    )
    expect(tools.filter((tool) => tool._meta?.['anthropic/alwaysLoad'] === true).map((tool) => tool.name)).toEqual([
      'get_context',
      'check_decision',
      'propose_decision',
      'memory_query',
      'memory_write',
    ])
    for (const { _meta } of tools)
      expect(_meta?.['anthropic/alwaysLoad'] ?? _meta?.['anthropic/searchHint']).toSatisfy(
        (hint) => hint === true || /^\w.{4,}$/.test(hint),
      )
    expect(bytesOf(tools)).toBeLessThan(10 * 1024)
  })

  test('offers an agent one tool per purpose, in less than 6 KB', async () => {
    const { tools, answer } = await listWith(['--toolset', 'agent'], {
      name: 'memory_query',
      arguments: { query: 'Postgres', mode: 'words', origin: ['decision'] },
    })
    expect(tools.map((tool) => tool.name)).toEqual([
      'get_context',
      'get_decision',
      'check_decision',
      'propose_decision',
      'flag_question',
      'update_state',
      'memory_query',
      'memory_get',
      'memory_write',
    ])
    expect(bytesOf(tools)).toBeLessThan(6 * 1024)
    expect(JSON.stringify(answer?.content)).toMatch(/\(lexical\)[\s\S]*Postgres/)
  })

  test('offers the configured toolset instead of the one that setup wrote', async () => {
    const set = { KEN_TOOLSETS: 'record' }
    const { tools } = await listWith(['--toolset', 'agent'], undefined, set)
    expect(tools.map((tool) => tool.name)).toContain('list_decisions')
    expect(tools.map((tool) => tool.name)).not.toContain('memory_query')
    expect((await listWith(['--toolsets', 'agent'], undefined, set)).tools).toHaveLength(9)
  })

  test('offers no turn tool outside a turn, even if KEN_TOOLS names one', async () => {
    const { tools } = await listWith(['--toolset', 'agent'], undefined, { KEN_TOOLS: 'story,inbox_apply,trust' })
    expect(tools.map((tool) => tool.name)).not.toContain('story')
    expect(tools).toHaveLength(9)
  })

  test('accepts a field that the listed schema leaves out', async () => {
    const { tools } = await client.listTools()
    const listed = tools.find(({ name }) => name === 'list_decisions')!.inputSchema.properties ?? {}
    expect(Object.keys(listed)).not.toContain('type')
    expect((await call('list_decisions', { type: 'library_choice' })).isError).toBe(false)
  })

  test('explains to an agent when to call which tool', async () => {
    expect(client.getInstructions()).toMatch(/session starts: get_context, once[\s\S]*event="session-start"/)
    expect(client.getInstructions()).toMatch(/Before you choose[\s\S]*check_decision/)
    expect(client.getInstructions()).not.toContain('memory_')
    const { instructions } = usual
    expect(instructions).toMatch(/said, tried[\s\S]*memory_query[\s\S]*memory_get/)
    expect(instructions).toMatch(/fact or preference[\s\S]*memory_write/)
    expect(instructions.length).toBeLessThan(2_000)
  })

  test('its instructions name no tool that would fail without a record', async () => {
    const { instructions } = await listWith([], undefined, {}, tmpdir())
    expect(instructions).toContain('no project record')
    expect(instructions).toContain('memory_query')
    expect(instructions).not.toMatch(/get_context|check_decision|propose_decision|update_state|flag_question/)
  })

  test('returns text and data', async () => {
    const answer = await call('check_decision', { proposed_approach: 'Move background jobs to RabbitMQ' })
    expect(answer.text).toContain('It reintroduces "RabbitMQ"')
    expect(answer.data).toMatchObject({ store: 'local', project: { name: 'shop' }, verdict: 'strong' })
  })

  test('records the author and the client', async () => {
    const proposal = {
      title: 'Ship a changelog',
      rationale: 'Users want to know what changed before they update.',
      decision_type: 'library_choice',
    }
    const answer = await call('propose_decision', proposal)
    expect(answer.data).toMatchObject({
      status: 'confirmed',
      decision_id: '010-ship-a-changelog',
      decision_type: 'architecture',
    })
    expect(answer.text).toContain('Its type is stored as architecture: the record has no library_choice.')
    const events = JSON.parse(
      execFileSync(process.execPath, [KEN, 'journal', '--json', '--limit', '1'], {
        cwd: place,
        env: environment,
        encoding: 'utf8',
      }),
    ).events
    expect(events[0]).toMatchObject({
      operation: 'propose_decision',
      origin: { surface: 'mcp-stdio', client: 'test-agent', client_version: '9' },
    })
    expect((await call('get_decision', { number: 10 })).text).toMatch(/decision_type: architecture[\s\S]*source: mcp/)
  })

  test('invalid input returns one line with the next step, as an error result', async () => {
    expect(await call('check_decision', {})).toMatchObject({
      isError: true,
      text: expect.stringMatching(
        /^proposed_approach is missing\. check_decision takes proposed_approach, context, files, .+$/,
      ),
    })
    expect(await call('get_decision', { number: 404 })).toMatchObject({
      isError: true,
      text: expect.stringContaining('There is no decision D404.'),
    })
    expect(await call('check_decision', { proposed_approach: 'x'.repeat(5001) })).toMatchObject({
      isError: true,
      text: expect.stringContaining('at most 5000'),
    })
    expect(await call('list_decisions', { limit: 5, colour: 'red' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('"colour"'),
    })
  })

  test('an agent may name its working directory', async () => {
    expect((await call('get_context', { cwd: place })).isError).toBe(false)
  })

  test('completes sessions by their words, and reads one inside an envelope', () => {
    const [content] = usual.session!.contents as { text: string }[]
    expect(content!.text).toMatch(IN_ENVELOPE)
    expect(content!.text).toContain(SESSION)
  })

  test('has a template for each kind of thing that its tools read, with completion by id and by title', async () => {
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'ken://record/{+path}',
      'ken://questions/{id}',
      'ken://decisions/{id}',
    ])
    const complete = async (uri: string, value: string, name = 'id') =>
      (await client.complete({ ref: { type: 'ref/resource', uri }, argument: { name, value } })).completion.values
    const [byNumber] = await complete('ken://decisions/{id}', 'D2')
    expect(byNumber).toMatch(/^002-/)
    const words = byNumber!.split('-').slice(1, 3).join(' ')
    expect(await complete('ken://decisions/{id}', words)).toContain(byNumber)
    expect(await complete('ken://decisions/{id}', 'no such thing')).toEqual([])
    await call('flag_question', { question: 'Which resources do clients browse?' })
    const [question] = await complete('ken://questions/{id}', 'resources do clients')
    expect(question).toMatch(/^Q\d+$/)
    expect(await complete('ken://questions/{id}', question!)).toContain(question)
    const { contents } = await client.readResource({ uri: `ken://questions/${question!.toLowerCase()}` })
    expect(contents[0]).toMatchObject({ text: expect.stringMatching(IN_ENVELOPE) })
    expect(await complete('ken://record/{+path}', 'project.', 'path')).toEqual(['project.md'])
  })

  test.each(['ken://decisions/D2', 'ken://decisions/2', 'ken://record/project.md'])(
    '%s is read inside an envelope',
    async (uri) => {
      const { contents } = await client.readResource({ uri })
      expect(contents[0]).toMatchObject({ uri, text: expect.stringMatching(IN_ENVELOPE) })
    },
  )

  test.each(['ken://decisions/D999', 'ken://questions/Q999', 'ken://sessions/x', 'ken://tables/orders'])(
    '%s is not found',
    async (uri) => {
      await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602 })
    },
  )

  test('a path in place of a decision number is refused', async () => {
    await expect(client.readResource({ uri: 'ken://decisions/..%2F..%2Fregistry.json' })).rejects.toThrow(/number/)
  })

  test('notifies a subscriber when the text of a resource changes, until it unsubscribes', async () => {
    const uri = 'ken://record/state_current.md'
    const updated: string[] = []
    let next = Promise.withResolvers<void>()
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updated.push(params.uri)
      next.resolve()
    })
    await client.subscribeResource({ uri })
    await call('update_state', { add: 'Resources can be watched.' })
    await next.promise
    expect(updated).toEqual([uri])
    await expect(client.subscribeResource({ uri: 'ken://questions/Q999' })).rejects.toThrow('No question')
    await client.unsubscribeResource({ uri })
    await client.subscribeResource({ uri: 'ken://record/project.md' })
    next = Promise.withResolvers<void>()
    await call('update_state', { add: 'And left alone.' })
    const file = join(projectFolder(), 'project.md')
    const before = readFileSync(file)
    writeFileSync(file, '# Another project\n')
    await next.promise
    expect(updated).toEqual([uri, 'ken://record/project.md'])
    await client.unsubscribeResource({ uri: 'ken://record/project.md' })
    writeFileSync(file, before)
  })

  test('only the record files are resources', async () => {
    const { resources } = await client.listResources()
    expect(resources.map((r) => r.uri)).toContain('ken://record/project.md')
    const { contents } = await client.readResource({ uri: 'ken://record/project.md' })
    expect(contents[0]).toMatchObject({ text: expect.stringContaining('Orchard') })
    await expect(client.readResource({ uri: 'ken://record/../../registry.json' })).rejects.toThrow()
  })

  test('prompts refer only to available tools', async () => {
    const { prompts } = await client.listPrompts()
    expect(prompts.map((p) => p.name)).toEqual(['check', 'decide', 'adopt', 'review'])
    const { messages } = await client.getPrompt({ name: 'decide', arguments: { about: 'Use NATS' } })
    expect(JSON.stringify(messages)).toContain('Use NATS')
  })
})
