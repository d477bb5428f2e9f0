import { accessSync, constants, existsSync } from 'node:fs'
import type { ProjectRef } from '../../../ports/store.ts'
import { toRecordFailure } from './fs-failure.ts'
import { RECORD_ATTRIBUTES } from './merge-driver.ts'
import type { RecordFolder } from './record-folder.ts'
import type { Scratch } from './scratch.ts'

/** Makes the folders a change needs, or says plainly why it cannot. */
export function prepare(folder: RecordFolder, scratch: Scratch, mode: ProjectRef['mode']): void {
  try {
    scratch.prepare()
    if (!existsSync(folder.root)) folder.files.makeFolder('decisions')
    accessSync(folder.root, constants.W_OK)
    if (mode === 'repo') prepareForGit(folder)
  } catch (error) {
    throw toRecordFailure(error, `write to the record at ${folder.root}`)
  }
}

/**
 * Snapshots stay on this machine, because git keeps the history of a record it carries. Files that are there are the
 * user's.
 */
function prepareForGit({ files }: RecordFolder): void {
  for (const [path, text] of [
    ['snapshots/.gitignore', '*\n'],
    ['.gitattributes', RECORD_ATTRIBUTES],
  ] as const) {
    if (files.stat(path) === undefined) files.create(path, text)
  }
}
