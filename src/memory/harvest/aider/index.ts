import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { statFile } from '../../../kernel/system/file-mark.ts'
import type { Harvester, HarvestEvent } from '../../ports/harvester.ts'
import { foreignFile } from '../foreign-file.ts'
import { harvestedSession } from '../harvested-session.ts'
import { HarvestLedger, type Reading } from '../ledger.ts'
import { chatEvents, splitChats, type StoredChat } from './history.ts'

const CLIENT = 'aider'
const HISTORY = '.aider.chat.history.md'
/** Years of chat are a few megabytes. */
const LARGEST = 64 * 1024 * 1024

/**
 * Aider chats, which Aider writes into the repository in which it works. A clone may contain such a file: only
 * repositories registered with Ken are read, and only files that git does not track.
 */
export const aider: Harvester & { readonly client: typeof CLIENT } = {
  client: CLIENT,
  async roots(_home, repositories = []) {
    const found = await Promise.all(repositories.map((folder) => statFile(join(folder, HISTORY))))
    return repositories.filter((_, at) => found[at] !== undefined)
  },
  async *read(root, cursor): AsyncGenerator<HarvestEvent> {
    const ledger = new HarvestLedger<null>(root, `${CLIENT}/1`, cursor)
    const refused = await foreignFile(join(root, HISTORY), { mustBeInGit: true })
    const source = { key: HISTORY, files: [HISTORY], note: refused ?? '' }
    let chats: readonly StoredChat[] | undefined
    if (await ledger.changed(source))
      yield* await ledger.settle(source, async () => {
        if (refused !== undefined && refused !== 'absent')
          return { ...NOTHING, skipped: [{ path: HISTORY, why: 'unreadable', reason: refused }] }
        chats = await readHistory(root)
        return NOTHING
      })
    if (chats === undefined && refused === undefined)
      for (const [key] of ledger.remembered()) if (key !== HISTORY) ledger.keep(key)
    for (const chat of chats ?? []) {
      const told = { key: idOf(root, chat), files: [], note: chat.lines.join('\n') }
      if (await ledger.changed(told)) yield* await ledger.settle(told, async () => tell(root, chat))
    }
    yield ledger.cursor()
  },
}

const NOTHING: Reading<null> = { session: undefined, skipped: [], offsets: {}, memo: null }

/** Reads the history up to its last complete line. */
async function readHistory(root: string): Promise<readonly StoredChat[]> {
  const path = join(root, HISTORY)
  const found = await statFile(path)
  if ((found?.size ?? 0) > LARGEST) throw Object.assign(new Error('too large'), { code: 'ERR_FS_FILE_TOO_LARGE' })
  const text = await readFile(path, 'utf8')
  return splitChats(text.slice(0, text.lastIndexOf('\n') + 1))
}

/** Id of a chat. Aider has none; two chats from the same second are distinguished by their order. */
function idOf(root: string, { started, twin }: StoredChat): string {
  const place = createHash('sha256').update(root).digest('hex').slice(0, 12)
  return `${place}-${started.replace(/\D/g, '')}${twin === 0 ? '' : `-${twin + 1}`}`
}

function tell(root: string, chat: StoredChat): Reading<null> {
  const id = idOf(root, chat)
  const facts = {
    client: CLIENT,
    id,
    kind: 'main',
    parentId: null,
    files: [HISTORY],
    projectDir: root,
    titles: [],
  } as const
  return { ...harvestedSession(facts, chatEvents(chat)), memo: null }
}
