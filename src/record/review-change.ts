import { posix } from 'node:path'
import { AppError } from '../kernel/domain/errors.ts'
import { plural } from '../kernel/domain/text.ts'
import type { Call } from '../kernel/ports/call.ts'
import { type BaseRecord, openBaseRecord } from './base-record.ts'
import { compareDrift } from './compare-drift.ts'
import type { CatalogueEntry } from './domain/decision/catalogue.ts'
import { type Decision, label } from './domain/decision/decision.ts'
import { parseDecision } from './domain/decision/parse.ts'
import type { Finding } from './domain/guard/finding.ts'
import { followProposals } from './domain/journal/decision-trust.ts'
import { parseEvent } from './domain/journal/journal-lines.ts'
import type { DriftFinding } from './find-drift.ts'
import { changedFiles, guardChanges } from './guard.ts'
import type { LocalRecordNeeds, RecordNeeds } from './ports/record-needs.ts'
import type { ChangedFile, Repository } from './ports/repository.ts'
import type { Store } from './ports/store.ts'

/** A decision file that the change adds, edits or deletes. Its text is from the change. */
interface RecordedDecision {
  readonly path: string
  readonly change: 'added' | 'edited' | 'deleted'
  readonly label: string
  readonly title: string
  readonly before: string | undefined
  readonly after: string | undefined
  /** Labels of decisions that it supersedes. */
  readonly supersedes: readonly string[]
  readonly isProposal: boolean
}

export interface ChangeReview {
  readonly store: Store | undefined
  readonly files: number
  /** `supersededBy`: the change itself supersedes the decision, for its reviewer to judge. */
  readonly findings: readonly (Finding & { readonly supersededBy?: string | undefined })[]
  readonly caused: readonly (DriftFinding & { readonly supersededBy?: string | undefined })[]
  readonly mended: readonly DriftFinding[]
  readonly recorded: readonly RecordedDecision[]
  /** Relevant decisions of the base that were only proposed by an agent. */
  readonly pending: readonly { readonly label: string; readonly title: string }[]
  readonly notes: readonly string[]
  readonly shown: readonly CatalogueEntry[]
}

/** Checks what a branch changed against the record of its base. */
export async function reviewChange(
  ctx: Call & RecordNeeds & LocalRecordNeeds,
  { base }: { base: string },
): Promise<ChangeReview> {
  const [repository, history] = await Promise.all([ctx.repository(), ctx.repositoryHistory()])
  if (repository === undefined || history === undefined)
    throw new AppError('not_found', 'No git repository here.', { hint: 'Run it inside a git working tree.' })
  try {
    const tip = await repository.commits.named(base)
    if (tip === undefined)
      throw new AppError('not_found', `git knows no revision "${base}" here.`, {
        hint: 'Fetch it first (`git fetch origin <branch>`; in CI, check out with the full history), or name another one.',
      })
    const record = await openBaseRecord(ctx, history, { commit: tip.id, below: repository.folder })
    const files = await changedFiles(ctx, { base, trusted: { base } })
    const recorded = await recordedIn(repository, files, { base, folder: record?.folder ?? newRecord(files) })
    if (record === undefined) return { ...NOTHING, files: files.length, recorded }
    return await judge({ ...ctx, repositoryHistory: async () => history }, record, {
      base,
      tip: tip.id,
      files,
      recorded,
    })
  } finally {
    history.close()
  }
}

const NOTHING: ChangeReview = {
  store: undefined,
  files: 0,
  findings: [],
  caused: [],
  mended: [],
  recorded: [],
  pending: [],
  notes: ['The base has no record, so nothing was checked.'],
  shown: [],
}

