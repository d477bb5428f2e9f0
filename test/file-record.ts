import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeEach } from 'vitest'
import type { Store } from '../src/record/ports/store.ts'
import { openFileStore, type FileStoreOptions } from '../src/record/store/files/index.ts'
import { sha256 } from '../src/record/store/record-text.ts'
import { stepClock } from './contract/step-clock.ts'

export const PROJECT = { id: '01JQ0000000000000000000000', name: 'files', mode: 'local', location: 'here' } as const
export const ORIGIN = { surface: 'cli' } as const

/**
 * A new folder for every test, with a record that may be opened several times; stores are closed and folders removed.
 */
export function useFileRecord() {
  const base = mkdtempSync(join(tmpdir(), 'ken-files-'))
  const opened: Store[] = []
  let home = ''
  let made = 0
  beforeEach(() => {
    home = join(base, String(++made))
    mkdirSync(join(home, 'record'), { recursive: true })
  })
  afterEach(() => Promise.all(opened.splice(0).map((store) => store.close())))
  afterAll(() => rmSync(base, { recursive: true, force: true }))

  const at = (...path: string[]): string => join(home, 'record', ...path)
  return {
    home: (): string => home,
    at,
    /** Path of the record's crash state. */
    state: (...path: string[]): string => join(home, 'state', sha256(realpathSync(at())).slice(0, 16), ...path),
    async open(options: Partial<FileStoreOptions> = {}): Promise<Store> {
      const store = await openFileStore({
        root: at(),
        project: PROJECT,
        cacheDir: join(home, 'cache'),
        stateDir: join(home, 'state'),
        clock: stepClock(),
        ...options,
      })
      opened.push(store)
      return store
    },
    /** Writes files directly, as a manual edit. */
    put(files: Readonly<Record<string, string>>): void {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(at(path)), { recursive: true })
        writeFileSync(at(path), text)
      }
    },
  }
}

/** Commits one change through the store, with a snapshot if a trigger is given. */
export const write = (store: Store, files: Readonly<Record<string, string>>, trigger?: string): Promise<void> =>
  store.commit(ORIGIN, async (draft) => {
    for (const [path, text] of Object.entries(files)) draft.write(path, text)
    if (trigger !== undefined) draft.snapshot(trigger)
  })

export const titles = async (store: Store): Promise<string[]> => (await store.catalogue()).decisions.map((d) => d.title)
