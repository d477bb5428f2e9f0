import { describe, expect, it } from 'vitest'
import type { Decision } from '../decision/decision.ts'
import { readAdr } from '../import/adr.ts'
import { planAdrImport } from '../import/plan.ts'
import { exportAdrs, isUntouchedExport } from './adr.ts'

const decision = (num: number, title: string, more: Partial<Decision> = {}): Decision => ({
  date: '2026-02-01',
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
  num,
  title,
  rationale: `Because of ${title}.`,
  body: '',
  content: '',
  ...more,
})

const RECORD = [
  decision(2, 'Use Memcached', { status: 'superseded', superseded_by: '12' }),
  decision(12, 'Use "Redis": fast', {
    supersedes: '2',
    rejected: [
      { name: 'Valkey', reason: 'Too new.' },
      { name: 'None', reason: 'Slow.\n\nVery.' },
    ],
    decision_type: 'infrastructure',
    files_affected: ['src/cache.ts'],
  }),
  decision(13, 'Go slow', { rationale: '*Status in the source ADR: Proposed*\n\n## Why\n\nCare.' }),
]
const [memcached, redis, slow] = exportAdrs(RECORD, 'madr')

describe('an exported ADR', () => {
  it('is MADR with links both ways', () => {
    expect(memcached!.text).toContain(
      'status: "superseded by [ADR-0012](0012-use-redis-fast.md)"\ndate: 2026-02-01\n---\n# Use Memcached\n',
    )
    expect(redis!.text).toContain('status: "accepted"')
    expect(redis!.text).toContain('* Supersedes [ADR-0002](0002-use-memcached.md)')
    expect(redis!.text).toContain('* Use "Redis": fast\n* Valkey\n* None\n')
    expect(redis!.text).toContain('### Valkey\n\n* Bad, because Too new.\n\n### None\n\nSlow.\n\nVery.')
    expect(redis!.text).toContain('* Files: `src/cache.ts`')
  })

  it('has the sections of the Nygard form and the same links', () => {
    const [old, current] = exportAdrs(RECORD, 'nygard')
    expect(old!.text).toContain(
      '# 2. Use Memcached\n\nDate: 2026-02-01\n\n## Status\n\nSuperseded by [12. Use "Redis": fast](0012-use-redis-fast.md)\n\n## Context\n',
    )
    expect(current!.text).toMatch(
      /## Status\n\nAccepted\n\nSupersedes \[2\. Use Memcached\]\(0002-use-memcached\.md\)\n\n## Context\n[^]*## Decision\n[^]*## Consequences\n[^]*## Rejected Alternatives\n\n### Valkey/,
    )
  })

  it('restores a status that an import could only keep as a note', () => {
    expect(slow!.text).toContain('status: "Proposed"')
    expect(slow!.text).toContain('## Context and Problem Statement\n\n### Why\n\nCare.')
    expect(slow!.text.split('<!-- ken ')[0]).not.toContain('Status in the source')
  })

  it.each(['madr', 'nygard'] as const)(
    'can be imported again from %s, with its supersession and rejected alternatives',
    (format) => {
      const files = exportAdrs(RECORD, format).map(({ name, text }) => ({ path: name, text }))
      const { imported, notices } = planAdrImport(
        files,
        { decisions: [], taken: new Set(), sources: new Map() },
        '2026-03-01',
      )
      expect(
        imported.map(({ decision: d }) => [
          d.num,
          d.title,
          d.status,
          d.supersedes,
          d.superseded_by,
          d.rejected.map((r) => r.name),
        ]),
      ).toEqual([
        [2, 'Use Memcached', 'superseded', null, '12', []],
        [12, 'Use "Redis": fast', 'active', '2', null, ['Valkey', 'None']],
        [13, 'Go slow', 'active', null, null, []],
      ])
      expect(notices).toEqual([])
    },
  )

  it('is recognised as unchanged until edited', () => {
    expect(isUntouchedExport(redis!.text)).toBe(true)
    expect(isUntouchedExport(redis!.text.replaceAll('\n', '\r\n'))).toBe(true)
    expect(isUntouchedExport(redis!.text.replace('Slow', 'Fast'))).toBe(false)
    expect(isUntouchedExport('# Mine\n')).toBe(false)
    expect(readAdr(redis!.text, redis!.name).kind).toBe('decision')
  })
})
