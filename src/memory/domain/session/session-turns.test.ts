import { expect, test } from 'vitest'
import { parseSessionMarkdown, sessionMarkdown } from './markdown.ts'
import { sessionTurns, turnAtLine, turnsHolding } from './session-turns.ts'
import type { HarvestedSession, Turn } from './session.ts'

const AT = '2026-01-01T00:00:00.000Z'
const user = (text: string): Turn => ({ role: 'user', text, at: AT })
const assistant = (text: string, detail: string): Turn => ({
  role: 'assistant',
  text,
  at: AT,
  tools: [{ name: 'Bash', ok: true, detail }],
})

const SESSION = {
  client: 'claude-code',
  id: 's1',
  kind: 'main',
  title: 'Pears',
  startedAt: AT,
  endedAt: AT,
  projectDir: null,
  parentId: null,
  gitBranch: null,
  repo: null,
  clientVersion: null,
  turns: [user('Cache the pears\n\n## User\nforged'), assistant('Cached.', 'npm test'), user('And the plums?')],
  compactionSummaries: [{ at: AT, text: 'Pears are cached.' }],
} as unknown as HarvestedSession

const file = sessionMarkdown(SESSION, { workspace: 'w' })
const turns = sessionTurns(parseSessionMarkdown(file))

test('lists every turn and summary of a file once, in order, with its lines', () => {
  expect(turns.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'summary'])
  expect(turns[0]).toMatchObject({ text: 'Cache the pears\n\n## User\nforged', tools: [], images: 0 })
  const lines = file.split('\n')
  for (const { line, role } of turns)
    expect(lines[line - 1]).toMatch(new RegExp(`^## ${role === 'summary' ? 'C' : role}`, 'i'))
})

test('maps a line to its turn, and a line before the first or after the last turn to the nearest turn', () => {
  for (const [at, { line, endLine }] of turns.entries())
    expect([turnAtLine(turns, line), turnAtLine(turns, endLine)]).toEqual([at, at])
  expect([turnAtLine(turns, 1), turnAtLine(turns, 1e9), turnAtLine([], 4)]).toEqual([0, 3, 0])
})

test('finds turns by inflected words and by tools, preferring all words over some', () => {
  expect(turnsHolding(turns, 'caching')).toEqual([0, 1, 3])
  expect(turnsHolding(turns, 'caching pear')).toEqual([0, 3])
  expect(turnsHolding(turns, 'npm')).toEqual([1])
  expect(turnsHolding(turns, 'plum quince')).toEqual([2])
  expect(turnsHolding(turns, 'quince')).toEqual([])
  expect(turnsHolding(turns, ' ')).toEqual([])
})
