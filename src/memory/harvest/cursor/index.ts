import { basename } from 'node:path'
import type { HarvestEvent } from '../../ports/harvester.ts'
import { type DatabaseMemo, databaseSessions } from '../database-sessions.ts'
import { defineHarvester } from '../define-harvester.ts'
import { editorPlaces } from '../editor-places.ts'
import { readWorkspaces } from '../editor-workspaces.ts'
import { HarvestLedger } from '../ledger.ts'
import { CLIENT, listComposers } from './composers.ts'
import { listTranscripts, readTranscript } from './transcripts.ts'
import { membersOfWorkspaces } from './workspace-members.ts'

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