async function judge(
  ctx: Call & RecordNeeds & LocalRecordNeeds,
  { store, notes }: BaseRecord,
  {
    base,
    tip,
    files,
    recorded,
  }: { base: string; tip: string; files: readonly ChangedFile[]; recorded: readonly RecordedDecision[] },
): Promise<ChangeReview> {
  const history = (await ctx.repositoryHistory())!
  const guarded = await guardChanges(ctx, store, { files, base })
  const drift = await compareDrift(ctx, store, { base: tip, history })
  // Reviewers of the base accepted the thing in use: another package of it does not reintroduce it.
  const findings = guarded.findings.map((each): Finding =>
    each.kind === 'returns' && drift.wasBack(each.decision.num, each.thing)
      ? { ...each, kind: 'touched', severity: 'note', reason: `${each.reason}; the base uses it already` }
      : each,
  )
  const answers = new Map(recorded.flatMap((each) => each.supersedes.map((old) => [old, each.label] as const)))
  const answered = <T extends Finding | DriftFinding>(each: T) => ({
    ...each,
    supersededBy: answers.get(each.decision.label),
  })
  const back = new Set(findings.filter(({ kind }) => kind === 'returns').map(({ decision }) => decision.num))
  // A rejected option that the diff reintroduces is reported with its line.
  const caused = drift.caused.filter(
    ({ kind, decision }) => !((kind === 'rejected_back' || kind === 'replaced') && back.has(decision.num)),
  )
  const about = new Set([...findings, ...caused, ...drift.mended].map(({ decision }) => decision.num))
  const { decisions, unreadable } = await store.catalogue()
  const shown = decisions.filter(({ num }) => about.has(num))
  return {
    store,
    files: files.length,
    findings: findings.map(answered),
    caused: caused.map(answered),
    mended: drift.mended,
    recorded,
    pending: shown
      .filter(({ trust }) => trust === 'proposed by an agent')
      .map(({ num, title }) => ({ label: label(num), title })),
    notes: [
      ...notes,
      ...drift.notes,
      ...(guarded.cut.length === 0 ? [] : [`Too large to read in full: ${listed(guarded.cut)}.`]),
      ...(unreadable.length === 0 ? [] : [`Unreadable decisions in the base: ${unreadable.length}.`]),
    ],
    shown,
  }
}

const MOST_NAMED = 3

const listed = (paths: readonly string[]): string =>
  `${paths.slice(0, MOST_NAMED).join(', ')}${paths.length > MOST_NAMED ? ` and ${plural(paths.length - MOST_NAMED, 'more file')}` : ''}`

/** Folder of a record that the change starts. */
const newRecord = (files: readonly ChangedFile[]): string =>
  files.flatMap(({ path }) => /^(.*?\.ken\/record)\/decisions\//.exec(path)?.[1] ?? [])[0] ?? '.ken/record'

// Each takes two git calls.
const MOST_RECORDED = 200

async function recordedIn(
  repository: Repository,
  files: readonly ChangedFile[],
  { base, folder }: { base: string; folder: string },
): Promise<RecordedDecision[]> {
  const journal = await repository.text(`${folder}/journal/events.jsonl`, 'now')
  const proposed = followProposals(
    new Set(),
    (journal ?? '').split('\n').flatMap((line) => parseEvent(line) ?? []),
  )
  const start = `${folder}/decisions/`
  const changed = files.filter(({ path }) => path.startsWith(start) && /^[^/]+\.md$/.test(path.slice(start.length)))
  const texts = []
  for (const { path, previousPath, status } of changed.slice(0, MOST_RECORDED)) {
    const before = status === 'added' ? undefined : await repository.text(previousPath ?? path, { base })
    const after = status === 'deleted' ? undefined : await repository.text(path, 'now')
    texts.push({ path, before, after, was: read(previousPath ?? path, before), is: read(path, after) })
  }
  const replaced = texts.flatMap(({ was, is }) =>
    is?.status === 'superseded' && was?.status !== 'superseded'
      ? [{ old: label(is.num), by: Number(is.superseded_by) }]
      : [],
  )
  return texts
    .map(({ path, before, after, was, is }) => {
      const stem = path.slice(start.length, -'.md'.length)
      const shown = is ?? was
      return {
        path,
        change:
          after === undefined ? ('deleted' as const) : before === undefined ? ('added' as const) : ('edited' as const),
        label: shown === undefined ? stem.slice(0, 20) : label(shown.num),
        title: shown?.title ?? 'unreadable',
        before,
        after,
        supersedes: replaced.filter(({ by }) => by === is?.num).map(({ old }) => old),
        isProposal: is?.status === 'active' && proposed.has(stem),
      }
    })
    .sort((a, b) => (a.label < b.label ? -1 : 1))
}

/** Undefined for a file that is not a decision: the change may contain anything. */
function read(path: string, text: string | undefined): Decision | undefined {
  try {
    return text === undefined ? undefined : parseDecision(text, posix.basename(path))
  } catch {
    return undefined
  }
}
