import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import { openPastRecords } from '../src/app/open-past.ts'
import type { Store } from '../src/record/ports/store.ts'
import { openFileStore } from '../src/record/store/files/index.ts'
import { stepClock } from './contract/step-clock.ts'
import { describeStore, type StoreSubject } from './contract/store.contract.ts'

const PROJECT = { id: '01JQ0000000000000000000000', name: 'contract', mode: 'local', location: 'here' } as const
const NEXT_DAY = new Date('2026-03-02T00:00:00.000Z')
const base = mkdtempSync(join(tmpdir(), 'ken-as-of-store-'))
let records = 0
afterAll(() => rmSync(base, { recursive: true, force: true }))

describeStore('files, read as of now from their journal', {
  async open(files, options) {
    const store = await openFiles(files, options)
    // Files not changed yet are in no journal; this second record of the same files has adopted them.
    const adopted = await openFiles(files, options)
    await adopted.commit({ surface: 'cli' }, async (draft) => draft.note('touch', {}))
    const openPast = openPastRecords({ clock: { ...stepClock(), now: () => NEXT_DAY }, ...options })
    const then = async (): Promise<Store> =>
      openPast((await store.journal()).length === 0 ? adopted : store, 'now', async () => undefined)
    return {
      ...store,
      catalogue: async () => (await then()).catalogue(),
      rank: async (query) => (await then()).rank(query),
      read: async (path) => (await then()).read(path),
      list: async () => (await then()).list(),
      snapshots: {
        list: async () => (await then()).snapshots.list(),
        read: async (version) => (await then()).snapshots.read(version),
      },
      close: async () => void (await Promise.all([store.close(), adopted.close()])),
    }
  },
})

async function openFiles(...[files, options]: Parameters<StoreSubject['open']>): Promise<Store> {
  const root = join(base, `record-${++records}`)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return openFileStore({
    root,
    project: PROJECT,
    cacheDir: join(base, 'cache'),
    stateDir: join(base, 'state'),
    clock: stepClock(),
    ...options,
  })
}
