import { expect, test } from 'vitest'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { argumentLines, questionLines } from './ask-lines.ts'

test('a call with long input shows how many lines are hidden, and the complete input can be shown', () => {
  const input = { lines: Array.from({ length: 60 }, (_, i) => `line ${i}`), after: 'wipe it all\u001b[2K\u202e' }
  const shown = questionLines({ tool: 'shelf__write', input }, PLAIN)
  expect(shown).toContain('… and 25 lines that are not shown here: a shows all of it')
  expect(shown).not.toContain('wipe')
  expect(argumentLines(input).join('\n')).toContain(String.raw`wipe it all\u001b[2K\u{202e}`)
})
