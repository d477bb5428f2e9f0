import { AppError } from '../kernel/domain/errors.ts'
import { redactDeep } from '../kernel/domain/secrets/redact-deep.ts'
import type { Redactor } from '../kernel/ports/redactor.ts'
import type { JournalLine } from '../record/domain/journal/journal-lines.ts'
import { linesSince, tipOf } from '../record/domain/journal/unite-journals.ts'
import type { Draft, Store } from '../record/ports/store.ts'
import { hashOf, linkRecord, readAsTold, rewritten, statesOf, touchedBy } from '../record/record-states.ts'
import { joinTeam } from './join-team.ts'
import type { TeamCopy } from './ports/team-copy.ts'
import type { PushedFile, TeamPush, TeamRecord } from './ports/team-record.ts'
import { pullTeam } from './pull-team.ts'

export interface TeamSyncParts {
  readonly store: Store
  readonly team: TeamRecord
  readonly copy: TeamCopy
  /** If present, a sync that would send a secret to the team is refused. */
  readonly redactor?: Redactor
}

export interface TeamSync {
  /** Number of files received, and of files sent. */
  readonly pulled: number
  readonly pushed: number
  /** Local decisions whose number had to change, by stem. */
  readonly renumbered: readonly { readonly from: string; readonly to: string }[]
  /** Questions for a person; each is among the open questions. */
  readonly asked: readonly string[]
}

// Others push in between; each round includes their changes.
const MOST_ROUNDS = 20

/**
 * Merges a record with the team's. Safe to interrupt anywhere: completed work stays, and the next sync resumes from
 * there, because the journals show what each side already has.
 */
export async function syncTeam(parts: TeamSyncParts): Promise<TeamSync> {
  const { store, copy } = parts
  await linkRecord(store, (await copy.state()) === undefined)
  await settleExpected(parts)
  const done = { pulled: 0, pushed: 0, renumbered: [] as TeamSync['renumbered'], asked: [] as TeamSync['asked'] }
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const base = (await copy.state())?.revision
    const pulled = await pullTeam(parts, base)
    if (pulled === 'moved') continue
    if (pulled !== undefined) {
      await copy.expect(pulled)
      const joined = await joinTeam(parts, pulled, base)
      await copy.agree()
      done.pulled += pulled.texts.size
      done.renumbered = [...done.renumbered, ...joined.renumbered]
      done.asked = [...done.asked, ...joined.asked]
    }
    const pushed = await pushOwn(parts)
    if (pushed === undefined) continue
    return { ...done, pushed: done.pushed + pushed }
  }
  throw new AppError('unavailable', 'The team’s record kept changing during the sync.', {
    hint: 'Nothing is lost; run it again.',
  })
}

/** An interrupted sync may have merged the expected line without recording it. */
async function settleExpected({ store, copy }: TeamSyncParts): Promise<void> {
  const expected = await copy.expected()
  if (expected === undefined) return
  if ((await store.history.lines()).some((line) => line.sha256 === expected)) await copy.agree()
}

/** Returns the number of files sent; undefined if the team's record has changed meanwhile. */
async function pushOwn({ store, team, copy, redactor }: TeamSyncParts): Promise<number | undefined> {
  const base = (await copy.state())?.revision
  // Under the lock, so that files and journal are from the same moment; it changes nothing.
  const push = await store.commit({ surface: 'merge' }, async (draft) =>
    pushOf(await store.history.lines(), { draft, copy, base }),
  )
  if (push === undefined) return 0
  if (redactor !== undefined) await refuseSecrets(push, redactor)
  const answer = await team.push(push)
  if (answer.status === 'conflict') return undefined
  await copy.expect({ revision: push.id, texts: new Map(push.files.map(({ path, text }) => [path, text])) })
  await copy.agree()
  return push.files.length
}

/** Reports places of secrets, never their values. */
export async function refuseSecrets(
  { files, lines }: Pick<TeamPush, 'files' | 'lines'>,
  redactor: Redactor,
): Promise<void> {
  const places = new Set<string>()
  for (const { path, text = '' } of files) if ((await redactor.redact(text)).count > 0) places.add(path)
  if (redactDeep(lines.map(parsed)).count > 0) places.add('the journal')
  if (places.size === 0) return
  throw new AppError('forbidden', `Found a secret in ${[...places].slice(0, 5).join(', ')}: nothing was sent.`, {
    hint: 'Remove it with `ken redact` and revoke it at its issuer, then sync again.',
  })
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return line
  }
}

async function pushOf(
  lines: readonly JournalLine[],
  { draft, copy, base }: { draft: Draft; copy: TeamCopy; base: string | undefined },
): Promise<TeamPush | undefined> {
  const own = linesSince(lines, base)
  if (own === undefined) throw rewritten()
  const id = tipOf(lines)
  if (own.length === 0 || id === undefined) return undefined
  const paths = touchedBy(own)
  const agreed = await copy.texts(paths)
  const states = statesOf(lines)
  const files: PushedFile[] = []
  for (const path of paths) {
    const text = await readAsTold(draft, path, states)
    if (text !== agreed.get(path)) files.push({ path, before: hashOf(agreed.get(path)), text })
  }
  return { id, base: base ?? null, files, lines: own.map((line) => line.text) }
}
