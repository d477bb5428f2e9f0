import { describe, expect, test } from 'vitest'
import { prunable } from './retention.ts'

const NOW = new Date('2026-06-30T12:00:00Z')

/** Snapshots of a record that always had one decision, so that only their age decides; versions are 1-based. */
const taken = (...timestamps: string[]) =>
  timestamps.map((timestamp, i) => ({
    version: i + 1,
    timestamp,
    trigger: 'test',
    trigger_detail: '',
    token_count: 0,
    decisions: 1,
  }))

const kept = (...timestamps: string[]): string[] => {
  // The newest is always kept, so a snapshot of today is added after those under test.
  const all = taken(...timestamps, NOW.toISOString())
  const dropped = new Set(prunable(all, NOW))
  return all
    .slice(0, -1)
    .filter(({ version }) => !dropped.has(version))
    .map(({ timestamp }) => timestamp)
}

describe('snapshots are kept', () => {
  test('all of them for seven days', () => {
    const recent = ['2026-06-23T12:00:00Z', '2026-06-23T13:00:00Z', '2026-06-23T13:00:01Z']
    expect(kept(...recent)).toEqual(recent)
  })

  test('only the last of each day up to thirty days', () => {
    expect(
      kept(
        '2026-06-10T08:00:00Z',
        '2026-06-10T23:59:59Z',
        '2026-06-11T00:00:00Z',
        '2026-06-23T09:00:00Z',
        '2026-06-23T11:59:59Z',
      ),
    ).toEqual(['2026-06-10T23:59:59Z', '2026-06-11T00:00:00Z', '2026-06-23T11:59:59Z'])
  })

  test('only the last of each week (Monday to Sunday) up to 180 days', () => {
    expect(
      kept(
        '2026-03-15T23:00:00Z', // a Sunday
        '2026-03-16T00:00:00Z', // Monday of the next week
        '2026-03-18T12:00:00Z',
        '2026-03-22T23:59:59Z', // its Sunday
        '2026-03-23T00:00:00Z',
      ),
    ).toEqual(['2026-03-15T23:00:00Z', '2026-03-22T23:59:59Z', '2026-03-23T00:00:00Z'])
  })

  test('weekly from day 31 to day 180', () => {
    // 31 May is 30 days ago at noon; anything earlier is kept weekly.
    expect(kept('2026-05-30T09:00:00Z', '2026-05-31T11:00:00Z', '2026-05-31T13:00:00Z')).toEqual([
      '2026-05-31T11:00:00Z',
      '2026-05-31T13:00:00Z',
    ])
    // 1 January at noon is 180 days ago: weekly after it, monthly before it.
    expect(
      kept(
        '2026-01-01T10:00:00Z',
        '2026-01-01T11:00:00Z',
        '2026-01-01T13:00:00Z',
        '2026-01-03T12:00:00Z',
        '2026-01-08T12:00:00Z',
      ),
    ).toEqual(['2026-01-01T11:00:00Z', '2026-01-03T12:00:00Z', '2026-01-08T12:00:00Z'])
  })

  test('only the last of a week that began in the previous month', () => {
    expect(kept('2026-03-30T12:00:00Z', '2026-04-05T12:00:00Z')).toEqual(['2026-04-05T12:00:00Z'])
  })

  test('only the last of each month beyond that', () => {
    expect(kept('2025-10-01T00:00:00Z', '2025-10-31T23:59:59Z', '2025-11-01T00:00:00Z')).toEqual([
      '2025-10-31T23:59:59Z',
      '2025-11-01T00:00:00Z',
    ])
  })

  test('at any age if they added a decision or have no known time', () => {
    const all = taken(
      '2024-01-01T00:00:00Z',
      '2024-01-02T00:00:00Z',
      '2024-01-03T00:00:00',
      '2024-01-04T00:00:00Z',
      NOW.toISOString(),
    )
    const grown = all.map((snapshot) => ({ ...snapshot, decisions: snapshot.version === 1 ? 1 : 2 }))
    expect(prunable(grown, NOW)).toEqual([1])
  })
})
