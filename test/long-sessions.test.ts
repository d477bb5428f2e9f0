import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openKen, type Ken } from '../src/app/open.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { answerText } from '../src/operations/answer.ts'
import { call } from '../src/operations/call.ts'

let place: string
let ken: Ken
let path: string

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-long-')))
  path = join(place, 'home', 'sessions', 'global', '2026-05-01-long.md')
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
  ken = openKen({ HOME: place, KEN_HOME: join(place, 'home'), KEN_UPKEEP: '0', KEN_EMBEDDINGS: '0' }, () => {})
})
afterEach(async () => {
  await ken.close()
  rmSync(place, { recursive: true, force: true })
})

// The answers are JSON.
const run = async (name: string, input: Record<string, unknown>): Promise<Record<string, any>> => {
  const operation = OPERATIONS.find((one) => one.name === name)!
  const answer = await call(ken.context({ origin: { surface: 'cli' }, cwd: place }), operation, input)
  return { ...answer.output, printed: answerText(operation, answer, 'agent') }
}

const FILLER = 'We talked about something else for a while, and nobody minded. '.repeat(12)
const exchange = (asked: string, said: string) => `## User\n> at: x\n\n${asked}\n\n## Assistant\n> at: x\n\n${said}\n\n`

/** A conversation with the given exchanges far from each other. */
async function session(...said: readonly string[]): Promise<void> {
  const filler = Array.from({ length: 8 }, (_, i) => exchange(`What else, ${i}?`, FILLER)).join('')
  const turns = said.map((text, i) => exchange(`Question ${i}`, text)).join(filler)
  writeFileSync(path, `---\ntitle: "Long"\n---\n\n# Long\n\n${filler}${turns}${filler}`)
  await run('memory_update', { embed: false })
}

test('a long session is one hit with its five best parts, each with its lines, three of them with their text', async () => {
  await session(...Array.from({ length: 7 }, (_, i) => `The numbat sleeps in log ${i}. ${FILLER}`))
  const { results, printed }: Record<string, any> = await run('memory_search', { query: 'numbat sleeps' })
  expect(results).toHaveLength(1)
  const [hit] = results
  expect(hit.parts).toHaveLength(4)
  for (const [at, part] of [hit, ...hit.parts].entries()) {
    if (at < 3) expect(part.snippet).toContain('numbat sleeps')
    else expect(part.snippet).toBe('')
    const { text }: Record<string, any> = await run('memory_get', {
      id: `${hit.id}:${part.start_line}-${part.end_line}`,
    })
    expect(text).toContain('The numbat sleeps in log')
  }
  const [further, , third, fourth] = hit.parts
  expect(printed).toContain(`and :${further.start_line}-${further.end_line}`)
  expect(printed).toContain(`and :${third.start_line}-${third.end_line}, :${fourth.start_line}-${fourth.end_line}`)
})

test('an agent gets three hits with their text, and one line for each other hit', async () => {
  for (let i = 0; i < 5; i++) {
    const turns = exchange('Where does it sleep?', `The numbat sleeps in log ${i}. ${'More about it. '.repeat(i)}`)
    writeFileSync(path.replace('long.md', `night-${i}.md`), `---\ntitle: "Night ${i}"\n---\n\n# Night ${i}\n\n${turns}`)
  }
  await run('memory_update', { embed: false })
  const { results, printed }: Record<string, any> = await run('memory_search', { query: 'numbat' })
  expect(results).toHaveLength(5)
  expect(printed.match(/The numbat sleeps in log/g)).toHaveLength(3)
  for (const [i, { title, id, start_line, end_line }] of results.entries()) {
    expect(printed).toContain(`${i + 1}. ${title}`)
    expect(printed).toContain(`${id}:${start_line}-${end_line}`)
  }
})

test('a part that matches much less than the best one is left out', async () => {
  await session(`The numbat sleeps in a hollow log. ${FILLER}`, `A numbat. ${FILLER}`)
  expect((await run('memory_search', { query: 'numbat sleeps hollow log' }))['results'][0].parts).toBeUndefined()
})

test('adjacent parts of an exchange are merged', async () => {
  const long = Array.from({ length: 8 }, (_, i) => `The numbat sleeps, ${i}. ${FILLER}`).join('\n\n')
  await session(long)
  const [hit] = (await run('memory_search', { query: 'numbat sleeps' }))['results']
  const ranges = [hit, ...(hit.parts ?? [])].sort((a, b) => a.start_line - b.start_line)
  for (const [i, { start_line: from }] of ranges.slice(1).entries())
    expect(from).toBeGreaterThan(ranges[i].end_line + 1)
})

test('a further part shows no secret, even one that crosses the boundary of the part', async () => {
  const key = [
    '-----BEGIN RSA PRIVATE KEY-----',
    ...Array.from({ length: 90 }, (_, i) => `MIIEow${i}numbat+sleeps/${'Ab1'.repeat(14)}`),
    '-----END RSA PRIVATE KEY-----',
  ].join('\n')
  await session(
    `The numbat sleeps in log 1. ${FILLER}`,
    `The numbat sleeps in log 2. ${FILLER}\n\n${key}`,
    `The numbat sleeps in log 3. ${FILLER}`,
  )
  const { results, printed }: Record<string, any> = await run('memory_search', { query: 'numbat sleeps' })
  expect(results[0].parts.length).toBeGreaterThan(0)
  expect(printed).not.toContain('MIIEow')
  for (const part of [results[0], ...results[0].parts]) {
    const { text }: Record<string, any> = await run('memory_get', { id: `${path}:${part.start_line}-${part.end_line}` })
    expect(text).not.toContain('MIIEow')
  }
})

test('reading can continue from a hit, upwards and downwards, to the ends of the file', async () => {
  await session(`The numbat sleeps in log 1. ${FILLER}`)
  const [hit] = (await run('memory_search', { query: 'numbat' }))['results']
  const read = await run('memory_get', { id: `${path}:${hit.start_line}-${hit.end_line}` })
  expect(read).toMatchObject({ start_line: hit.start_line, end_line: hit.end_line })
  expect(read['printed']).toContain(`of ${read['total_lines']} · before: ${hit.id}:`)
  const lines: number[] = []
  for (let at = read['before']; at !== undefined;) {
    const part = await run('memory_get', { id: at })
    lines.unshift(part['start_line'], part['end_line'])
    at = part['before']
  }
  expect([lines[0], lines.at(-1)]).toEqual([1, hit.start_line - 1])
  let last = read['end_line']
  for (let at = read['after']; at !== undefined;) {
    const part = await run('memory_get', { id: at })
    expect(part['start_line']).toBe(last + 1)
    last = part['end_line']
    at = part['after']
  }
  expect(last).toBe(read['total_lines'])
})

test('a file changed between two searches is shown as it is now', async () => {
  await session(`The numbat sleeps in log 1. ${FILLER}`)
  const snippets = async () => (await run('memory_search', { query: 'numbat' }))['results'][0].snippet
  expect(await snippets()).toContain('log 1')
  await session(`The numbat sleeps in log 2. ${FILLER}`)
  expect(await snippets()).toContain('log 2')
})
