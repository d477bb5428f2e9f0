import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CONFIDENCES, DECISION_TYPES, type Decision, REVERSIBILITIES, SOURCES } from '../decision/decision.ts'
import { formatFaithfully } from '../decision/format.ts'
import { parseDecision } from '../decision/parse.ts'
import { planAdrImport } from '../import/plan.ts'
import { ADR_FORMATS, type AdrFormat } from './adr-text.ts'
import { exportAdrs } from './adr.ts'

const EMPTY = { decisions: [], taken: new Set<number>(), sources: new Map<string, number>() }

const importAll = (files: readonly { name: string; text: string }[]): Decision[] =>
  planAdrImport(
    files.map(({ name, text }) => ({ path: name, text })),
    EMPTY,
    '2026-03-01',
  )
    .imported.map(({ decision }) => decision)
    .sort((a, b) => a.num - b.num)

const line = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9 .,:;()[\]"'*_`#<>-]{1,40}$/),
  fc.constantFrom(
    '## Considered Options',
    '## Decision',
    '## More Information',
    '### x',
    '* Supersedes [ADR-0003](0003-x.md)',
    'Superseded by ADR 4',
    'Supersedes ADR-2',
    '* Bad, because no',
    '```',
    '---',
    '<!-- ken {} -->',
    'Date: 2001-01-01',
    '消息队列',
    '# Title',
    'Status',
    '======',
  ),
)
const text = fc.array(line, { minLength: 1, maxLength: 6 }).map((lines) => lines.join('\n'))
const facts = fc.record({
  title: line,
  rationale: text,
  date: fc.constantFrom('2026-04-16', '1999-12-31'),
  confidence: fc.constantFrom(...CONFIDENCES),
  version: fc.integer({ min: 1, max: 9 }),
  decision_type: fc.option(fc.constantFrom(...DECISION_TYPES)),
  reversibility: fc.option(fc.constantFrom(...REVERSIBILITIES)),
  source: fc.option(fc.constantFrom(...SOURCES)),
  files_affected: fc.array(fc.stringMatching(/^[a-z/*`>-]{1,12}$/), { maxLength: 3 }),
  rejected: fc.array(fc.record({ name: line, reason: text }), { maxLength: 3 }),
  /** Distance to the superseding decision. */
  next: fc.option(fc.integer({ min: 1, max: 3 })),
})

/**
 * A consistent record: a superseded decision names a later decision, which in turn names a decision that it supersedes.
 */
const record = fc.tuple(fc.array(facts, { maxLength: 6 }), fc.constantFrom(1, 7, 1998, 9999)).map(([all, first]) => {
  const numOf = (i: number) => first + i
  const successor = all.map(({ next }, i) => (next !== null && i + next < all.length ? i + next : undefined))
  return all.flatMap(({ next: _next, ...rest }, i): Decision[] => {
    const old = successor.findLastIndex((by) => by === i)
    const by = successor[i]
    const decision: Decision = {
      ...rest,
      title: `${rest.title} (${i})`,
      rationale: `${rest.rationale} ${i}`,
      status: by === undefined ? 'active' : 'superseded',
      supersedes: old < 0 ? null : String(numOf(old)),
      superseded_by: by === undefined ? null : String(numOf(by)),
      num: numOf(i),
      body: '',
      content: '',
    }
    return [decision]
  })
})

const written = (decision: Decision): Decision | undefined => {
  try {
    return { ...parseDecision(formatFaithfully(decision), `${decision.num}-x.md`), body: '', content: '' }
  } catch {
    return undefined
  }
}

describe.each(ADR_FORMATS)('an export in %s', (format: AdrFormat) => {
  test('restores every decision unchanged', () => {
    fc.assert(
      fc.property(record, (all) => {
        // Invalid decisions get a plain text instead, so that the links of the others stay valid.
        const decisions = all.map(
          (one) => written(one) ?? written({ ...one, title: 'Plain', rationale: `${one.num}`, rejected: [] })!,
        )
        expect(importAll(exportAdrs(decisions, format))).toEqual(decisions)
      }),
      { numRuns: 150 },
    )
  })

  test('is imported from its visible content if it was edited', () => {
    const decision = written({
      date: '2026-01-02',
      confidence: 'low',
      version: 3,
      status: 'active',
      decision_type: 'pattern',
      reversibility: null,
      source: 'mcp',
      files_affected: ['src'],
      supersedes: null,
      superseded_by: null,
      rejected: [{ name: 'B', reason: 'Slow.' }],
      num: 4,
      title: 'A',
      rationale: '## Why\n\nFast.',
      body: '',
      content: '',
    })!
    const [{ name, text: page }] = exportAdrs([decision], format) as [{ name: string; text: string }]
    expect(importAll([{ name, text: page }])).toEqual([decision])
    const [edited] = importAll([{ name, text: page.replace('Fast.', 'Slow and sure.') }])
    expect(edited).toMatchObject({ num: 4, title: 'A', version: 1, rejected: [{ name: 'B' }] })
    expect(edited!.rationale).toContain('Slow and sure.')
    expect(edited!.rationale).not.toContain('<!--')
    // A comment that contradicts the page is ignored.
    const lie = page.replace('"rationale":"## Why\\n\\nFast."', '"rationale":"Obey."')
    expect(lie).not.toBe(page)
    expect(importAll([{ name, text: lie }])[0]!.rationale).not.toContain('Obey')
    expect(
      importAll([{ name, text: page.replace('"status":"active"', '"status":"superseded","superseded_by":9') }]),
    ).toMatchObject([{ status: 'active' }])
  })
})
