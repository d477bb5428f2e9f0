import { describe, expect, it, test } from 'vitest'
import { inferredReason } from '../decision/inferred.ts'
import { readAdr, type Adr } from './adr.ts'
import { NO_REASON } from './nygard.ts'

const read = (text: string, filename = '0007-x.md'): Adr => {
  const reading = readAdr(text, filename)
  if (reading.kind === 'other') throw new Error(reading.reason)
  return reading.adr
}
const withSection = (section: string): Adr => read(`# T\n\n## Decision\n\nWe use Yjs.\n\n${section}`)
const withStatus = (status: string): Adr => read(`# T\n\n## Status\n\n${status}\n\n## Decision\n\nd\n`)
const reason = (text: string, filename = 'notes.md'): string => {
  const reading = readAdr(text, filename)
  return reading.kind === 'other' ? reading.reason : `imported as ${reading.adr.title}`
}

const NYGARD = `# 7. Keep queues in Postgres

Date: 2021-04-05

## Status

Accepted

## Context

Jobs get lost when the broker restarts.

## Decision

We keep queues in Postgres.

## Consequences

One thing less to run.

* Alternative brokers were rejected
`

describe('an ADR in Nygard form', () => {
  it('parses title, number, date, status and a rationale that opens with the decision', () => {
    expect(read(NYGARD)).toMatchObject({
      title: 'Keep queues in Postgres',
      number: { series: '', number: 7 },
      date: '2021-04-05',
      confidence: 'high',
      status: { kind: 'accepted' },
    })
    expect(read(NYGARD).rationale).toMatch(
      /^We keep queues in Postgres\.\n\n### Context\n\nJobs get lost when the broker restarts\.\n\n### Consequences\n\nOne thing less to run\./,
    )
  })

  it('reads a bullet as a rejected alternative only if it names an alternative and rejects it', () => {
    expect(read(NYGARD).rejected).toEqual([{ name: 'Alternative brokers were rejected', reason: NO_REASON }])
    expect(
      read(
        NYGARD.replace(
          '* Alternative brokers were rejected',
          '* Rejected cards are told so\n* We use it instead of RabbitMQ',
        ),
      ).rejected,
    ).toEqual([])
  })

  it('reads the same with Windows line ends, a byte order mark and underlined headings', () => {
    const windows = `\ufeff${NYGARD.replace('# 7. Keep queues in Postgres', '7. Keep queues in Postgres\n===').replaceAll('\n', '\r\n')}`
    expect(read(windows)).toEqual(read(NYGARD))
  })

  it('keeps the rest of the status', () => {
    const adr = read(NYGARD.replace('Accepted', 'Accepted\n\nAmended by [9. Retries](0009-retries.md)'))
    expect(adr).toMatchObject({ confidence: 'high', supersededBy: [] })
    expect(adr.rationale).toContain('### Status\n\nAmended by [9. Retries](0009-retries.md)')
  })

  it('does not treat headings inside code fences as sections', () => {
    const adr = read(NYGARD.replace('Jobs get lost', '```\n## Status\n\nRejected\n```\n\nJobs get lost'))
    expect(adr.status.kind).toBe('accepted')
    expect(adr.rationale).toContain('```\n## Status\n\nRejected\n```')
  })
})

const MADR = `---
status: accepted
date: 2023-11-02
decision-makers: [the platform group]
---
# Use a CRDT for notes

## Context and Problem Statement

Two people edit one note.

## Decision Drivers

* No lost edits

## Considered Options

* Yjs
* Operational transformation
* Lock the note

## Decision Outcome

Chosen option: "Yjs", because it is the only one that works offline.

## Pros and Cons of the Options

### Yjs

* Good, because it works offline

### Operational transformation

* Good, because it is proven
* Bad, because it needs a server

## More Information

See the spike.
`

