import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { duplicateHash } from '../decision/duplicate.ts'
import { formatFaithfully } from '../decision/format.ts'
import { parseDecision } from '../decision/parse.ts'
import { notInForce } from './not-in-force.ts'
import type { KnownDecision, KnownRecord } from './placement.ts'
import { planAdrImport, type AdrPlan, type SourceFile } from './plan.ts'

const TODAY = '2026-03-01'
const EMPTY: KnownRecord = { decisions: [], taken: new Set(), sources: new Map() }

const adr = (title: string, status = 'Accepted', more = ''): string =>
  `# ${title}\n\n## Status\n\n${status}\n\n## Context\n\nAbout ${title}.\n\n## Decision\n\nYes.\n${more}`
const folder = (files: Record<string, string | undefined>): SourceFile[] =>
  Object.entries(files).map(([path, text]) => ({ path, text }))
const plan = (files: Record<string, string | undefined>, known = EMPTY): AdrPlan =>
  planAdrImport(folder(files), known, TODAY)
const told = (p: AdrPlan): string => p.notices.map((n) => `${n.path} ${n.message}`).join('\n')
const links = (p: AdrPlan): Record<string, string> =>
  Object.fromEntries(
    p.imported.flatMap(({ path, decision }) =>
      (decision.supersedes ?? decision.superseded_by) === null
        ? []
        : [[path, `${decision.num} ${decision.status} of ${decision.supersedes} by ${decision.superseded_by}`]],
    ),
  )

const titles = (files: Record<string, string>): string[] => plan(files).imported.map((i) => i.decision.title)

const recordWith = (status: KnownDecision['status']): KnownRecord => ({
  ...EMPTY,
  taken: new Set([4]),
  decisions: [{ num: 4, title: 'a', status, superseded_by: status === 'active' ? null : '5', hash: '' }],
})

/** The record after a plan has been applied. */
function after(p: AdrPlan): KnownRecord {
  const decisions = p.imported.map(({ decision: d }): KnownDecision => ({
    num: d.num,
    title: d.title,
    status: d.status,
    superseded_by: d.superseded_by,
    hash: duplicateHash(d.title, d.rationale),
  }))
  return {
    decisions,
    taken: new Set(decisions.map((d) => d.num)),
    sources: new Map(p.imported.map((i) => [i.source, i.decision.num])),
  }
}

describe('numbers', () => {
  it('are kept if free, and otherwise follow the highest, with every reference updated', () => {
    const files = {
      '0000-record.md': adr('Record'),
      '0001-a.md': adr('A', 'Superseded by [ADR-3](0003-c.md)'),
      '0003-c.md': adr('C'),
      'x/0003-d.md': adr('D'),
      'later.md': adr('Later'),
    }
    const p = plan(files, { ...EMPTY, taken: new Set([1]) })
    expect(p.imported.map(({ path, decision }) => [path, decision.num])).toEqual([
      ['0000-record.md', 0],
      ['0001-a.md', 4],
      ['0003-c.md', 3],
      ['x/0003-d.md', 5],
      ['later.md', 6],
    ])
    expect(links(p)).toEqual({ '0001-a.md': '4 superseded of null by 3', '0003-c.md': '3 active of 4 by null' })
  })

  it('two series do not mix: a reference stays in its own series', () => {
    const p = plan({
      'adr/ADR002-a.md': adr('A'),
      'adr/ADR008-b.md': adr('B'),
      'dr/DR002-c.md': adr('C', 'Superseded by DR008'),
      'dr/DR008-d.md': adr('D'),
    })
    const d = p.imported.find((i) => i.path === 'dr/DR008-d.md')!.decision
    expect(p.imported.find((i) => i.path === 'dr/DR002-c.md')!.decision.superseded_by).toBe(String(d.num))
  })
})

