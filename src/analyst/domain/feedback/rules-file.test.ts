import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withoutRule, withRule } from './rules-file.ts'

const line = fc.constantFrom(
  '# Rules',
  '',
  '- a rule',
  'words',
  '## Learned from feedback',
  '## Other',
  '  ',
  '### deep',
)
const text = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), { maxLength: 12 })
  .map((lines) => lines.flat().join(''))

describe('a rule in RULES.md', () => {
  test('is added once to any text, and everything else is kept', () => {
    fc.assert(
      fc.property(text, (before) => {
        const after = withRule(before, 'Net of refunds.')
        expect(after.match(/^- Net of refunds\.\r?$/gm)).toHaveLength(1)
        expect(withRule(after, 'Net of refunds.')).toBe(after)
        if (before.trim() !== '')
          expect(after.replace(/- Net of refunds\.\r?\n/, '').startsWith(before.slice(0, 5))).toBe(true)
      }),
    )
  })

  test('can be removed again, and other rules stay', () => {
    fc.assert(
      fc.property(text, (before) => {
        const both = withRule(withRule(before, 'First.'), 'Second.')
        expect(withoutRule(both, 'Second.')).toBe(withRule(before, 'First.'))
      }),
    )
  })

  test('cannot be removed if it is missing', () => {
    expect(withoutRule('# Rules\n- Net.\n', 'Net.')).toBeUndefined()
  })

  test('is added after the last rule under its heading, before the next section', () => {
    const before = '# Rules\n\n## Learned from feedback\n\n- One.\n\n## More\n\nx\n'
    expect(withRule(before, 'Two.')).toBe(before.replace('- One.\n', '- One.\n- Two.\n'))
  })
})
