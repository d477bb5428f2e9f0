import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { decisionStem } from './decision-id.ts'
import { CONFIDENCES, DECISION_TYPES, type Decision, REVERSIBILITIES, SOURCES } from './decision.ts'
import { DecisionFault } from './fault.ts'
import { formatDecision, formatFaithfully, yamlString } from './format.ts'
import { readFrontmatter } from './frontmatter.ts'
import { parseDecision } from './parse.ts'

const line = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    '## Decision',
    '## Rejected Alternatives',
    '### x',
    '```',
    '~~~',
    '# 001 — T',
    '---',
    'plain words',
    '- item',
  ),
)
const text = fc.array(line, { maxLength: 6 }).map((lines) => lines.join('\n'))

const decision: fc.Arbitrary<Decision> = fc.record({
  date: fc.constantFrom('2026-04-16', '1999-12-31'),
  confidence: fc.constantFrom(...CONFIDENCES),
  version: fc.integer({ min: 1, max: 99 }),
  status: fc.constant('active' as const),
  decision_type: fc.option(fc.constantFrom(...DECISION_TYPES)),
  reversibility: fc.option(fc.constantFrom(...REVERSIBILITIES)),
  source: fc.option(fc.constantFrom(...SOURCES)),
  files_affected: fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), { maxLength: 4 }),
  supersedes: fc.option(fc.integer({ min: 1, max: 900 }).map(String)),
  superseded_by: fc.constant(null),
  rejected: fc.array(fc.record({ name: line, reason: fc.option(text) }), { maxLength: 3 }),
  num: fc.integer({ min: 0, max: 12_000 }),
  title: line,
  rationale: text,
  body: fc.constant(''),
  content: fc.constant(''),
})

test('every written decision is parsed back unchanged, or rejected before writing', () => {
  fc.assert(
    fc.property(decision, (d) => {
      let written: string
      try {
        written = formatFaithfully(d)
      } catch (error) {
        expect(error).toBeInstanceOf(DecisionFault)
        return
      }
      const read = parseDecision(written, `${decisionStem(d.num, d.title)}.md`)
      const { body: _body, content: _content, ...facts } = read
      expect(facts).toMatchObject({
        date: d.date,
        confidence: d.confidence,
        version: d.version,
        files_affected: d.files_affected,
        supersedes: d.supersedes,
        num: d.num,
      })
      expect(formatDecision(read)).toBe(written)
    }),
    { numRuns: 500 },
  )
})

test('a rejection names the text that would not be parsed back, and the next step', () => {
  const plain: Decision = {
    date: '2026-01-02',
    confidence: 'high',
    version: 1,
    status: 'active',
    decision_type: null,
    reversibility: null,
    source: null,
    files_affected: [],
    supersedes: null,
    superseded_by: null,
    rejected: [],
    num: 1,
    title: 'T',
    rationale: 'Because.',
    body: '',
    content: '',
  }
  expect(formatFaithfully(plain)).toContain('## Decision\n\nBecause.')
  expect(() => formatFaithfully({ ...plain, title: 'one\ntwo' })).toThrow('the title would not read back')
  expect(() => formatFaithfully({ ...plain, rationale: '```\nopen', rejected: [{ name: 'a', reason: 'b' }] })).toThrow(
    'the rationale would not read back: it ends inside a code fence; close the fence',
  )
  expect(() => formatFaithfully({ ...plain, rationale: 'x\n\n## Rejected Alternatives\n\ny' })).toThrow(
    'the rationale would not read back: it contains a "## Rejected Alternatives" heading; rename it',
  )
  expect(() => formatFaithfully({ ...plain, rejected: [{ name: 'a', reason: 'x\n### y\n\nz' }] })).toThrow(
    'the rejected alternative "a" would not read back',
  )
})

test('closes an empty frontmatter', () => {
  expect(readFrontmatter('---\n---\n# 001 — T\n')).toEqual({ values: new Map(), body: '# 001 — T\n' })
})

test('every YAML reader reads a frontmatter string as the same string', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'grapheme', maxLength: 30 }),
        fc.constantFrom(
          'yes',
          '123',
          '1.5',
          'null',
          '~',
          '- dash',
          'a: b',
          '@x',
          '2026-01-01',
          '0x1f',
          'é.md',
          ' lead',
          'a #b',
          '1_000',
          '<<',
          '=',
        ),
      ),
      (value) => {
        for (const version of ['1.1', '1.2'] as const)
          expect(parseYaml(`- ${yamlString(value)}\n`, { version })).toEqual([value])
      },
    ),
    { numRuns: 1000 },
  )
})

test.each(['a: &x [*x]\n', '<<: *nowhere\n', 'date: *d\n'])(
  'reports an unresolved or circular alias as a fault of the file: %j',
  (yaml) => {
    expect(() => parseDecision(`---\n${yaml}---\n\n# 001 — T\n\n## Decision\n\nx\n`, '001-t.md')).toThrow(DecisionFault)
  },
)