describe('supersession', () => {
  it('is kept regardless of the side that states it', () => {
    const p = plan({
      '0001-a.md': adr('A'),
      '0002-b.md': adr('B', 'Accepted\n\nSupersedes [1. A](0001-a.md)'),
      '0003-c.md': adr('C', 'Superseded by ADR-4'),
      '0004-d.md': adr('D'),
    })
    expect(links(p)).toEqual({
      '0001-a.md': '1 superseded of null by 2',
      '0002-b.md': '2 active of 1 by null',
      '0003-c.md': '3 superseded of null by 4',
      '0004-d.md': '4 active of 3 by null',
    })
    expect(p.notices).toEqual([])
  })

  it('follows a link to a renamed file by its number, and a web link by the end of its URL', () => {
    const p = plan({
      'adr/0001-a.md': adr('A', 'Superseded by [ADR-2](0002-old-name.md)'),
      'adr/0002-b.md': adr('B'),
      'x/c.md': adr('C', 'Superseded by [D](/docs/x/d)'),
      'x/d.md': adr('D'),
      'y/d.md': adr('E'),
    })
    expect(Object.keys(links(p))).toEqual(['adr/0001-a.md', 'adr/0002-b.md', 'x/c.md', 'x/d.md'])
  })

  it('uses the mention of the superseded ADR to distinguish two files with the same number', () => {
    const files = {
      '01-a.md': adr('A', 'Superseded by ADR-2'),
      '02-b.md': adr('B'),
      '02-c.md': adr('C', 'Accepted', '\nBefore: [A](01-a.md).\n'),
    }
    expect(links(plan(files))['01-a.md']).toBe('1 superseded of null by 3')
    const silent = plan({ ...files, '02-c.md': adr('C') })
    expect(links(silent)).toEqual({ '01-a.md': '1 superseded of null by 4' })
    expect(told(silent)).toContain('01-a.md is superseded by "ADR-2", which could be 02-b.md or 02-c.md')
  })

  it('reports supersession by a missing ADR, by itself or in a cycle, and continues the import', () => {
    const p = plan({
      '1-a.md': adr('A', 'Superseded by ADR-9'),
      '2-b.md': adr('B', 'Superseded by ADR-2'),
      '3-c.md': adr('C', 'Superseded by ADR-4'),
      '4-d.md': adr('D', 'Superseded by ADR-5'),
      '5-e.md': adr('E', 'Superseded by ADR-3'),
    })
    expect(p.imported.map(({ decision }) => `${decision.status} by ${decision.superseded_by}`)).toEqual(
      Array(5).fill('superseded by 6'),
    )
    expect(p.ended).toMatchObject({
      by: 6,
      isNew: true,
      adrs: Array.from({ length: 5 }, () => ({ isRejected: false })),
    })
    expect(told(p)).toContain('1-a.md is superseded by "ADR-9", which is not in this folder')
    expect(told(p)).toContain('2-b.md is superseded by itself')
    expect(told(p)).toContain('circle of supersessions (3-c.md → 4-d.md → 5-e.md → 3-c.md)')
  })

  it('follows the statement of the superseded ADR if the two disagree', () => {
    const p = plan({
      '1-a.md': adr('A', 'Superseded by ADR-2'),
      '2-b.md': adr('B'),
      '3-c.md': adr('C', 'Accepted\n\nSupersedes ADR-1'),
    })
    expect(links(p)).toEqual({ '1-a.md': '1 superseded of null by 2', '2-b.md': '2 active of 1 by null' })
    expect(told(p)).toContain('3-c.md supersedes 1-a.md, but that says it is superseded by 2-b.md')
  })

  it('an ADR that supersedes several others marks each as superseded, but names only one of them', () => {
    const p = plan({
      '1-a.md': adr('A'),
      '2-b.md': adr('B'),
      '3-c.md': adr('C', 'Accepted\n\nSupersedes ADR-1 and ADR-2'),
    })
    expect(links(p)).toEqual({
      '1-a.md': '1 superseded of null by 3',
      '2-b.md': '2 superseded of null by 3',
      '3-c.md': '3 active of 1 by null',
    })
  })

  it('is ignored if only a proposal claims it', () => {
    const p = plan({ '1-a.md': adr('A'), '2-b.md': adr('B', 'Proposed\n\nSupersedes ADR-1') })
    expect(links(p)).toEqual({})
    expect(told(p)).toContain('2-b.md supersedes 1-a.md, but is itself proposed; 1-a.md stays active')
  })
})

