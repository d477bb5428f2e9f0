import { describe, expect, it } from 'vitest'
import { noticesOf } from './notices.ts'

const NOW = Date.parse('2026-05-10T12:00:00Z')
const NONE = { stories: [], sources: [], drift: [] }

const story = (ok: boolean, at = '2026-05-10T06:00:00Z') =>
  ({ id: 's1', slug: 'late-orders', title: 'Late orders', last_refresh: { ok, at, problem: 'no such table' } }) as never

const found = (about: string) =>
  ({ decision: { num: 4, label: 'D004', title: 'One database' }, about, now: 'is gone' }) as never

describe('notices', () => {
  it('name a story whose last refresh failed, and no other', () => {
    const all = noticesOf({ ...NONE, stories: [story(false), story(true)] }, NOW, { isServed: false })
    expect(all).toMatchObject([
      { what: 'Refresh failed: Late orders', why: 'no such table', to: 'stories/late-orders' },
    ])
  })

  it('return on another day, but not with every refresh of a day', () => {
    const idAt = (at: string) => noticesOf({ ...NONE, stories: [story(false, at)] }, NOW, { isServed: false })[0]!.id
    expect(idAt('2026-05-10T07:00:00Z')).toBe(idAt('2026-05-10T06:00:00Z'))
    expect(idAt('2026-05-11T06:00:00Z')).not.toBe(idAt('2026-05-10T06:00:00Z'))
  })

  it('join the drift of one decision', () => {
    const all = noticesOf({ ...NONE, drift: [found('src/a.ts'), found('src/b.ts')] }, NOW, { isServed: false })
    expect(all).toMatchObject([{ what: 'Drift: D004 One database', why: 'src/a.ts: is gone, and 1 more' }])
  })
})
