import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { fieldNamed } from '../../kernel/domain/named-operation.ts'
import { ellipsis, plural } from '../../kernel/domain/text.ts'
import type { AnswerTrust } from '../../kernel/domain/trust/trust.ts'
import { workspaceHash } from '../../kernel/domain/workspace.ts'
import { machineOf, type Given } from '../../operations/context.ts'
import { forPeople } from '../../operations/operation.ts'
import { ORIGINS, scopeFilter, type SearchScope } from '../../retrieval/domain/ranking/indexed-document.ts'
import { mergeAnswers } from '../../retrieval/domain/ranking/merge-answers.ts'
import { isTold, strongest } from '../../retrieval/domain/ranking/verdict.ts'
import { answerFacts } from '../answer-facts.ts'
import type { QuestionTime } from '../domain/question/question-time.ts'
import { sayLeftOut } from '../left-out.ts'
import type { MemoryHit } from '../ports/memory.ts'
import { askTeam } from './ask-team.ts'
import { documentTrust } from './document-trust.ts'
import { factRow, toFactRow } from './fact-fields.ts'
import { whyNotCovered, withinOf, workspaceField } from './memory-scope.ts'
import { readQuestionTime, searchAtTime } from './search-at-time.ts'
import { scopeOf, whyEmpty } from './search-scope.ts'
import { timeAsked } from './time-asked.ts'

const DAY = 24 * 60 * 60 * 1000

export const searchInput = {
  query: z.string().max(20_000).meta(forPeople('What to look for.')),
  limit: z.number().int().min(1).max(100).default(10),
  ...workspaceField,
  collection: z.array(z.string()).max(50).optional(),
  origin: z.array(z.enum(ORIGINS)).optional(),
  tags: z.array(z.string()).max(50).optional(),
  since: z.string().max(40).optional().describe('2026-01-31, 7d.'),
  until: z.string().max(40).optional(),
  min_score: z.number().optional().describe('Minimum score.'),
}

export const hitFields = z.object({
  id: z.string(),
  path: z.string(),
  collection: z.string(),
  title: z.string(),
  heading: z.string(),
  start_line: z.number(),
  end_line: z.number(),
  snippet: z.string(),
  parts: z
    .array(z.object({ start_line: z.number(), end_line: z.number(), snippet: z.string() }))
    .optional()
    .describe('Further parts of the same document.'),
  repeats: z.array(z.string()).optional().describe('Ids of nearly identical sessions.'),
  score: z.number(),
  verdict: z.string(),
  found_by: z.string(),
  origin: z.string(),
  trust: z.string(),
  tags: z.array(z.string()),
  modified: z.string(),
  age_days: z.number(),
  standing: z.string().optional().describe('superseded, rejected …: no longer in force.'),
  superseded_by: z.string().optional(),
  unavailable: z.boolean().optional().describe('The file cannot be read now.'),
  by: z.string().optional().describe('Who shared it.'),
  from_team: z.boolean().optional().describe('A colleague shared it; it is read from the team’s server.'),
  belongs_to: z.string().optional().describe('The other project that the note is of.'),
})

/** A document below the line, named so that it can be read. */
const nearestFields = hitFields.pick({
  id: true,
  path: true,
  title: true,
  start_line: true,
  end_line: true,
  trust: true,
  snippet: true,
})

const MOST_NEAREST = 3
/** The nearest hit may still contain the answer; the other hits are only named. */
const LONGEST_NEAREST = { first: 480, other: 160 }

export const searchOutput = {
  results: z.array(hitFields),
  nearest: z
    .array(nearestFields)
    .optional()
    .describe('Nearest results if none is a good match; probably about something else.'),
  facts: z
    .array(factRow.extend({ session: z.string(), client: z.string() }))
    .optional()
    .describe('Tool calls that answer a question about past actions.'),
  verdict: z.string().describe('Of the best result; "none" when nothing was found.'),
  stages: z.array(z.string()).describe('What ran.'),
  notes: z.array(z.string()),
  vectors_pending: z.number().optional().describe('Number of parts without a vector.'),
}

export type SearchInput = z.output<z.ZodObject<typeof searchInput>>
export type SearchOutput = z.output<z.ZodObject<typeof searchOutput>>

