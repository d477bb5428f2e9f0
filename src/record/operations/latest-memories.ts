import { ellipsis } from '../../kernel/domain/text.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import { HIDDEN_NOTE, noteEntries } from '../../memory/domain/note/note-entries.ts'
import { readOwnerLine } from '../../memory/domain/note/note-owner.ts'
import type { Memory, MemoryText } from '../../memory/ports/memory.ts'
import type { SearchScope } from '../../retrieval/domain/ranking/indexed-document.ts'
import type { BriefSource } from '../domain/brief/brief-source.ts'
import { passagesOf } from '../domain/brief/split-passages.ts'

interface Where {
  readonly within: SearchScope['within']
  readonly cwd: string
}

/** Number of note and session files to read, newest first. */
const MOST_FILES = 6
const MOST_NOTES = 20
const MOST_SESSIONS = 3
const MOST_LINES = 4_000
const LONGEST_TITLE = 100
const PRIOR = { note: 0.7, session: 0.65, last: 0.5 }
const STEP = 0.04

/** Memory that every agent should have: the newest notes and the subjects of the last sessions. */
export async function latestMemories(memory: Memory, where: Where): Promise<readonly BriefSource[]> {
  const [notes, sessions] = await Promise.all([
    newest(memory, 'memory/**', where),
    newest(memory, 'sessions/**', where),
  ])
  return [...noteSources(notes), ...sessionSources(sessions)]
}

/**
 * The names of notes and sessions begin with their day, so the last by name are the newest; MEMORY.md sorts after them.
 */
async function newest(memory: Memory, glob: string, { within, cwd }: Where): Promise<readonly MemoryText[]> {
  const ids = (await memory.match(glob, cwd, within)).slice(-MOST_FILES)
  const texts = await Promise.all(ids.map((id) => memory.read(id, { within, from: 1, lines: MOST_LINES })))
  return texts.flatMap((text) => text ?? []).toReversed()
}

function noteSources(files: readonly MemoryText[]): readonly BriefSource[] {
  const lines = files
    .flatMap(({ id, trust, text }) =>
      noteEntries(text.replaceAll(HIDDEN_NOTE, ''))
        .filter(({ hasText }) => hasText)
        .toReversed()
        .flatMap((entry) => {
          const own = entry.text
            .split('\n')
            .slice(entry.heading === '' ? 0 : 1)
            .join('\n')
          const [first] = passagesOf(own, 'document').filter(({ text: said }) => readOwnerLine(said) === undefined)
          return first === undefined ? [] : [{ text: first.text, source: `${id}:${entry.line}`, at: '', trust }]
        }),
    )
    .slice(0, MOST_NOTES)
    .map((line, at) => ({ ...line, prior: PRIOR.note - STEP * at }))
  return lines.length === 0 ? [] : [{ kind: 'note', head: undefined, title: '', lines, prior: 0 }]
}

const STARTED = /^started: "(\d{4}-\d\d-\d\dT[^"]{1,40})"$/m

function sessionSources(files: readonly MemoryText[]): readonly BriefSource[] {
  return files
    .map((file) => ({ file, started: STARTED.exec(file.text.slice(0, 4_000))?.[1] ?? '' }))
    .toSorted((a, b) => (a.started < b.started ? 1 : a.started > b.started ? -1 : a.file.id < b.file.id ? -1 : 1))
    .slice(0, MOST_SESSIONS)
    .map(({ file: { id, trust, text, title }, started }, at) => {
      const turns = passagesOf(text, 'session')
      const last = turns.findLast(({ by }) => by === 'user')
      const told = `${started.slice(0, 10)} ${ellipsis(visibleLine(title), LONGEST_TITLE)}`.trim()
      return {
        kind: 'session',
        head: { source: id, trust, text: told, isFact: true },
        title: told,
        prior: PRIOR.session - 2 * STEP * at,
        lines:
          last === undefined
            ? []
            : [
                {
                  text: last.text,
                  source: `${id}:${last.from}`,
                  at: `:${last.from}›`,
                  trust,
                  prior: PRIOR.last - 2 * STEP * at,
                },
              ],
      }
    })
}
