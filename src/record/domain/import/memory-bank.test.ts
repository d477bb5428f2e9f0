import { describe, expect, it } from 'vitest'
import { appendOnce, planMemoryBank, type MemoryBankPlan } from './memory-bank.ts'
import type { KnownRecord } from './placement.ts'

const EMPTY: KnownRecord = { decisions: [], taken: new Set([1]), sources: new Map() }
const plan = (files: Record<string, string | undefined>, known = EMPTY): MemoryBankPlan =>
  planMemoryBank(
    Object.entries(files).map(([path, text]) => ({ path, text })),
    known,
    '2026-03-01',
  )
const log = (text: string) =>
  plan({ 'decisionLog.md': text }).decisions.map(({ decision: d }) => [d.num, d.title, d.date, d.rationale])

describe('a memory bank', () => {
  it('puts the texts of project and stack under a heading that names the origin', () => {
    const { additions } = plan({
      'projectbrief.md': '# Brief\n\nA shop.\n\n## Goals\n\nSell.\n',
      'techContext.md': 'Postgres\n',
    })
    expect(additions).toEqual([
      { to: 'project.md', text: '## Imported from Memory Bank (projectbrief.md)\n\nA shop.\n\n### Goals\n\nSell.\n' },
      { to: 'stack.md', text: '## Imported from Memory Bank (techContext.md)\n\nPostgres\n' },
    ])
  })

  it('combines activeContext and progress into one state', () => {
    const { state } = plan({
      'progress.md': '# Progress\n\n## What works\n\n- login\n',
      'activeContext.md': '# Active\n\n## Focus\n\nCheckout\n',
    })
    expect(state).toBe('## Focus\n\nCheckout\n\n## Progress\n\n### What works\n\n- login')
  })

  it('lists every file as used or skipped', () => {
    const { used, skipped } = plan({
      'projectBrief.md': 'x',
      'diagram.png': undefined,
      'testing.md': 'y',
      'progress.md': ' \n',
      'decisionLog.md': '# Log\n\nnothing yet\n',
    })
    expect(used).toEqual(['projectBrief.md'])
    expect(skipped.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
      'diagram.png: it is not a Markdown file',
      'testing.md: the record has no place for it; take over by hand what matters',
      'progress.md: it is empty',
      expect.stringMatching(/^decisionLog\.md: it has no entry headed/),
    ])
  })
})

describe('a decision log', () => {
  it('returns a decision for each headed block, with its date and text', () => {
    expect(
      log(
        '# Log\n\n## Decision: Use Redis\n\n**Date:** 2024-05-06\n\nFast.\n\n## [2024-06-07] Drop Redis\n\nSlow.\n\n## Notes\n\nnone\n',
      ),
    ).toEqual([
      [2, 'Use Redis', '2024-05-06', '**Date:** 2024-05-06\n\nFast.'],
      [3, 'Drop Redis', '2024-06-07', 'Slow.'],
    ])
  })

  it('returns a decision for each dated line if there are no blocks', () => {
    expect(log('[2024-05-06 10:00:00] - Use Redis. It is fast.\n')).toEqual([
      [2, 'Use Redis', '2024-05-06', 'Use Redis. It is fast.'],
    ])
  })

  it('distinguishes entries with the same title, and falls back to the title without text', () => {
    expect(
      log('## Decision: A\n\nx\n\n## Decision: A\n\n## [2024-01-01] A\n\ny\n').map((row) => [row[1], row[3]]),
    ).toEqual([
      ['A', 'x'],
      ['A (2)', 'A'],
      ['A (2024-01-01)', 'y'],
    ])
  })

  it('names entries that are already recorded', () => {
    const known: KnownRecord = {
      ...EMPTY,
      decisions: [{ num: 1, title: 'use redis', status: 'active', superseded_by: null, hash: '' }],
    }
    expect(plan({ 'decisionLog.md': '## Decision: Use Redis\n\nFast.\n' }, known)).toMatchObject({
      decisions: [],
      duplicates: [{ title: 'Use Redis', of: 1 }],
    })
  })

  it('text that looks like a decision file cannot break out of its decision', () => {
    expect(log('# Decision: A\n\n## Rejected Alternatives\n\n```\nopen\n')[0]?.[3]).toBe(
      '### Rejected Alternatives\n\n```\nopen\n```',
    )
  })
})

describe('appending', () => {
  it('never overwrites, and is idempotent', () => {
    const text = '## Imported from Memory Bank (a.md)\n\nx\n'
    const once = appendOnce('# Mine\n\nkept\n', text)!
    expect(once).toBe(`# Mine\n\nkept\n\n${text}`)
    expect(appendOnce(once, text)).toBeUndefined()
    expect(appendOnce(undefined, text)).toBe(text)
  })
})
