import { AppError } from '../kernel/domain/errors.ts'
import { fieldNamed } from '../kernel/domain/named-operation.ts'
import { isKens, testsFoldersOf } from '../kernel/domain/tests-among.ts'
import type { Call } from '../kernel/ports/call.ts'
import type { CatalogueEntry } from './domain/decision/catalogue.ts'
import type { Decision } from './domain/decision/decision.ts'
import { governs } from './domain/decision/governs.ts'
import { addedLines } from './domain/guard/added-lines.ts'
import { fileKind } from './domain/guard/file-kind.ts'
import type { Finding } from './domain/guard/finding.ts'
import { judgeDiff } from './domain/guard/judge.ts'
import { filesInDiff } from './domain/guard/parse-patch.ts'
import { turnedDownIn } from './domain/guard/returns.ts'
import { type Topic, diffTopics } from './domain/guard/topics.ts'
import type { TopicHit } from './domain/guard/touched.ts'
import { mentionsIn } from './domain/names/mentions.ts'
import type { RecordNeeds } from './ports/record-needs.ts'
import type { LocalRecordNeeds } from './ports/record-needs.ts'
import type { ChangedFile, Repository } from './ports/repository.ts'
import type { Store } from './ports/store.ts'
import { readChanges } from './read-changes.ts'
import { entryOf, readDecisions } from './read-decision.ts'

export const HITS_PER_TOPIC = 3

export interface GuardReport {
  /** Number of changed files. */
  readonly files: number
  readonly findings: readonly Finding[]
  /** Files too large to read in full. */
  readonly cut: string[]
  /** Number of topics that were not searched, because the diff is too large. */
  readonly topics_left: number
  /** The decisions that the findings are about. */
  readonly shown: readonly CatalogueEntry[]
}

/**
 * The changes in `diff`, or since `base`, or since HEAD; if `paths` is given, only those in or below these paths.
 * `trusted`: the state whose `ken.yaml` files decide which folders contain test cases.
 */
export async function changedFiles(
  ctx: Call & RecordNeeds,
  {
    base,
    paths,
    diff,
    trusted = 'now',
  }: {
    base?: string | undefined
    paths?: readonly string[] | undefined
    diff?: string | undefined
    trusted?: 'now' | { readonly base: string }
  },
): Promise<readonly ChangedFile[]> {
  const isWanted = (file: ChangedFile): boolean => paths === undefined || paths.some((path) => governs(path, file.path))
  if (diff !== undefined) return filesInDiff(diff).filter(isWanted)
  const repository = await ctx.repository()
  if (repository === undefined) throw noRepository()
  return (await withoutTests(repository, await repository.diff(base), trusted)).filter(isWanted)
}

/** Skips test cases: their expectations are neither used by the program nor meant for agents. */
export async function withoutTests(
  repository: Repository,
  files: readonly ChangedFile[],
  at: 'now' | { readonly base: string } = 'now',
): Promise<readonly ChangedFile[]> {
  const isProject = new Map<string, boolean>()
  for (const folder of new Set(files.flatMap(({ path }) => testsFoldersOf(path))))
    isProject.set(folder, isKens(folder) || (await repository.text(`${folder}ken.yaml`, at)) !== undefined)
  return files.filter(({ path }) => !testsFoldersOf(path).some((folder) => isProject.get(folder)))
}

interface GuardedChanges {
  readonly files: readonly ChangedFile[]
  readonly base: string | undefined
  /** The diff that the files were read from; the working tree does not have to match it. */
  readonly diff?: string | undefined
}

/** Checks a diff, or the changes since `base`, against decisions. */
export async function guardChanges(
  ctx: Call & RecordNeeds & Partial<LocalRecordNeeds>,
  store: Store,
  { files: changed, base, diff }: GuardedChanges,
): Promise<GuardReport> {
  const { decisions } = await store.catalogue()
  const texts = changed.length === 0 ? new Map() : await readDecisions(store, decisions)
  const record = { decisions, texts }
  const isNamed = (line: string) => mentionsIn(line, turnedDownIn(record).wanted).length > 0
  const files = diff === undefined ? await readChanges(ctx, changed, { base, isNamed }) : changed
  const lines = addedLines(files)
  const { topics, left } = diffTopics(files, lines)
  const findings = judgeDiff({ files, lines }, record, await askRecord(ctx, store, { topics, texts }))
  return {
    files: files.length,
    findings,
    cut: changed.filter((file) => file.cut && fileKind(file.path) !== 'ignored').map((file) => file.path),
    topics_left: left,
    shown: findings.flatMap((each) => entryOf(decisions, each.decision.num) ?? []),
  }
}

async function askRecord(
  ctx: Call,
  store: Store,
  { topics, texts }: { topics: readonly Topic[]; texts: ReadonlyMap<string, Decision> },
): Promise<TopicHit[]> {
  const found: TopicHit[] = []
  for (const [i, topic] of topics.entries()) {
    ctx.progress('Asking the record', i, topics.length)
    const { hits } = await store.rank({ text: topic.query, limit: HITS_PER_TOPIC, among: 'active', check: true })
    found.push(
      ...hits.flatMap((hit) => withText(topic, hit.entry, texts).map((known) => ({ ...known, verdict: hit.verdict }))),
    )
  }
  return found
}

function withText(
  topic: Topic,
  entry: CatalogueEntry,
  texts: ReadonlyMap<string, Decision>,
): Omit<TopicHit, 'verdict'>[] {
  const text = texts.get(entry.stem)
  return text === undefined ? [] : [{ topic, entry, text }]
}

const noRepository = (): AppError =>
  new AppError('not_found', 'Not a git repository: nothing to compare.', {
    hint: `Run it in a git working tree, or give a diff as ${fieldNamed('diff')}.`,
  })
