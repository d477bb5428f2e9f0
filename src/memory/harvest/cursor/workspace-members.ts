import { join } from 'node:path'
import { asObject, asObjects, asWords, parseObject } from '../../../kernel/system/json-value.ts'
import { isPlainTable, LONGEST_VALUE, openDatabaseCopy } from '../database-copy.ts'
import type { DatabaseMemo } from '../database-sessions.ts'
import type { HarvestLedger } from '../ledger.ts'
import { storedText } from '../stored-text.ts'

/**
 * The folder of each conversation that a workspace lists: releases before 3.12 did not record it with the conversation.
 * A workspace with a list that cannot be read now keeps the previous one.
 */
export async function membersOfWorkspaces(
  root: string,
  ledger: HarvestLedger<DatabaseMemo>,
  workspaces: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const folders = new Map<string, string>()
  for (const [id, folder] of workspaces) {
    const file = `workspaceStorage/${id}/state.vscdb`
    const source = { key: `workspace ${id}`, files: [file, `${file}-wal`, `${file}-journal`], note: '' }
    if (await ledger.changed(source))
      await ledger.settle(source, async () => {
        const members = (await readMembers(join(root, file))) ?? ledger.memo(source.key)?.members ?? []
        return { session: undefined, skipped: [], offsets: {}, memo: { database: null, members } }
      })
    for (const member of ledger.memo(source.key)?.members ?? []) folders.set(member, folder)
  }
  return folders
}

// The table also holds secrets of extensions: no other key is ever queried.
const LIST =
  "SELECT CAST(value AS BLOB) AS value FROM ItemTable WHERE key = 'composer.composerData' AND octet_length(value) <= ?"

async function readMembers(path: string): Promise<readonly string[] | undefined> {
  const copy = await openDatabaseCopy(path)
  if (copy === undefined) return undefined
  try {
    if (!isPlainTable(copy.db, 'ItemTable')) return []
    const list = parseObject(storedText(copy.db.prepare(LIST).get(LONGEST_VALUE)?.value) ?? '')
    return asObjects(asObject(list)?.allComposers).flatMap(({ composerId }) => asWords(composerId) ?? [])
  } finally {
    await copy.close()
  }
}
