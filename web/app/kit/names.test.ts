import { expect, test } from 'vitest'
import { clientName, hitTitle, plainTitle } from './names.ts'

test.each([
  ['claude-code', 'Claude Code'],
  ['codex', 'Codex'],
  ['gemini-cli', 'Gemini CLI'],
  ['opencode', 'OpenCode'],
  ['constructor', 'Constructor'],
])('%s is shown as %s', (id, name) => expect(clientName(id)).toBe(name))

test('only Markdown marks are removed from a title', () => {
  expect(plainTitle('Keep the **tests** green in `src/a_b*.ts`')).toBe('Keep the tests green in src/a_b*.ts')
})

test('the number of a decision in a search hit is written as in the record', () => {
  expect(hitTitle({ origin: 'decision', title: '012 — One delivery `slot`' })).toBe('D012 One delivery slot')
  expect(hitTitle({ origin: 'session', title: '012 — the third try' })).toBe('012 — the third try')
})
