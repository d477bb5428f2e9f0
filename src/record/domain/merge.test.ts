import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decisionFile } from '../../../test/contract/decision-text.ts'
import { duplicateHash, formatHashIndex, parseHashIndex } from './decision/duplicate.ts'
import { mergeFile } from './merge-file.ts'
import { type RecordFiles, decisionsOf, mergeRecords, mergeUnion } from './merge.ts'
import { parseQuestions } from './question.ts'

const golden = JSON.parse(
  readFileSync(new URL('../../../test/fixtures/golden/merge-union.json', import.meta.url), 'utf8'),
) as {
  cases: { name: string; input: { local: string; remote: string }; expected: string }[]
}

test.each(golden.cases)('the golden union "$name"', ({ input, expected }) => {
  expect(mergeUnion(input.local, input.remote)).toBe(expected)
})

const record = (...files: (readonly [string, string])[]): RecordFiles => Object.fromEntries(files)
const BASE = record(decisionFile(1, 'One'), decisionFile(2, 'Two'), ['project.md', '# P\n'])

describe('two records with a common base', () => {
  test('takes a change made on only one side from that side', () => {
    const ours = { ...BASE, 'project.md': '# Ours\n' }
    const theirs = record(decisionFile(1, 'One'), ['project.md', '# P\n'], decisionFile(3, 'Three'))
    const { files, conflicts } = mergeRecords(BASE, ours, theirs)
    expect(Object.keys(files).toSorted()).toEqual(['decisions/001-one.md', 'decisions/003-three.md', 'project.md'])
    expect([files['project.md'], conflicts]).toEqual(['# Ours\n', []])
  })

  test('renumbers their decision above all, with its heading, references and hash index entry', () => {
    const hashes = (...stems: [string, string][]): [string, string] => [
      '.decision-hashes.json',
      formatHashIndex(
        Object.fromEntries(
          stems.map(([stem, title]) => [
            duplicateHash(title, `Because of ${title.toLowerCase()}.`),
            { decision_id: stem, timestamp: 't' },
          ]),
        ),
      ),
    ]
    const ours = { ...BASE, ...record(decisionFile(3, 'Ours'), hashes(['003-ours', 'Ours'])) }
    const theirs = {
      ...BASE,
      ...record(
        decisionFile(2, 'Two', { status: 'superseded', superseded_by: '3' }),
        decisionFile(3, 'Theirs', {
          supersedes: '2',
          rationale: 'As D003 itself says, and D2 did not. Not D30, not XD3, not 3.',
        }),
        decisionFile(4, 'More', { rationale: 'Builds on D3.' }),
        hashes(['003-theirs', 'Theirs'], ['004-more', 'More']),
        ['open-questions.md', '# Open Questions\n\n## Resolved\n\n- [Resolved by D3 on 2026-01-01] [Q1] Which?\n'],
        ['state_current.md', '# Current State\n\n- D3 is live\n'],
      ),
    }
    const { files, renumbered } = mergeRecords(BASE, ours, theirs)
    expect(renumbered).toEqual([{ from: '003-theirs', to: '005-theirs' }])
    const moved = files['decisions/005-theirs.md']!
    expect(moved).toContain('# 005 — Theirs')
    expect(moved).toContain('As D005 itself says, and D2 did not. Not D30, not XD3, not 3.')
    expect(files['decisions/002-two.md']).toContain("superseded_by: '5'")
    expect(files['decisions/004-more.md']).toContain('Builds on D5.')
    expect(files['decisions/003-ours.md']).toBe(ours['decisions/003-ours.md'])
    expect(files['open-questions.md']).toContain('[Resolved by D5 on 2026-01-01] [Q1]')
    expect(files['state_current.md']).toContain('- D5 is live')
    expect(
      Object.values(parseHashIndex(files['.decision-hashes.json'])!)
        .map((e) => e.decision_id)
        .toSorted(),
    ).toEqual(['001-one', '002-two', '003-ours', '004-more', '005-theirs'])
  })

  test('the same file added on both sides with different words becomes two decisions', () => {
    const { files, conflicts } = mergeRecords(
      BASE,
      { ...BASE, ...record(decisionFile(3, 'Same')) },
      { ...BASE, ...record(decisionFile(3, 'Same', { rationale: 'Otherwise.' })) },
    )
    expect([...decisionsOf(files).values()].map((d) => [d.num, d.title, d.rationale])).toEqual([
      [1, 'One', 'Because of one.'],
      [2, 'Two', 'Because of two.'],
      [3, 'Same', 'Because of same.'],
      [4, 'Same', 'Otherwise.'],
    ])
    expect(conflicts).toEqual(['D3 and D4 are active with the same title; supersede one by the other'])
  })

  test('a decision superseded on both sides is reported, and both successors stay', () => {
    const side = (num: number, title: string) => ({
      ...BASE,
      ...record(
        decisionFile(2, 'Two', { status: 'superseded', superseded_by: String(num) }),
        decisionFile(num, title, { supersedes: '2' }),
      ),
    })
    const { files, conflicts } = mergeRecords(BASE, side(4, 'Mine'), side(3, 'Yours'))
    expect(decisionsOf(files).get('002-two')!.superseded_by).toBe('3')
    expect([...decisionsOf(files).keys()]).toEqual(expect.arrayContaining(['003-yours', '004-mine']))
    expect(conflicts).toEqual([
      'D2 was superseded by D3 on one branch and by D4 on the other; D3 stands',
      'D3 and D4 both supersede D2',
    ])
  })

  test('a file removed here and changed there is kept and reported', () => {
    const { 'project.md': _gone, ...ours } = BASE
    const { files, conflicts } = mergeRecords(BASE, ours, { ...BASE, 'project.md': '# New\n' })
    expect(files['project.md']).toBe('# New\n')
    expect(conflicts).toEqual(['project.md was removed on one side and changed on the other; it stays'])
  })

  test('every decision that either side adds is included once under a unique number', () => {
    const titles = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { maxLength: 5 })
    fc.assert(
      fc.property(titles, titles, (mine, yours) => {
        const add = (names: readonly string[]) => ({
          ...BASE,
          ...record(...names.map((name, i) => decisionFile(3 + i, name))),
        })
        const { files } = mergeRecords(BASE, add(mine), add(yours))
        const decisions = [...decisionsOf(files).values()]
        expect(new Set(decisions.map((d) => d.num)).size).toBe(decisions.length)
        // Only texts that are byte for byte identical on both sides become one decision.
        const alike = mine.filter((name, i) => yours[i] === name).length
        expect(decisions.length).toBe(2 + mine.length + yours.length - alike)
        for (const [path, text] of Object.entries(files))
          if (path.startsWith('decisions/')) expect(text).toContain(`# ${path.slice(10, 13)} — `)
      }),
    )
  })
})

