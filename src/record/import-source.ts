import { z } from 'zod'
import { AppError } from '../kernel/domain/errors.ts'
import { notFound } from '../kernel/domain/phrases.ts'
import { visibleLine } from '../kernel/domain/trust/visible.ts'
import type { Call } from '../kernel/ports/call.ts'
import type { MachineNeeds } from '../kernel/ports/machine-needs.ts'
import type { CatalogueEntry } from './domain/decision/catalogue.ts'
import { decisionNumber, decisionStem } from './domain/decision/decision-id.ts'
import { type Decision, isSeed } from './domain/decision/decision.ts'
import { duplicateHash, formatHashIndex, parseHashIndex } from './domain/decision/duplicate.ts'
import { formatFaithfully } from './domain/decision/format.ts'
import { HASHES, QUESTIONS, decisionPath } from './domain/files.ts'
import type { KnownRecord } from './domain/import/placement.ts'
import type { SourceFile } from './domain/import/plan.ts'
import type { JournalEvent } from './domain/journal/event.ts'
import { parseQuestions } from './domain/question.ts'
import type { Draft } from './ports/store.ts'
import { readDecision } from './read-decision.ts'

/** Resolves the caller's path against the working directory unless it is absolute. */
export const fromHere = (ctx: Call, path: string): string =>
  /^(?:[/\\]|[A-Za-z]:[/\\])/.test(path) ? path : `${ctx.cwd}/${path}`

/** The files of a folder, or the one named file; files that `isText` rejects have no text. */
export async function readSources(
  ctx: Call & MachineNeeds,
  path: string,
  isText: (path: string) => boolean,
): Promise<SourceFile[]> {
  const place = fromHere(ctx, path).replace(/[/\\]+$/, '')
  const listed = await ctx.files.list(place)
  if (listed === undefined) return [await readSingle(ctx, place, path)]
  const wanted = listed.filter((file) => !/(?:^|\/)(?:\.git|node_modules)\//.test(file))
  const files: SourceFile[] = []
  for (const [i, file] of wanted.entries()) {
    ctx.progress(`Reading ${file}`, i, wanted.length)
    files.push({
      // A line break in a name would add a separate line to the answer.
      path: /[\r\n]/.test(file) ? visibleLine(file) : file,
      text: isText(file) ? await clean(ctx, await ctx.files.read(`${place}/${file}`)) : undefined,
    })
  }
  return files
}

async function readSingle(ctx: Call & MachineNeeds, place: string, shown: string): Promise<SourceFile> {
  const text = await ctx.files.read(place)
  if (text === undefined)
    throw new AppError('not_found', notFound('File or folder', shown), {
      hint: 'Pass the folder of the files to import.',
    })
  return {
    path: place.slice(Math.max(place.lastIndexOf('/'), place.lastIndexOf('\\')) + 1),
    text: await clean(ctx, text),
  }
}

/** Redacts first: file names and text hashes must match the written text. */
const clean = async <T extends string | undefined>(ctx: Call, text: T): Promise<T> =>
  text === undefined ? text : ((await ctx.redactor.redact(text)).text as T)

export const isMarkdown = (path: string): boolean => /\.(?:md|markdown|mdown|mdx)$/i.test(path)

/** Record data that an import needs to avoid duplicates and reused numbers. */
export async function knownRecord(
  record: Pick<Draft, 'catalogue' | 'read'>,
  journal: readonly JournalEvent[],
): Promise<KnownRecord> {
  const { decisions, unreadable } = await record.catalogue()
  const read = await Promise.all(
    decisions.map(async (entry) => ({ entry, decision: await readDecision(record, entry.stem) })),
  )
  return {
    decisions: read.map(({ entry, decision }) => ({
      ...entry,
      hash: duplicateHash(entry.title, decision?.rationale ?? ''),
    })),
    taken: new Set([
      ...decisions.map((d) => d.num),
      ...unreadable.map((file) => decisionNumber(file.path.slice('decisions/'.length)) ?? 0),
    ]),
    seed: await freeSeed(record, decisions),
    sources: new Map(journal.flatMap((event) => importedSources(event.facts['files']))),
  }
}

/** Number of the seed decision; undefined if it was changed or something refers to it. */
async function freeSeed(
  record: Pick<Draft, 'read'>,
  decisions: readonly CatalogueEntry[],
): Promise<number | undefined> {
  const seed = decisions.find(isSeed)
  if (seed === undefined || seed.status !== 'active') return undefined
  const own = String(seed.num)
  const isNamed = decisions.some((d) => d.supersedes === own || d.superseded_by === own)
  const isAnswer = parseQuestions((await record.read(QUESTIONS)) ?? '').some((q) => q.resolvedBy?.decision === seed.num)
  const isAsWritten = (await readDecision(record, seed.stem))?.version === 1
  return isNamed || isAnswer || !isAsWritten ? undefined : seed.num
}

const importedFile = z.object({ sha256: z.string(), decision: z.string() })

function importedSources(files: unknown): [string, number][] {
  if (!Array.isArray(files)) return []
  return files.flatMap((file): [string, number][] => {
    const known = importedFile.safeParse(file)
    const num = known.success ? decisionNumber(known.data.decision) : undefined
    return known.success && num !== undefined ? [[known.data.sha256, num]] : []
  })
}

/** Writes new decisions and adds them to the hash index. */
export async function writeDecisions(ctx: Call, draft: Draft, decisions: readonly Decision[]): Promise<void> {
  if (decisions.length === 0) return
  const timestamp = ctx.clock.now().toISOString()
  const hashes = { ...parseHashIndex(await draft.read(HASHES)) }
  for (const decision of decisions) {
    const stem = stemOfDecision(decision)
    draft.write(decisionPath(stem), formatFaithfully(decision))
    hashes[duplicateHash(decision.title, decision.rationale)] = { decision_id: stem, timestamp }
  }
  draft.write(HASHES, formatHashIndex(hashes))
}

export const stemOfDecision = (decision: Decision): string => decisionStem(decision.num, decision.title)
