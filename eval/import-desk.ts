import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../src/adapters/clock/system/index.ts'
import { diskFiles } from '../src/adapters/files/disk/index.ts'
import { openRepository } from '../src/adapters/repository/git/index.ts'
import { openFileStore } from '../src/adapters/store/files/index.ts'
import { call } from '../src/operations/call.ts'
import type { Operation } from '../src/operations/operation.ts'
import type { Context } from '../src/ports/context.ts'
import type { Store } from '../src/ports/store.ts'
import { startRecord } from '../src/record/start-record.ts'

/** A new record on the disk, and operations called on it. */
export interface ImportDesk {
  readonly store: Store
  run<T>(operation: unknown, input: Record<string, unknown>): Promise<T>
  close(): Promise<void>
}

/** `root` is where paths of an import begin. */
export async function openImportDesk(root: string, name: string): Promise<ImportDesk> {
  const folder = mkdtempSync(join(tmpdir(), 'ken-import-adrs-'))
  const store = await openFileStore({
    root: join(folder, 'record'),
    project: { id: 'X', name, mode: 'local', location: folder },
    cacheDir: folder,
    stateDir: join(folder, 'state'),
    clock: systemClock,
  })
  const ctx = {
    clock: systemClock,
    origin: { surface: 'cli' },
    cwd: root,
    files: diskFiles,
    record: async () => store,
    repository: () => openRepository(root),
    progress() {},
    checkRoom() {},
  } as Partial<Context> as Context
  await startRecord(ctx, store)
  return {
    store,
    run: async <T>(operation: unknown, input: Record<string, unknown>) =>
      (await call(ctx, operation as Operation, input)).output as T,
    async close() {
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