describe('an ADR in MADR form', () => {
  it('returns the options that were not chosen, with arguments against them first', () => {
    expect(read(MADR).rejected).toEqual([
      {
        name: 'Operational transformation',
        reason: '* Bad, because it needs a server\n\n* Good, because it is proven',
      },
      { name: 'Lock the note', reason: NO_REASON },
    ])
  })

  it('keeps every other section under its heading, and the decision makers as metadata', () => {
    const { rationale, metadata, date } = read(MADR)
    expect(rationale).toMatch(
      /^Chosen option: "Yjs", .*\n\n### Context and Problem Statement\n\nTwo people edit one note\./,
    )
    for (const kept of ['### Decision Drivers', '### Pros and Cons of the Options\n\n#### Yjs', '### More Information'])
      expect(rationale).toContain(kept)
    expect(rationale).not.toContain('### Considered Options')
    expect(metadata).toEqual({ 'decision-makers': ['the platform group'] })
    expect(date).toBe('2023-11-02')
  })

  it('claims no rejection if the text does not state which option was chosen', () => {
    const adr = read(
      MADR.replace('Chosen option: "Yjs", because it is the only one that works offline.', 'Still open.'),
    )
    expect(adr.rejected).toEqual([])
    expect(adr.rationale).toContain('### Considered Options\n\n* Yjs\n* Operational transformation')
  })

  it('recognises an option by its label, and by the same words in another form', () => {
    const labelled = MADR.replace(
      '* Yjs\n* Operational transformation\n* Lock the note',
      '* Option A - Yjs\n* Option B - Server',
    ).replace('"Yjs", because', 'Option A, because')
    expect(read(labelled).rejected.map((r) => r.name)).toEqual(['Option B - Server'])
    const reworded = MADR.replace('* Yjs\n', '* The Yjs library for shared notes\n').replace(
      '"Yjs"',
      '"Yjs library for shared notes"',
    )
    expect(read(reworded).rejected.map((r) => r.name)).toEqual(['Operational transformation', 'Lock the note'])
  })

  it('does not treat a name inside a longer name as a mention', () => {
    const adr = read(
      MADR.replace(
        '* Yjs\n* Operational transformation\n* Lock the note',
        '* Lock the note\n* Do not lock the note',
      ).replace('"Yjs"', '"Do not lock the note"'),
    )
    expect(adr.rejected.map((r) => r.name)).toEqual(['Lock the note'])
  })

  it('reads the older form: list lines for status and date, comments in headings', () => {
    const older = MADR.replace(/^---[^]*?---\n/, '')
      .replace(
        'notes\n',
        'notes\n\n* Status: proposed\n* Deciders: a, b\n* Date: [2019-05-06](https://example.org/1)\n',
      )
      .replace('Drivers', 'Drivers <!-- optional -->')
    expect(read(older)).toMatchObject({
      status: { kind: 'proposed' },
      date: '2019-05-06',
      confidence: 'medium',
      metadata: { deciders: 'a, b' },
    })
    expect(read(older).rationale).toMatch(/^Chosen option: "Yjs"/)
  })
})

describe('alternatives outside of MADR', () => {
  it('reads each item under "Rejected Alternatives" as one alternative', () => {
    expect(
      withSection('## Rejected Alternatives\n\n- Locks: people forget them\n* Last writer wins\n').rejected,
    ).toEqual([
      { name: 'Locks', reason: 'people forget them' },
      { name: 'Last writer wins', reason: NO_REASON },
    ])
  })

  it('a postponed alternative is not rejected, and its text stays', () => {
    const { rejected, rationale } = withSection(
      '## Alternatives considered\n\n* **Locks.** People forget them.\n* **Automerge.** Deferred until it is stable.\n',
    )
    expect(rejected).toEqual([{ name: 'Locks', reason: inferredReason('We use Yjs.', 'People forget them.') }])
    expect(rationale).toContain('Deferred until it is stable')
  })

  it('a list of links between prose is not a list of alternatives', () => {
    expect(withSection('## Alternatives\n\nFor others see\n\n- [the wiki](https://example.org)\n').rejected).toEqual([])
  })

  it('headings in a reason cannot begin another alternative', () => {
    expect(
      withSection('## Alternatives Considered\n\n### Locks\n\n#### Why not\n\n```\n### not a heading\n```\n').rejected,
    ).toEqual([
      { name: 'Locks', reason: inferredReason('We use Yjs.', '##### Why not\n\n```\n ### not a heading\n```') },
    ])
  })
})