describe('open questions', () => {
  const join = (base: string[], ours: string[], theirs: string[]) => {
    const text = (lines: string[]) => `# Open Questions\n\n${lines.join('\n')}\n`
    return mergeFile('open-questions.md', { base: text(base), ours: text(ours), theirs: text(theirs) })!
  }

  test('if two questions have the same number, the text that sorts first keeps it, whichever side it is on', () => {
    const [apples, pears] = ['- [Q1] Apples?', '- [Q1] Pears?']
    for (const merged of [join([], [apples], [pears]), join([], [pears], [apples])]) {
      expect(
        parseQuestions(merged.text)
          .map((q) => `${q.id} ${q.body}`)
          .toSorted(),
      ).toEqual(['Q1 Apples?', 'Q2 Pears?'])
    }
  })

  test('a question resolved by one side is no longer open', () => {
    const resolved = '- [Resolved by D2 on 2026-01-01] [Q1] Apples?'
    const merged = join(['- [Q1] Apples?'], ['- [Q1] Apples?', '- [Q2] New?'], ['## Resolved', '', resolved])
    expect(parseQuestions(merged.text).map((q) => [q.id, q.resolvedBy?.decision])).toEqual([
      ['Q2', undefined],
      ['Q1', 2],
    ])
  })

  test('a question resolved by both sides keeps the lower decision, and the conflict is reported', () => {
    const by = (decision: number) => ['## Resolved', '', `- [Resolved by D${decision} on 2026-01-01] [Q1] Apples?`]
    for (const merged of [join(['- [Q1] Apples?'], by(7), by(4)), join(['- [Q1] Apples?'], by(4), by(7))]) {
      expect(parseQuestions(merged.text).map((q) => q.resolvedBy?.decision)).toContain(4)
      expect(merged.conflicts).toEqual(['Q1 was resolved by D4 on one branch and by D7 on the other; D4 stands'])
    }
  })

  test('a question is open again if one side withdrew its answer, whichever side that is', () => {
    const answered = ['- [Q2] Pears?', '## Resolved', '', '- [Resolved by D2 on 2026-01-01] [Q1] Apples?']
    const open = ['- [Q1] Apples?', '- [Q2] Pears?']
    for (const merged of [join(answered, open, [...answered, '']), join(answered, [...answered, ''], open)])
      expect(
        parseQuestions(merged.text)
          .map((q) => [q.id, q.resolvedBy?.decision])
          .toSorted(),
      ).toEqual([
        ['Q1', undefined],
        ['Q2', undefined],
      ])
    const anew = ['- [Q2] Pears?', '## Resolved', '', '- [Resolved by D5 on 2026-01-02] [Q1] Apples?']
    expect(parseQuestions(join(answered, open, anew).text).map((q) => q.resolvedBy?.decision)).toEqual([undefined, 5])
  })

  test('continuation lines stay with their entry, even if two entries have the same ones', () => {
    const merged = join(
      [],
      ['- [Q1] Apples?', '  see the wiki'],
      ['- [Q1] Apples?', '  see the wiki', '- [Q2] Pears?', '  see the wiki'],
    )
    expect(parseQuestions(merged.text).map((q) => q.body)).toEqual(['Apples?\nsee the wiki', 'Pears?\nsee the wiki'])
  })
})

