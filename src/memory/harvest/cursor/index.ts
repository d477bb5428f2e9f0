import { basename, join } from 'node:path'
import { asObject, asObjects, asWords, parseObject } from '../../../kernel/system/json-value.ts'
import type { HarvestEvent } from '../../ports/harvester.ts'
import { isPlainTable, LONGEST_VALUE, openDatabaseCopy } from '../database-copy.ts'
import { databaseSessions } from '../database-sessions.ts'
import type { DatabaseMemo } from '../database-sessions.ts'
import { defineHarvester } from '../define-harvester.ts'
import { editorPlaces } from '../editor-places.ts'
import { readWorkspaces } from '../editor-workspaces.ts'
import { HarvestLedger } from '../ledger.ts'
import { storedText } from '../stored-text.ts'
import { CLIENT, listComposers } from './composers.ts'
import { listTranscripts, readTranscript } from './transcripts.ts'

const TERMINAL = '.cursor'
const DATABASE = 'globalStorage/state.vscdb'

/** Cursor sessions: the editor's in its database, those of `cursor-agent` in transcripts beside its chats. */
export const cursor = defineHarvester({
  client: CLIENT,
  places: [...editorPlaces(['Cursor']), TERMINAL],
  async *read(root, cursor): AsyncGenerator<HarvestEvent> {
    const ledger = new HarvestLedger<DatabaseMemo>(root, `${CLIENT}/1`, cursor)
    yield* basename(root) === TERMINAL ? terminalSessions(root, ledger) : editorSessions(root, ledger)
    yield ledger.cursor()
  },
})

async function* editorSessions(root: string, ledger: HarvestLedger<DatabaseMemo>): AsyncGenerator<HarvestEvent> {
  const workspaces = await readWorkspaces(root)
  const members = await membersOfWorkspaces(root, ledger, workspaces)
  yield* databaseSessions(ledger, {
    root,
    file: DATABASE,
    note: JSON.stringify([[...workspaces], [...members]]),
    list: (db) => listComposers(db, { file: DATABASE, workspaces, members }),
  })
}

async function* terminalSessions(root: string, ledger: HarvestLedger<DatabaseMemo>): AsyncGenerator<HarvestEvent> {
  for (const transcript of await listTranscripts(root)) {
    const source = { key: transcript.id, files: [transcript.file], note: JSON.stringify(transcript.chat) }
    if (await ledger.changed(source)) yield* await ledger.settle(source, () => readTranscript(root, transcript))
  }
}

/**
 * Folder of each conversation that a workspace lists: releases before 3.12 did not record it with the conversation. For
 * a list that cannot be read now, the previous one is kept.
 */
async function membersOfWorkspaces(
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

// The table also contains secrets of extensions: no other key is ever queried.
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
