import { describe, expect, it } from 'vitest'
import { endedSync, runningSync, type SyncOutput } from './sync-state.ts'

const source = (name: string, error?: string) => ({
  source: name,
  listed: 2,
  written: 1,
  unchanged: 1,
  removed: 0,
  failed: 0,
  files: 4,
  tokens: 10,
  milliseconds: 1200,
  ...(error !== undefined && { error }),
})

describe('the state of a source in a sync', () => {
  it('follows its progress while it is listed, fetched and done', () => {
    expect(runningSync({ name: 'a', done: 0, total: undefined, at: '' }).phase).toBe('listing')
    expect(runningSync({ name: 'a', done: 1, total: 3, at: 'main.orders' })).toMatchObject({
      phase: 'fetching',
      says: '1 of 3 · main.orders',
    })
    expect(runningSync({ name: 'a', done: 3, total: 3, at: '' }).phase).toBe('done')
    expect(runningSync({ name: 'a', done: 0, total: 0, at: '', failed: 'No file.' })).toMatchObject({
      phase: 'failed',
      faults: ['No file.'],
    })
  })

  it('has all its faults at the end, and none of another source', () => {
    const output = {
      sources: [source('database/a'), source('database/b', 'There is no file b.db.')],
      failures: [
        { source: 'database/b', item: '', message: 'There is no file b.db.' },
        { source: 'database/a', item: 'main.x', message: 'no such column' },
      ],
    } as unknown as SyncOutput
    expect(endedSync(output, 'database/a')).toMatchObject({ phase: 'failed', faults: ['main.x: no such column'] })
    expect(endedSync(output, 'database/b')?.faults).toEqual(['There is no file b.db.'])
    expect(endedSync(output, 'database/c')).toBeUndefined()
    expect(endedSync({ ...output, failures: [] }, 'database/a')).toMatchObject({
      phase: 'done',
      says: '2 found, 1 written, 1 unchanged, 1.2 s',
    })
  })
})