export async function searchFrom(
  ctx: Given<'memory' | 'record'>,
  input: SearchInput,
  by: 'words' | 'meaning' | 'both',
): Promise<SearchOutput> {
  const scope = await scopeOf(ctx, input)
  const asked = { text: input.query, by, limit: input.limit, scope }
  const time = await timeAsked(ctx, input.query)
  const question = readQuestionTime(asked, time)
  const own = ctx.memory().then((memory) => searchAtTime(memory, question, asked))
  const [answer, team] = await Promise.all([own, askTeam(ctx, question, own)])
  const trustOf = documentTrust(ctx)
  const least = input.min_score ?? -Infinity
  const isShown = ({ score }: MemoryHit): boolean => score >= least
  const shown = answer.hits.filter(isShown)
  const below = answer.hits.length - shown.length
  const mine: readonly OwnedHit[] = scope.within === undefined ? await asNotesOfOthers(ctx, shown) : shown
  const theirs = team.hits.filter(isShown).map((hit) => ({ ...hit, isOfTeam: true }))
  const isEmpty = answer.hits.length + team.hits.length === 0
  const merged = mergeAnswers<OwnedHit>(mine, theirs, input.limit)
  const told = merged.filter(({ verdict }) => isTold(verdict))
  // A search for exact words or by meaning alone, or with a score of the caller's choice, leaves the judgement to its
  // caller.
  const isJudged = by === 'both' && input.min_score === undefined
  const hits = isJudged ? told : merged
  const nearest = isJudged && told.length === 0 ? merged.slice(0, MOST_NEAREST) : []
  const shownResults = (some: readonly OwnedHit[]) =>
    Promise.all(some.map(async (one) => toResult(one, await trustOf(one), ctx.clock.now().getTime())))
  return {
    results: await shownResults(hits),
    ...(nearest.length > 0 && {
      nearest: (await shownResults(nearest)).map((one, at) =>
        nearestFields.parse({
          ...one,
          snippet: ellipsis(one.snippet.replaceAll(/\s+/g, ' '), LONGEST_NEAREST[at === 0 ? 'first' : 'other']),
        }),
      ),
    }),
    ...(await factsFor(ctx, input, { time, within: scope.within })),
    verdict: strongest(merged.map(({ verdict }) => verdict)),
    stages: [...answer.stages, ...(team.isAnswered ? ['team'] : [])],
    notes: [
      ...(await whyNotCovered(ctx, input.workspace)),
      ...answer.notes,
      ...(team.fault === undefined ? [] : [team.fault]),
      ...(below > 0 ? [`${plural(below, 'result')} below ${fieldNamed('min_score')} ${least} left out`] : []),
      ...(isEmpty ? await whyEmpty(ctx, scope) : []),
      ...(isEmpty && asksSessions(input) && ctx.upkeep !== undefined ? await sayLeftOut(machineOf(ctx)) : []),
    ],
    ...(answer.pending !== undefined && { vectors_pending: answer.pending }),
  }
}

/** Facts that answer a question about past actions. Only a machine has the sessions for them. */
async function factsFor(
  ctx: Given<'memory'>,
  input: SearchInput,
  { time, within }: { readonly time: QuestionTime | undefined; readonly within: SearchScope['within'] },
): Promise<Pick<SearchOutput, 'facts'>> {
  const { upkeep } = ctx
  if (upkeep === undefined || !asksSessions(input) || input.since !== undefined || input.until !== undefined) return {}
  const archive = async () => (await upkeep()).archive
  const facts = await answerFacts(archive, { text: input.query, time, within }).catch((fault: unknown) => {
    // A search works even if KEN_HOME is not writable.
    if (fault instanceof AppError) return undefined
    throw fault
  })
  if (facts === undefined || facts.length === 0) return {}
  return { facts: facts.map(({ session, client, ...fact }) => ({ ...toFactRow(fact), session, client })) }
}

const asksSessions = ({ origin, collection }: SearchInput): boolean =>
  (origin === undefined || origin.includes('session')) && (collection === undefined || collection.includes('sessions'))

interface OwnedHit extends MemoryHit {
  readonly belongsTo?: string
  readonly isOfTeam?: boolean
}

/** Demotes notes of another project: they are at best related to a question in this one. */
export async function asNotesOfOthers(ctx: Given<'memory'>, hits: readonly MemoryHit[]): Promise<readonly OwnedHit[]> {
  if (hits.every(({ origin }) => origin !== 'note')) return hits
  const isOurs = scopeFilter({ within: await withinOf(ctx, undefined) })
  const projects = await ctx.projects.list()
  return hits.map((one) => {
    if (one.origin !== 'note' || isOurs({ ...one, modified: 0 })) return one
    const owner = projects.find(
      ({ id, repositories }) =>
        id === one.project || repositories.some((root) => workspaceHash(root) === one.workspace),
    )
    const verdict = one.verdict === 'strong' ? 'related' : one.verdict
    return { ...one, verdict, belongsTo: owner?.name ?? 'another project' }
  })
}

export function toResult(one: OwnedHit, trust: AnswerTrust, now: number): z.output<typeof hitFields> {
  const { startLine, endLine, foundBy, modified, superseded, tags, parts, repeats, ...others } = one
  const { belongsTo, author, isOfTeam, isUnavailable, ...rest } = others
  const { workspace: _workspace, project: _project, ...same } = rest
  return {
    ...same,
    trust,
    tags: [...tags],
    start_line: startLine,
    end_line: endLine,
    ...(parts.length > 0 && {
      parts: parts.map((part) => ({ start_line: part.startLine, end_line: part.endLine, snippet: part.snippet })),
    }),
    ...(repeats !== undefined && { repeats: [...repeats] }),
    found_by: foundBy,
    modified: modified.toISOString(),
    age_days: Math.max(0, Math.floor((now - modified.getTime()) / DAY)),
    ...(superseded !== undefined && { standing: superseded.as }),
    ...(superseded?.by !== undefined && { superseded_by: successorOf(one, superseded.by) }),
    ...(isUnavailable === true && { unavailable: true }),
    ...(author !== undefined && { by: author }),
    ...(isOfTeam === true && { from_team: true }),
    ...(belongsTo !== undefined && { belongs_to: belongsTo }),
  }
}

/** A decision names its successor by number. */
const successorOf = ({ origin }: MemoryHit, by: string): string =>
  origin === 'decision' && /^\d+$/.test(by) ? `D${Number(by)}` : by
