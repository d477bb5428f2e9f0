import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KEN } from './ken-program.ts'

const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-order-')))
const repository = join(place, 'shop')
const environment = {
  PATH: process.env['PATH']!,
  HOME: place,
  KEN_HOME: join(place, 'home'),
  KEN_TELEMETRY: '0',
  KEN_UPKEEP: '0',
}
let client: Client

const ken = (...argv: string[]) =>
  execFileSync(process.execPath, [KEN, ...argv, '--json'], { cwd: repository, env: environment, encoding: 'utf8' })

const file = (path: string, text: string) => {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text)
}
const page = (name: string, text: string) => file(join(place, 'docs', name), text)

interface Answer {
  results: { path: string; score: number; standing?: string; superseded_by?: string }[]
  notes: string[]
}

const ask = async (query: string, tool: string, more: object = {}): Promise<Answer> =>
  (await client.callTool({ name: tool, arguments: { query, ...more } })).structuredContent as unknown as Answer
const names = ({ results }: Answer): string[] => results.map(({ path }) => path.slice(path.lastIndexOf('/') + 1))
const BOTH = ['memory_search', 'memory_query']

beforeAll(async () => {
  mkdirSync(join(repository, '.git'), { recursive: true })
  page(
    '0003-queue-on-redis.md',
    '# 3. Queue on Redis\n\n## Status\n\nSuperseded by [ADR 9](0009-queue-on-kafka.md)\n\n## Decision\n\nJobs of the shop wait in Redis lists.\n',
  )
  page(
    '0009-queue-on-kafka.md',
    '# 9. Jobs go through Kafka\n\n## Status\n\nAccepted\n\n## Decision\n\nJobs of the shop wait in a Kafka topic, no longer in lists.\n',
  )
  page(
    '0010-queue-of-post.md',
    '# 10. Post office\n\n## Status\n\nAccepted\n\nJobs of the shop that print labels wait at the post office.\n',
  )
  page('observability.md', '---\ntitle: |\n  Observability\n---\n\nTraces, metrics and logs of the workers.\n')
  for (const n of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    page(
      `team-${n}.md`,
      `# Team ${n}\n\nHow we work: observability observability observability. Observability is how the work of team ${n} is seen, and how it does work.\n`,
    )
  page('ledger.md', '# The ledger\n\nEntries are balanced at night.\n')
  page('works.md', '# How work is handed over\n\nHow does work reach the ledger? Work does work, how it works.\n')
  page(
    'crash.md',
    '# A crash of the importer\n\nIt ended with:\n\n    TypeError: cannot read\n    properties of undefined (reading id)\n\nand nothing was written.\n',
  )
  page(
    'reading.md',
    '# TypeError\n\nTypeError, TypeError: the properties cannot be undefined when you read an id; reading undefined properties, cannot read undefined.\n',
  )
  page('signin.md', '# Sign-in\n\nAuthentication is done by passkeys.\n')
  file(
    join(repository, 'src', 'parse-price.ts'),
    'export function parsePrice(text: string): number {\n  return Number(text)\n}\n',
  )
  file(
    join(repository, 'src', 'parse-price.test.ts'),
    "import { parsePrice } from './parse-price.ts'\n\ntest('parsePrice parses a price', () => {\n  expect(parsePrice('3')).toBe(3)\n  expect(parsePrice('parse price')).toBe(NaN)\n})\n",
  )
  ken('collection', 'add', 'docs', join(place, 'docs'))
  ken('index-codebase')
  ken('update')
  client = new Client({ name: 'test-agent', version: '9' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [KEN, 'serve', '--stdio', '--toolsets', 'memory'],
      cwd: repository,
      env: environment,
      stderr: 'pipe',
    }),
  )
})

afterAll(async () => {
  await client?.close()
  rmSync(place, { recursive: true, force: true })
})

describe.each(BOTH)('%s', (tool) => {
  test('a superseded document ranks right below its successor, and names it', async () => {
    const answer = await ask('where do jobs of the shop wait', tool)
    expect(names(answer).slice(0, 3)).toEqual([
      '0009-queue-on-kafka.md',
      '0003-queue-on-redis.md',
      '0010-queue-of-post.md',
    ])
    expect(answer.results[1]).toMatchObject({ standing: 'superseded', superseded_by: '0009-queue-on-kafka.md' })
  })

  test('a superseded document comes first when queried by its name', async () => {
    expect(names(await ask('queue on redis', tool))[0]).toBe('0003-queue-on-redis.md')
  })

  test.each(['Observability', 'observability.md', 'how does observability work?', 'what is observability'])(
    'the document with this name comes first: %s',
    async (query) => {
      expect(names(await ask(query, tool))[0]).toBe('observability.md')
    },
  )

  test('stop words do not decide the order', async () => {
    expect(names(await ask('how does the balanced ledger work', tool))[0]).toBe('ledger.md')
  })

  test('a verbatim message comes first, whatever its spacing', async () => {
    const query = 'TypeError: cannot read properties of undefined (reading id)'
    expect(names(await ask(query, tool))[0]).toBe('crash.md')
  })

  test('a typo is corrected and reported', async () => {
    const answer = await ask('autentication', tool)
    expect(names(answer)[0]).toBe('signin.md')
    expect(answer.notes.join('\n')).toContain('Showing results for "authentication"')
  })

  test('a word that is only unknown here is not corrected', async () => {
    const answer = await ask('trade', tool)
    expect(answer.notes.join('\n')).not.toContain('Showing results')
  })

  test('source ranks before its tests, unless tests are requested', async () => {
    const code = { origin: ['code'] }
    expect(names(await ask('parse a price', tool, code))[0]).toBe('parse-price.ts')
    expect(names(await ask('tests of parse price', tool, code))[0]).toBe('parse-price.test.ts')
  })

  test('the list is ordered by score', async () => {
    for (const query of ['how does the work of the shop work', 'jobs of the shop', 'observability']) {
      const scores = (await ask(query, tool)).results.map(({ score }) => score)
      expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    }
  })
})

test('memory_query ranks a single identifier in the same order as memory_search', async () => {
  const query = 'parsePrice'
  expect(names(await ask(query, 'memory_query'))).toEqual(names(await ask(query, 'memory_search')))
})