describe('supersession links', () => {
  test.each([
    ['Superseded by [ADR-0012](0012-b.md)', '0012-b.md', 12],
    ['Deprecated (Replaced by ADR #0012)', undefined, 12],
    ['Implemented. Superseded by [12. B](./0012-b.md).', './0012-b.md', 12],
    ['superseded by [ADR-0012]({{< ref "0012-b.md" >}})', '0012-b.md', 12],
    ['**Superseded by [[ADR/012 B]].**', 'ADR/012 B', 12],
    ['Superseded by DR012', undefined, 12],
    ['Superseded by 0012', undefined, 12],
    ['Obsoleted by: 0012-b', '0012-b', 12],
  ])('%s', (status, target, number) => {
    expect(withStatus(status)).toMatchObject({ supersededBy: [{ target, number: { number } }], supersedes: [] })
  })

  it('a partial supersession does not change the status', () => {
    expect(withStatus('Accepted. Parts of this ADR were superseded by ADR-20.')).toMatchObject({
      status: { kind: 'accepted' },
      supersededBy: [],
      partly: [expect.stringContaining('ADR-20')],
    })
  })

  it('are found in frontmatter, under the title and in the text, but not in a passing mention', () => {
    expect(
      read('---\nstatus: superseded\nsupersededBy:\n  - "[[ADR/010 B]]"\n---\n# Decision\n\nd\n', '008 Go.md'),
    ).toMatchObject({ title: 'Go', supersededBy: [{ target: 'ADR/010 B' }] })
    expect(
      read('# T\n\nSuperseded: 2019-12-19 by [ADR 14](0014-b.md)\n\n## Decision\n\nd\n').supersededBy,
    ).toMatchObject([{ target: '0014-b.md' }])
    expect(read('# T\n\n## Decision\n\nd\n\n## Links\n\n* supersedes [ADR-3](0003-c.md)\n').supersedes).toMatchObject([
      { target: '0003-c.md' },
    ])
    expect(
      read('# T\n\n## Decision\n\nThe old logger is superseded by log4j, see [ADR 3](0003-c.md).\n'),
    ).toMatchObject({ supersedes: [], supersededBy: [] })
    expect(read('# T\n\n## Decision\n\nd\n\n```\nSuperseded by [ADR 3](0003-c.md)\n```\n').supersededBy).toEqual([])
  })
})

test.each([['a: &x [*x, *x]'], ['<<: *missing'], ['a: [1'], ['a: !!binary aGk='], ['? [1, 2]\n: 3'], ['a: .nan']])(
  'accepts frontmatter that is not valid YAML: %j',
  (yaml) => {
    const adr = read(`---\nstatus: accepted\n${yaml}\n---\n# T\n\n## Decision\n\nd\n`)
    expect(adr).toMatchObject({ title: 'T', status: { kind: 'accepted' }, rationale: 'd' })
    expect(JSON.stringify(adr.metadata).length).toBeLessThan(2000)
  },
)

it('treats two rules with text between them as text', () => {
  expect(read('---\n\nIntroduction.\n\n---\n\n# T\n\n## Decision\n\nd\n').rationale).toContain('Introduction.')
})

test.each([
  ['Accepted', 'accepted'],
  ['> Accepted', 'accepted'],
  ['Approved on 2020-01-01', 'accepted'],
  ['Implemented in <https://example.org/1>', 'accepted'],
  ['Final', 'accepted'],
  ['Proposed', 'proposed'],
  ['DRAFT', 'proposed'],
  ['on hold', 'proposed'],
  ['`Rejected`', 'rejected'],
  ['Withdrawn', 'rejected'],
  ['Not accepted', 'rejected'],
  ['Deprecated', 'deprecated'],
  ['Reverted', 'deprecated'],
  ['Rolled back in 2021', 'deprecated'],
  ['No longer in use', 'deprecated'],
  ['Removed', 'deprecated'],
  ['Accepted, later reverted', 'deprecated'],
  ['Reverted by [ADR 12](0012-b.md)', 'superseded'],
  ['Dismissed', 'rejected'],
  ['Accepted <!-- REQUIRED -->', 'accepted'],
  ['Awaiting approval', 'proposed'],
  ['Superseded', 'superseded'],
  ['Accepted or Rejected', 'unclear'],
  ['{Proposed|Accepted}', 'unclear'],
  ['> what one may write here: proposed, accepted\n\nProposed', 'proposed'],
])('a status "%s" is %s', (status, kind) => {
  expect(withStatus(status).status.kind).toBe(kind)
})

