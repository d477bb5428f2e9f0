import { sha256 } from '../kernel/domain/sha256.ts'
import { HASHES } from '../record/domain/files.ts'
import { toLine, type JournalLine } from '../record/domain/journal/journal-lines.ts'
import { linesSince } from '../record/domain/journal/unite-journals.ts'
import { mergeTeam, type TeamMerge } from '../record/domain/merge-team.ts'
import type { Draft, Store } from '../record/ports/store.ts'
import { readAsTold, rewritten, statesOf, touchedBy } from '../record/record-states.ts'
import type { TeamCopy } from './ports/team-copy.ts'
import type { PulledTeam } from './pull-team.ts'

type Joined = Pick<TeamMerge, 'renumbered' | 'asked'>

/**
 * Merges the team's changes into the local record, in one change. Without local changes, files and journal then equal
 * the team's; otherwise both are merged, with an event of this machine on top of both.
 */
export async function joinTeam(
  parts: { readonly store: Store; readonly copy: TeamCopy },
  pulled: PulledTeam,
  base: string | undefined,
): Promise<Joined> {
  const { store } = parts
  return store.commit({ surface: 'merge' }, async (draft) => {
    const lines = await store.history.lines()
    if (lines.some((line) => line.sha256 === pulled.revision)) return { renumbered: [], asked: [] }
    const own = linesSince(lines, base)
    if (own === undefined) throw rewritten()
    const states = statesOf(lines)
    draft.take(pulled.lines)
    draft.snapshot('sync')
    if (own.length > 0) return join(parts, { draft, pulled, own, states })
    await put(draft, pulled.texts, states)
    return { renumbered: [], asked: [] }
  })
}

async function join(
  { store, copy }: { readonly store: Store; readonly copy: TeamCopy },
  change: {
    draft: Draft
    pulled: PulledTeam
    own: readonly JournalLine[]
    states: ReadonlyMap<string, string | null>
  },
): Promise<Joined> {
  const { draft, pulled, own, states } = change
  const base = Object.fromEntries(await copy.texts())
  const team = withTexts(base, pulled.texts)
  const local: Record<string, string> = {}
  for (const path of [...(await store.list()), HASHES]) {
    const text = await draft.read(path)
    if (text !== undefined) local[path] = text
  }
  const { files, renumbered, asked } = mergeTeam({
    base,
    team,
    local,
    highest: (await draft.catalogue()).identities?.().highest ?? 0,
  })
  const theirs = new Set(touchedBy(pulled.lines.map((text) => toLine(text, sha256(text)))))
  // If both branches changed a file, the order of the changes is undefined, so the merge event records the file again.
  const both = touchedBy(own).filter((path) => theirs.has(path))
  // A file for which the merge keeps the local version, against the team's change, is recorded too, because other
  // machines do not merge.
  const kept = [...theirs].filter((path) => files[path] !== team[path])
  const all = new Set([...Object.keys(local), ...Object.keys(files)])
  const changed = [...all].filter((path) => files[path] !== local[path])
  await put(draft, new Map([...new Set([...changed, ...both, ...kept])].map((path) => [path, files[path]])), states)
  draft.note('merge', { renumbered, asked })
  return { renumbered, asked }
}

async function put(
  draft: Draft,
  texts: ReadonlyMap<string, string | undefined>,
  states: ReadonlyMap<string, string | null>,
): Promise<void> {
  for (const [path, text] of texts) {
    await readAsTold(draft, path, states)
    if (text === undefined) draft.remove(path)
    else draft.write(path, text)
  }
}

function withTexts(base: Readonly<Record<string, string>>, texts: PulledTeam['texts']): Record<string, string> {
  const files = { ...base }
  for (const [path, text] of texts)
    if (text === undefined) delete files[path]
    else files[path] = text
  return files
}