test('does not merge hash indexes if one cannot be read', () => {
  const index = (stem: string) => formatHashIndex({ [stem]: { decision_id: stem, timestamp: 't' } })
  const whole = { base: index('001-one'), ours: index('002-ours'), theirs: index('002-theirs') }
  expect(mergeFile('.decision-hashes.json', whole)).toBeDefined()
  for (const torn of ['base', 'ours', 'theirs'])
    expect(mergeFile('.decision-hashes.json', { ...whole, [torn]: '<<<<<<< torn' }), torn).toBeUndefined()
})

describe('journals', () => {
  const event = (id: string, at: number, after: string[] = []) =>
    `${JSON.stringify({ event_version: 1, id, at: `2026-01-0${at}T00:00:00.000Z`, operation: 'edit', origin: { surface: 'cli' }, facts: {}, files: {}, after })}\n`
  const join = (base: string, ours: string, theirs: string) =>
    mergeFile('journal/events.jsonl', { base, ours, theirs })!.text

  test('every event occurs once, in time order, and the join event names both ends identically on every clone', () => {
    const [a, b, c, d] = [event('a', 1), event('b', 3, ['a']), event('c', 2, ['a']), event('d', 4, ['c'])]
    const joined = join(a, a + b, a + c + d)
    const ids = joined
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; after: string[]; operation: string })
    expect(ids.slice(0, 4).map(({ id }) => id)).toEqual(['a', 'c', 'b', 'd'])
    expect(ids[4]).toMatchObject({ operation: 'join', after: ['b', 'd'] })
    expect(join(a, a + c + d, a + b)).toBe(joined)
  })

  test('joining is idempotent, and a side already contained in the other adds no join', () => {
    const [a, b, c] = [event('a', 1), event('b', 2, ['a']), event('c', 3, ['a'])]
    const joined = join(a, a + b, a + c)
    expect(join(a + b, joined, a + b + event('e', 4, ['b']))).toContain('"id":"e"')
    expect(join(a, joined, a + b)).toBe(joined)
  })

  test('unreadable lines are kept', () => {
    expect(join('', `${event('a', 1)}<<<<<<< torn\n`, event('b', 2))).toContain('<<<<<<< torn\n')
  })
})