describe('a status that a record does not have', () => {
  it('an ended ADR without a successor is superseded by the listing decision, with a note', () => {
    const p = plan({
      '1-a.md': adr('A', 'Rejected by the team'),
      '2-b.md': adr('B', 'Deprecated'),
      '3-c.md': adr('C', 'Withdrawn'),
      '4-d.md': adr('D'),
    })
    expect(
      p.imported.map(({ decision: d }) => [d.num, d.title, d.status, d.superseded_by, d.rationale.split('\n')[0]]),
    ).toEqual([
      [1, 'A', 'superseded', '5', '*Status in the source ADR: Rejected by the team*'],
      [2, 'B', 'superseded', '5', '*Status in the source ADR: Deprecated*'],
      [3, 'C', 'superseded', '5', '*Status in the source ADR: Withdrawn*'],
      [4, 'D', 'active', null, 'Yes.'],
    ])
    expect(told(p)).toContain(
      '2-b.md its status is "Deprecated" and no successor is known; recorded as superseded by D005',
    )
    const ledger = notInForce(p.ended!.adrs, p.ended!.by, TODAY)
    expect(ledger.rationale).toContain('- D001 A: Rejected by the team\n- D002 B: Deprecated\n- D003 C: Withdrawn')
    expect(ledger.rejected).toEqual([
      { name: 'A', reason: 'Its ADR is marked "Rejected by the team"; see D001.' },
      { name: 'C', reason: 'Its ADR is marked "Withdrawn"; see D003.' },
    ])
    expect(parseDecision(formatFaithfully(ledger), '005-x.md')).toMatchObject({ rejected: ledger.rejected })
  })

  it('skips a draft, unless another ADR names it as its successor', () => {
    const p = plan({
      '1-a.md': adr('A', 'Draft'),
      '2-b.md': adr('B', 'Superseded by ADR-3'),
      '3-c.md': adr('C', 'Proposed'),
    })
    expect(p.imported.map(({ decision: d }) => [d.num, d.status])).toEqual([
      [2, 'superseded'],
      [3, 'active'],
    ])
    expect(p.drafts).toEqual([{ path: '1-a.md', title: 'A', status: 'Draft' }])
    expect(p.skipped).toEqual([{ path: '1-a.md', reason: 'it is only proposed (its status is "Draft")' }])
    expect(told(p)).toContain('3-c.md its status is "Proposed", but another ADR says it was replaced by it')
  })

  it('a draft reserves its number until it is decided', () => {
    const files = { '1-a.md': adr('A', 'Rejected'), '2-b.md': adr('B', 'Draft'), 'c.md': adr('C') }
    const p = plan(files)
    expect([p.ended?.by, ...p.imported.map(({ decision: d }) => d.num)]).toEqual([4, 1, 3])
    expect(plan({ '2-b.md': adr('B') }, after(p)).imported[0]!.decision.num).toBe(2)
  })

  it('an ADR with an unclear status stays active, with a note', () => {
    const p = plan({ '1-a.md': adr('A', 'Living document') })
    expect(p.imported[0]!.decision).toMatchObject({
      status: 'active',
      rationale: expect.stringMatching(/^\*Status in the source ADR: Living document\*/),
    })
  })
})

describe('the decision that only started the record', () => {
  const known = (seed: number | undefined): KnownRecord => ({ ...EMPTY, taken: new Set([1]), seed })
  it('yields its number to the ADR that already has it, while nothing refers to it', () => {
    const given = plan({ '0001-a.md': adr('A') }, known(1))
    expect([given.yielded, given.imported[0]!.decision.num]).toEqual([1, 1])
    expect(told(given)).toContain('0001-a.md keeps number 1: "Initial project setup"')
    const kept = plan({ '0001-a.md': adr('A') }, known(undefined))
    expect([kept.yielded, kept.imported[0]!.decision.num]).toEqual([undefined, 2])
    expect(plan({ '0002-b.md': adr('B') }, known(1)).yielded).toBeUndefined()
  })
})

describe('a date', () => {
  it('is taken from the ADR, else from its file, else defaults to today', () => {
    const files = [
      { path: '1-a.md', text: adr('A', 'Accepted').replace('\n\n', '\n\nDate: 2020-01-02\n\n') },
      { path: '2-b.md', text: adr('B') },
      { path: '3-c.md', text: adr('C') },
    ].map((file, i) => (i < 2 ? { ...file, dated: { day: '2019-05-06', by: 'git' as const } } : file))
    expect(planAdrImport(files, EMPTY, TODAY).imported.map((i) => [i.decision.date, i.datedBy])).toEqual([
      ['2020-01-02', 'adr'],
      ['2019-05-06', 'git'],
      [TODAY, 'today'],
    ])
  })
})

