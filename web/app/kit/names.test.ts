import { expect, test } from 'vitest'
import { clientName, plainTitle } from './names.ts'

test.each([
  ['claude-code', 'Claude Code'],
  ['codex', 'Codex'],
  ['gemini-cli', 'Gemini CLI'],
  ['opencode', 'OpenCode'],
  ['constructor', 'Constructor'],
])('%s is shown as %s', (id, name) => expect(clientName(id)).toBe(name))

test('a title loses the marks of Markdown, and nothing else', () => {
  expect(plainTitle('Keep the **tests** green in `src/a_b*.ts`')).toBe('Keep the tests green in src/a_b*.ts')
})
