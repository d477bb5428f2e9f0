import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openKen, type Ken } from '../src/app/open.ts'
import { BUDGET } from '../src/kernel/domain/answer-budget.ts'
import { systemClock } from '../src/kernel/system/clock.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'
import type { Context } from '../src/operations/context.ts'
import type { Store } from '../src/record/ports/store.ts'
import { openMemoryStore } from '../src/record/store/memory/index.ts'
import { buildMcpServer } from '../src/surfaces/mcp/server.ts'

const MANY = 3_000
// The envelope and its label are not counted by the budget.
const AROUND = 1_000
const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-size-')))
let ken: Ken
let store: Store
let mcp: Client

const pad = (num: number) => String(num).padStart(3, '0')
const decision = (num: number): string =>
  `---\ndate: 2026-01-02\nconfidence: high\n---\n\n# ${pad(num)} — Choose the way of area ${num}\n\n## Decision\n\n${`Area ${num} is handled in its own way. `.repeat(20)}\n`
const context = (surface: Context['origin']['surface']): Context => ({
  ...ken.context({ origin: { surface }, cwd: place }),
  record: async () => store,
})

beforeAll(async () => {
  ken = openKen({ HOME: place, KEN_HOME: join(place, 'home'), KEN_TELEMETRY: '0', KEN_EMBEDDINGS: '0' }, () => {})
  const decisions = Array.from({ length: MANY }, (_, i) => [`decisions/${pad(i + 1)}-area.md`, decision(i + 1)])
  store = await openMemoryStore({
    project: { id: '01J0000000000000000000000A', name: 'Large', mode: 'local', location: place },
    clock: systemClock,
    files: {
      'project.md': `# Large\n\n${'It is large.\n'.repeat(20_000)}`,
      'state_current.md': `# Current State\n\n${'- a line of it\n'.repeat(20_000)}`,
      'state_history.md': `${'## 2026-01-01T00:00Z\n\nold\n\n---\n'.repeat(10_000)}## 2026-02-02T00:00Z\n\nthe newest\n\n---\n`,
      'stack.md': `# Stack\n\n${'- **Something** for it\n'.repeat(10_000)}`,
      'open-questions.md': `# Open Questions\n\n${Array.from({ length: 2_000 }, (_, i) => `- [Q${2_000 - i}] Why ${'so '.repeat(300)}?\n`).join('')}`,
      ...(Object.fromEntries(decisions) as Record<string, string>),
    },
  })
  const server = buildMcpServer({
    operations: OPERATIONS,
    toolsets: ['record'],
    version: '0',
    surface: 'mcp-stdio',
    context: async () => context('mcp-stdio'),
  })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await server.connect(ours)
  mcp = new Client({ name: 'test', version: '1' })
  await mcp.connect(theirs)
}, 60_000)
afterAll(async () => {
  await mcp.close()
  await ken.close()
  rmSync(place, { recursive: true, force: true })
})

async function ask(name: string, input: Record<string, unknown>) {
  const answer = await mcp.callTool({ name, arguments: input })
  const text = (answer.content as { text: string }[])[0]!.text
  return {
    text,
    data: answer.structuredContent as Record<string, any> | undefined,
    size: JSON.stringify(answer).length,
  }
}

test.each(['L0', 'L1', 'L2'] as const)(
  '%s of a large record stays within its budget, and reports omissions',
  async (level) => {
    const { text, data, size } = await ask('get_context', { level })
    expect(text.length).toBeLessThan(BUDGET[level] + AROUND)
    expect(text.length).toBeGreaterThan(BUDGET[level] / 4)
    expect(text).toMatch(/\(\+[0-9,]+ more: list_decisions lists them, get_decision reads one\)/)
    expect(text).toMatch(/\(\+[0-9,]+ characters in project\.md: get_raw_file reads it\)/)
    expect(text).toContain('Choose the way of area 3000')
    // The text is sent only once.
    expect(data).toBeUndefined()
    expect(size).toBeLessThan(1.2 * (BUDGET[level] + AROUND))
  },
)

test('keeps the newest history', async () => {
  const { text } = await ask('get_context', { level: 'L2' })
  expect(text).toContain('the newest')
  expect(text).toMatch(/\([0-9,]+ older characters in state_history\.md: get_raw_file reads it\)/)
})

test('a long list is paged, and continues where it stopped until everything was seen', async () => {
  const seen: number[] = []
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const { data, size }: Awaited<ReturnType<typeof ask>> = await ask('list_decisions', { limit: 10_000, offset })
    expect(size).toBeLessThan(3 * BUDGET.list)
    expect(data!['total']).toBe(MANY)
    seen.push(...data!['decisions'].map((d: { number: number }) => d.number))
    offset = data!['next_offset']
  }
  expect(seen).toEqual(Array.from({ length: MANY }, (_, i) => MANY - i))
  const { output } = await call(
    context('cli'),
    OPERATIONS.find((op) => op.name === 'list_decisions')!,
    { limit: 10_000 },
  )
  expect(output['decisions']).toHaveLength(MANY)
})

test('a long file is read page by page, and can be reassembled completely', async () => {
  const whole = (await store.read('open-questions.md'))!
  let read = ''
  for (let from: number | undefined = 0; from !== undefined;) {
    const { text } = await ask('get_raw_file', { path: 'open-questions.md', from })
    expect(text.length).toBeLessThan(BUDGET.file + AROUND)
    const next = /\n\n\(\+[0-9,]+ characters: get_raw_file with path open-questions\.md and from ([0-9]+)\)/.exec(text)
    const { output } = await call(
      context('http'),
      OPERATIONS.find((op) => op.name === 'get_raw_file')!,
      {
        path: 'open-questions.md',
        from,
      },
    )
    read += (output['content'] as string).split('\n\n(+')[0]
    from = next === null ? undefined : Number(next[1])
  }
  expect(read).toBe(whole)
})

test('search and check results of a large record stay small, and so does its file list', async () => {
  for (const [name, input] of [
    ['search_decisions', { query: 'area way', limit: 100 }],
    ['check_decision', { proposed_approach: 'Handle area 17 in another way' }],
  ] as const)
    expect((await ask(name, input)).size).toBeLessThan(3 * BUDGET.list)
  const { resources } = await mcp.listResources()
  expect(resources).toHaveLength(BUDGET.resources)
  expect(resources.map(({ name }) => name)).toContain('state_current.md')
})
