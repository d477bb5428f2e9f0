import { expect, test } from 'vitest'
import { clientName, plainTitle } from './names.ts'

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
