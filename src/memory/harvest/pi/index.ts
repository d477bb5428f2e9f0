import { basename, join } from 'node:path'
import { listFolder } from '../../../kernel/system/list-folder.ts'
import { assembleTurns } from '../../domain/session/assemble.ts'
import { composeSession } from '../../domain/session/compose.ts'
import type { HarvestEvent } from '../../ports/harvester.ts'
import { defineHarvester } from '../define-harvester.ts'
import { HarvestLedger, type Reading, type SessionSource } from '../ledger.ts'
import { livePath } from '../live-path.ts'
import { readSessionLog, type SessionLog } from './session-log.ts'

const CLIENT = 'pi'

/** Pi sessions: one JSONL file each, a tree with the last entry as the current position. */
export const pi = defineHarvester({ client: CLIENT, places: ['.pi/agent'], sign: 'sessions', read })

/** Whether a fork's parent once existed: its copied part was then reported, even if the parent is deleted. */
interface Memo {
  readonly isCopied: boolean
}

async function* read(root: string, cursor: string | undefined): AsyncGenerator<HarvestEvent> {
  const ledger = new HarvestLedger<Memo>(root, `${CLIENT}/1`, cursor)
  const sources = await listLogs(root)
  const names = new Set(sources.map(({ key }) => basename(key)))
  for (const source of sources) {
    if (!(await ledger.changed(source))) continue
    yield* await ledger.settle(source, async () => {
      const log = await readSessionLog(join(root, source.key))
      const isCopied = log.parentFile !== undefined && (names.has(log.parentFile) || ledger.memo(source.key)?.isCopied)
      return tell(source, log, isCopied === true)
    })
  }
  yield ledger.cursor()
}

async function listLogs(root: string): Promise<SessionSource[]> {
  const found: SessionSource[] = []
  for (const project of await listFolder(join(root, 'sessions'))) {
    for (const name of await listFolder(join(root, 'sessions', project))) {
      const key = `sessions/${project}/${name}`
      if (name.endsWith('.jsonl')) found.push({ key, files: [key], note: '' })
    }
  }
  return found
}

function tell({ key, files }: SessionSource, log: SessionLog, isCopied: boolean): Reading<Memo> {
  const { entries, lines, parentFile, startedAt } = log
  const live = livePath(entries)
  // A fork begins with copies of its parent's entries, including their times; new entries are later than the fork.
  const own = isCopied ? entries.filter(({ at }) => at >= startedAt) : entries
  const eventsOf = (isLive: boolean) => own.filter((entry) => live.has(entry) === isLive).flatMap(({ said }) => said)
  const id = log.id ?? idIn(key)
  const parentId = parentFile === undefined ? null : idIn(parentFile)
  const session = composeSession(
    {
      client: CLIENT,
      id,
      kind: parentId === null ? 'main' : 'fork',
      parentId,
      files,
      projectDir: log.cwd ?? null,
      badLines: lines.badLines,
      partialTail: lines.partialTail,
      titles: [['custom-title', log.name]],
    },
    { ...assembleTurns(eventsOf(true)), abandoned: assembleTurns(eventsOf(false)).turns },
  )
  const reason = isCopied ? `Session ${parentId} already has everything in it.` : 'Nothing was said in it.'
  return {
    session,
    skipped: session ? [] : [{ path: key, session: id, why: 'empty', reason }],
    offsets: { [key]: lines.offset },
    memo: { isCopied },
  }
}

/** Session id in a file name `<time>_<id>.jsonl`. */
const idIn = (path: string): string => basename(path, '.jsonl').replace(/^[^_]*_/, '')