test.each([
  ['Date: 2024-03-01', '2024-03-01'],
  ['**Date:** 18/04/2024', '2024-04-18'],
  ['- Date: 04/18/2024', '2024-04-18'],
  ['Date: 1 March 2024', '2024-03-01'],
  ['Date: March 1st, 2024', '2024-03-01'],
  ['Date: 2024/3/1', '2024-03-01'],
  ['Date: 14.11.2022', '2022-11-14'],
  ['Date started: 2023-05-01', '2023-05-01'],
  ['Created: 1-May-2023', '2023-05-01'],
  ['* Date 2023-05-01', '2023-05-01'],
  ['* **Decision date**: 1st of May 2023', '2023-05-01'],
  ['- **Last Modified:** 2023-05-01 <!-- REQUIRED -->', '2023-05-01'],
  ['Last updated: 2024-01-01\nCreated on: 2023-05-01', '2023-05-01'],
  ['Created: 2023-04-01\nAccepted: 2023-05-01', '2023-05-01'],
  ['| Date | 2023-05-01 |', '2023-05-01'],
  ['| Status | Date |\n| --- | --- |\n| Accepted | 2023-05-01 |', '2023-05-01'],
  ['## Date: 2023-05-01', '2023-05-01'],
  ['## Date\n\n1 May 2023', '2023-05-01'],
  ['## Status\n\nAccepted on 2023-05-01', '2023-05-01'],
  ['## Status\n\n**Accepted** - 2023-05-01', '2023-05-01'],
  ['Date: 2024-02-31', undefined],
  ['', undefined],
])('reads the date in the line "%s" as %s', (line, date) => {
  expect(read(`# T\n\n${line}\n\n## Decision\n\nd\n`).date).toBe(date)
})

it('takes the date from the changelog or the file name if nothing else states it', () => {
  expect(read('# T\n\n## Changelog\n\n- 2022-05-02: revised\n- 2022-03-03: first\n\n## Decision\n\nd\n').date).toBe(
    '2022-03-03',
  )
  expect(read('# T\n\n## Decision\n\nd\n', 'records/2023-02-09-release/README.md')).toMatchObject({
    date: '2023-02-09',
    number: undefined,
  })
})

test.each([
  ['# ADR 012: Use Go', '0001-a.md', 'Use Go', 1],
  ['# ADR: Naming', 'naming.md', 'Naming', undefined],
  ['# 0007 - Title', 'a.md', 'Title', 7],
  ['# 2FA for support', 'a.md', '2FA for support', undefined],
  ['# ADD037: Review apps', 'ADR037-review.md', 'Review apps', 37],
  ['# [ADR-3] **Use** [Go](https://go.dev)', 'a.md', 'Use Go', 3],
  ['', '0003-use-go_now.md', 'Use go now', 3],
  ['', '001 Offline First.md', 'Offline First', 1],
  ['# Decision: use Go', 'a.md', 'use Go', undefined],
  ['# Decision Record Title (say the decision)', 'ADR025-remove-it.md', 'Remove it', 25],
  ['# T', '20240301-x.md', 'T', undefined],
])('%s in %s is titled %s', (heading, filename, title, number) => {
  expect(read(`${heading}\n\n## Context\n\nc\n\n## Decision\n\nd\n`, filename)).toMatchObject({
    title,
    number: number === undefined ? undefined : { number },
  })
})

describe('a file that is not a decision is skipped with a reason', () => {
  test.each([
    ['', 'notes.md', 'it is empty'],
    [
      '# ADRs\n\n* [One](0001-a.md)\n',
      'README.md',
      'it has no section that states a decision; it looks like an index or an introduction',
    ],
    [
      '# Guide\n\n## Background\n\nb\n\n## Status\n\ns\n',
      'README.md',
      'it has no section that states a decision; it looks like an index or an introduction',
    ],
    [
      '# [short title]\n\n## Decision\n\n{what we do}\n',
      '0000-x.md',
      'it is a template: its title and its decision are placeholders',
    ],
    ['# T\n\n## Decision\n\nd\n', 'adr-template.md', 'it is a template'],
    ['# T\n\n## Status\n\nAccepted\n\n## Decision\n', '0001-t.md', 'its sections are empty'],
    ['\u0000\u0001', 'x.md', 'it is not a text file'],
  ])('%j in %s', (text, filename, why) => expect(reason(text, filename)).toBe(why))

  it('imports a README with a decision, and a file about templates', () => {
    expect(reason('# T\n\n## Decision\n\nd\n', '2023-02-09-x/README.md')).toBe('imported as T')
    expect(reason('# T\n\n## Decision\n\nd\n', '0004-email-template-engine.md')).toBe('imported as T')
  })
})