describe('titles and duplicates', () => {
  it('two ADRs with the same title are distinguished by folder, number or date', () => {
    expect(
      titles({ 'back/export.md': adr('Export'), 'front/export.md': adr('Export', 'Accepted', '\nOther.\n') }),
    ).toEqual(['Export (back)', 'Export (front)'])
    expect(titles({ '1-a.md': adr('Export'), '2-a.md': adr('Export', 'Accepted', '\nOther.\n') })).toEqual([
      'Export (ADR 1)',
      'Export (ADR 2)',
    ])
  })

  it('reports a copy inside the folder as a duplicate', () => {
    expect(plan({ '1-a.md': adr('A'), 'old/1-a.md': adr('A') })).toMatchObject({
      imported: [{ path: '1-a.md' }],
      duplicates: [{ path: 'old/1-a.md', of: 1 }],
    })
  })

  it('a second import adds nothing, even after a decision was edited and superseded', () => {
    const files = { '1-a.md': adr('A', 'Superseded by ADR-2'), '2-b.md': adr('B', 'Proposed'), '3-c.md': adr('C') }
    const once = after(plan(files))
    expect(plan(files, once)).toMatchObject({
      imported: [],
      replaced: [],
      duplicates: [{ of: 1 }, { of: 2 }, { of: 3 }],
    })
    const moved = {
      ...once,
      decisions: once.decisions.map((d) => ({
        ...d,
        hash: 'edited',
        status: 'superseded' as const,
        superseded_by: '9',
      })),
    }
    expect(plan(files, moved).imported).toEqual([])
  })

  it('a decision of the record with the same title is a duplicate, unless it was superseded', () => {
    expect(plan({ '1-a.md': adr('A') }, recordWith('active')).duplicates).toEqual([{ path: '1-a.md', of: 4 }])
    expect(plan({ '1-a.md': adr('A') }, recordWith('superseded')).imported).toHaveLength(1)
  })

  it('a new ADR supersedes the decision that an earlier import created from its predecessor', () => {
    const once = after(plan({ '1-a.md': adr('A') }))
    const p = plan({ '1-a.md': adr('A', 'Superseded by ADR-2'), '2-b.md': adr('B') }, once)
    expect(p).toMatchObject({
      replaced: [{ num: 1, by: 2 }],
      duplicates: [{ path: '1-a.md', of: 1 }],
      imported: [{ decision: { num: 2, supersedes: '1' } }],
    })
  })
})

describe('every file', () => {
  const word = fc.constantFrom(
    '# T',
    '## Status',
    '## Decision',
    '## Context',
    '### Rejected',
    '## Considered Options',
    '* A',
    '- B',
    'Chosen option: "A"',
    'Superseded by ADR-2',
    '```',
    '~~~',
    '---',
    'status: accepted',
    '## Rejected Alternatives',
    '### ',
    'x',
    '',
    '> q',
    '\u2028',
    '## Pros and Cons of the Options',
    '[a](b.md)',
    '# 001 — x',
  )
  const text = fc.oneof(
    fc.array(word, { maxLength: 30 }).map((lines) => lines.join('\n')),
    fc.string({ unit: 'binary' }),
  )
  const name = fc.constantFrom(
    '0001-a.md',
    '0002-b.md',
    '2-c.md',
    'README.md',
    'x/y.md',
    'ADR003.md',
    '2024-01-01-z.md',
  )

  it('ends in exactly one list, and every decision is parsed back as planned', () => {
    fc.assert(
      fc.property(fc.dictionary(name, text), (files) => {
        const p = plan(files)
        expect([...p.imported, ...p.duplicates, ...p.skipped].map((f) => f.path).sort()).toEqual(
          Object.keys(files).sort(),
        )
        for (const { decision } of p.imported) {
          const read = parseDecision(formatFaithfully(decision), `${String(decision.num).padStart(3, '0')}-x.md`)
          expect(read).toMatchObject({ title: decision.title, num: decision.num, rejected: decision.rejected })
        }
        expect(new Set(p.imported.map((i) => i.decision.num)).size).toBe(p.imported.length)
      }),
      { numRuns: 500 },
    )
  })

  it('lists a file that is not Markdown', () => {
    expect(plan({ 'logo.png': undefined }).skipped).toEqual([{ path: 'logo.png', reason: 'it is not a Markdown file' }])
  })

  it('full of brackets and hashes is read without hanging', () => {
    const hostile = [
      '['.repeat(20_000),
      '![](('.repeat(5000),
      '# '.repeat(20_000),
      '* ** '.repeat(10_000),
      'superseded '.repeat(5000),
    ].join('\n')
    expect(plan({ '1-a.md': adr('A', 'Accepted', hostile) }).imported).toHaveLength(1)
  })
})
