import { expect, test } from 'vitest'
import { isAsking, withoutQuestion } from './ken-calls.ts'

const detailOf = (name: string, detail: string) => withoutQuestion({ name, ok: true, detail }).detail

test.each(['mcp__ken__memory_query', 'ken_check_decision', 'memory_search', 'mcp__ken__ask', 'ken-brief'])(
  'leaves the question out of a call of %s',
  (name) => expect(detailOf(name, 'why did the export time out')).toBeUndefined(),
)

test.each([
  ['ken query "why did the export time out"', 'ken query'],
  ['cd app && npx kenbase check "move to NATS"', 'cd app && npx kenbase check'],
  ['curl x && ken check move to NATS && npm test', 'curl x && ken check && npm test'],
  ['ken query "a & b; \\"c\\"" --json | head', 'ken query | head'],
  ['ken ask "cut off in the mid', 'ken ask'],
])('leaves the question out of the command %s', (command, shown) => expect(detailOf('Bash', command)).toBe(shown))

test.each([
  ['Bash', 'npm test'],
  ['Bash', 'ken add "Use Postgres"'],
  ['Bash', 'grep -rn "ken query" docs'],
  ['mcp__ken__memory_write', 'notes/a.md'],
  ['WebSearch', 'how to query'],
  ['ask', 'which port'],
])('keeps the detail of %s: %s', (name, detail) => expect(detailOf(name, detail)).toBe(detail))

const session = (...lines: string[]) => `---\nsession: "a"\n---\n\n## Assistant\n> at: x\n${lines.join('\n')}\n\nText\n`

test.each([
  ['> tool mcp__ken__memory_query (unanswered)', true],
  ['> tool Bash: ken query (unanswered)', true],
  ['> tool mcp__ken__memory_query (ok)', false],
  ['> tool Bash: npm test (unanswered)', false],
  ['> tool mcp__ken__memory_query (unanswered)\n> tool Bash: npm test (ok)', false],
])('a session that ends with "%s" is asking: %s', (line, expected) => {
  expect(isAsking(session(line))).toBe(expected)
})

test('a session that ends with the user’s message is waiting for an answer', () => {
  expect(isAsking(`${session()}\n## User\n> at: x\n\nWhy?\n`)).toBe(true)
  expect(isAsking(`## User\n> at: x\n\nWhy?\n${session()}`)).toBe(false)
})
