import { existsSync } from 'node:fs'
import { access, constants, lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../core/errors.ts'
import type { ProjectRef } from '../../ports/store.ts'
import { makeFolder, writeDurably } from './durable.ts'
import { isAbsent, toRecordFailure } from './fs-failure.ts'
import { RECORD_ATTRIBUTES } from './merge-driver.ts'
import type { RecordFolder } from './record-folder.ts'

/** Makes the folders a change needs, or says plainly why it cannot. */
export async function prepare(folder: RecordFolder, scratch: string, mode: ProjectRef['mode']): Promise<void> {
  try {
    await access(scratch, constants.W_OK).catch(async (error: unknown) => {
      if (!isAbsent(error)) throw error
      await makeFolder(scratch)
      if (mode === 'repo') await prepareForGit(folder.root)
    })
    if ((await lstat(scratch)).isSymbolicLink()) throw new AppError('forbidden', '.txn is a symbolic link', { hint: 'Delete it; Ken makes the folder itself.' })
    await access(folder.root, constants.W_OK)
  } catch (error) {
    throw toRecordFailure(error, `write to the record at ${folder.root}`)
  }
}

/** The lock and half-made changes are of this machine; so are the snapshots, because git keeps the history of a record it carries. */
async function prepareForGit(root: string): Promise<void> {
  await makeFolder(join(root, 'snapshots'))
  await writeDurably(join(root, '.txn', '.gitignore'), '*\n')
  await writeDurably(join(root, 'snapshots', '.gitignore'), '*\n')
  if (!existsSync(join(root, '.gitattributes'))) await writeDurably(join(root, '.gitattributes'), RECORD_ATTRIBUTES)
}
