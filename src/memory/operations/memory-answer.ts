import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { fieldNamed } from '../../kernel/domain/named-operation.ts'
import { ellipsis, plural } from '../../kernel/domain/text.ts'
import type { AnswerTrust } from '../../kernel/domain/trust/trust.ts'
import { dated } from '../../kernel/domain/view/age.ts'
import { wordMarker } from '../../kernel/domain/view/mark-words.ts'
import { PLAIN, type View } from '../../kernel/domain/view/view.ts'
import { fitWidth, wrapWidth } from '../../kernel/domain/view/width.ts'
import { workspaceHash } from '../../kernel/domain/workspace.ts'
import type { Given } from '../../operations/context.ts'
import { machineOf } from '../../operations/machine-of.ts'
import { forPeople } from '../../operations/operation.ts'
import { ORIGINS, scopeFilter, type SearchScope } from '../../retrieval/domain/ranking/indexed-document.ts'
import { mergeAnswers } from '../../retrieval/domain/ranking/merge-answers.ts'
import { isTold, strongest } from '../../retrieval/domain/ranking/verdict.ts'
import { answerFacts } from '../answer-facts.ts'
import { timeInQuestion } from '../domain/question/question-time.ts'
import { sayLeftOut } from '../left-out.ts'
import type { MemoryHit } from '../ports/memory.ts'
import { askTeam } from './ask-team.ts'
import { documentTrust } from './document-trust.ts'
import { factRow, toFactRow } from './fact-fields.ts'
import { whyNotCovered, withinOf, workspaceField } from './memory-scope.ts'
import { readQuestionTime, searchAtTime } from './search-at-time.ts'
import { scopeOf, whyEmpty } from './search-scope.ts'

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
  standing: z.string().optional().describe('superseded, rejected …: it no longer holds.'),
  superseded_by: z.string().optional(),
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
/** The nearest may hold the answer after all; the others are only named. */
const LONGEST_NEAREST = { first: 480, other: 160 }

export const searchOutput = {
  results: z.array(hitFields),
  nearest: z
    .array(nearestFields)
    .optional()
    .describe('Where nothing stands out: the nearest, probably about something else.'),
  facts: z
    .array(factRow.extend({ session: z.string(), client: z.string() }))
    .optional()
    .describe('Where what was done is asked for: the tool calls that answer it.'),
  verdict: z.string().describe('Of the best result; "none" when nothing was found.'),
  stages: z.array(z.string()).describe('What ran.'),
  notes: z.array(z.string()),
  vectors_pending: z.number().optional().describe('Parts without a vector, when that matters.'),
}

type SearchInput = z.output<z.ZodObject<typeof searchInput>>
type SearchOutput = z.output<z.ZodObject<typeof searchOutput>>

export async function searchFrom(
  ctx: Given<'memory' | 'record'>,
  input: SearchInput,
  by: 'words' | 'meaning' | 'both',
): Promise<SearchOutput> {
  const scope = await scopeOf(ctx, input)
  const asked = { text: input.query, by, limit: input.limit, scope }
  const question = readQuestionTime(asked, ctx.clock.now().getTime())
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
    ...(await factsFor(ctx, input, scope.within)),
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

/** Facts that answer a question about what was done. Only a machine has the sessions that they are read from. */
async function factsFor(
  ctx: Given<'memory'>,
  input: SearchInput,
  within: SearchScope['within'],
): Promise<Pick<SearchOutput, 'facts'>> {
  const { upkeep } = ctx
  if (upkeep === undefined || !asksSessions(input) || input.since !== undefined || input.until !== undefined) return {}
  const time = timeInQuestion(input.query, ctx.clock.now().getTime())
  const archive = async () => (await upkeep()).archive
  const facts = await answerFacts(archive, { text: input.query, time, within }).catch((fault: unknown) => {
    // A search works in a home that cannot be written to.
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
  const { belongsTo, author, isOfTeam, ...rest } = others
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
    ...(author !== undefined && { by: author }),
    ...(isOfTeam === true && { from_team: true }),
    ...(belongsTo !== undefined && { belongs_to: belongsTo }),
  }
}

export function renderResults(output: SearchOutput, input: SearchInput, view: View = PLAIN): string {
  const notes = output.notes.map((note) => view.mark('dim', `(${note})`))
  const facts = renderFacts(output.facts ?? [], view)
  if (output.results.length === 0) {
    const nearest = (output.nearest ?? []).flatMap(({ id, path, title, start_line, end_line, snippet }) => {
      const lines = `:${start_line}-${end_line}`
      const place = view.reader === 'agent' ? `${id}${lines}` : `${id} ${path}${lines}`
      const head = `${INDENT}${fitWidth(title, view.width - INDENT.length)}  ${view.mark('dim', place)}`
      return snippet === '' ? [head] : [head, `${INDENT}${INDENT}${fitWidth(snippet, view.width - 2 * INDENT.length)}`]
    })
    const said =
      nearest.length > 0
        ? 'Nothing stands out'
        : output.vectors_pending === undefined
          ? 'Nothing found'
          : 'Vectors are missing, and nothing was found yet'
    return [
      ...facts,
      `${said} for "${ellipsis(input.query, 80)}".${nearest.length > 0 ? ' The nearest, probably about something else:' : ''}`,
      ...nearest,
      ...notes,
    ].join('\n')
  }
  const marked = wordMarker(input.query, view)
  const root = view.reader === 'agent' ? commonFolder(output.results.filter(isFile).map(({ path }) => path)) : ''
  const blocks = output.results.map((result, i) => {
    const facts = [
      result.origin,
      result.trust,
      result.verdict,
      view.verbose && `score ${result.score.toFixed(3)}`,
      changed(result, view),
      result.by !== undefined && `by ${result.by}`,
      result.from_team && 'shared with the team',
      result.belongs_to !== undefined && `of ${result.belongs_to}`,
    ].filter(Boolean)
    const head = headOf(result, i + 1, { facts: facts.join(' · '), root, view, marked })
    // An agent reads the best hits; the others it only chooses from.
    if (view.reader === 'agent' && i >= SHOWN_WHOLE)
      return `${head.map((line) => line.trim()).join(' · ')}${result.standing === undefined ? '' : ` · no longer holds: ${standingOf(result)}`}`
    return [
      ...head,
      ...(result.standing === undefined
        ? []
        : [`${INDENT}${view.mark('warning', `no longer holds: ${standingOf(result)}`)}`]),
      ...snippetLines(withoutTitle(result), view).map((line) => `${INDENT}${marked(line)}`),
      ...partLines(result.parts ?? [], view, marked),
      ...(result.repeats === undefined ? [] : [`${INDENT}${view.mark('dim', repeatsOf(result.repeats))}`]),
    ].join('\n')
  })
  const below = root === '' ? '' : `, paths below ${root}`
  const [whole, named] = [blocks.slice(0, SHOWN_WHOLE), blocks.slice(SHOWN_WHOLE)]
  return [
    ...(facts.length === 0 ? [] : [facts.join('\n')]),
    `${plural(output.results.length, 'result')} for "${ellipsis(input.query, 80)}" (${output.stages.join(' + ')})${below}:`,
    ...notes,
    ...(view.reader === 'agent' ? [...whole, ...(named.length === 0 ? [] : [named.join('\n')])] : blocks),
  ].join('\n\n')
}

/** Hits that an agent is shown with their text; others are named in a line each. */
const SHOWN_WHOLE = 3
const LONGEST_SESSION_TITLE = 80

const DEEDS: Readonly<Record<Fact['kind'], string>> = {
  read: 'read',
  changed: 'changed',
  command: 'ran',
  commit: 'committed',
  branch: 'created branch',
  tests: 'fixed',
  added: 'added',
  removed: 'removed',
}

type Fact = NonNullable<SearchOutput['facts']>[number]

function renderFacts(facts: readonly Fact[], view: View): string[] {
  if (facts.length === 0) return []
  return [
    'From tool calls of sessions:',
    ...facts.map(({ kind, what, ok, at, turn, session, client }) => {
      const outcome = kind === 'command' && ok !== true ? (ok === null ? ' (no outcome)' : ' (failed)') : ''
      const place = view.mark('dim', `${client} session ${session}, turn ${turn}`)
      return `- ${at.slice(0, 16).replace('T', ' ')} ${DEEDS[kind]} ${what}${outcome}  ${place}`
    }),
  ]
}

type Result = z.output<typeof hitFields>

/** Whether an agent may want to open the file itself; a session or a note is read by its id. */
const isFile = ({ origin }: Result): boolean => origin !== 'session' && origin !== 'note'

/** The folder that all paths share, with its slash; empty if naming it once saves nothing. */
function commonFolder([first, ...others]: readonly string[]): string {
  if (first === undefined || others.length === 0) return ''
  let folder = first.slice(0, first.lastIndexOf('/') + 1)
  // Paths of a team may begin without a slash, so the root is not always shared either.
  while (!others.every((path) => path.startsWith(folder)))
    folder = folder === '/' ? '' : folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1)
  return folder.length > 1 ? folder : ''
}

/** Title, place and facts. An agent pays for every character, so it gets them in two lines, and a place it can read. */
function headOf(
  result: Result,
  number: number,
  { facts, root, view, marked }: { facts: string; root: string; view: View; marked: (text: string) => string },
): string[] {
  const lines = `:${result.start_line}-${result.end_line}`
  if (view.reader === 'agent') {
    const place = isFile(result) ? `${result.path.slice(root.length)}${lines} · ${result.id}` : `${result.id}${lines}`
    const title = result.origin === 'session' ? ellipsis(result.title, LONGEST_SESSION_TITLE) : result.title
    return [`${number}. ${title}`, `${INDENT}${place} · ${facts}`]
  }
  const title = fitWidth(result.title, view.width - INDENT.length - 2 - result.id.length)
  return [
    `${number}. ${view.mark('title', marked(title))}  ${view.mark('dim', result.id)}`,
    `${INDENT}${view.mark('dim', `${result.path}${lines}`)}`,
    `${INDENT}${facts}`,
  ]
}

/** Parts with a text have lines of their own; the others are named in one. */
function partLines(parts: NonNullable<Result['parts']>, view: View, marked: (text: string) => string): string[] {
  const place = ({ start_line, end_line }: (typeof parts)[number]) => `:${start_line}-${end_line}`
  const named = parts.filter(({ snippet }) => snippet === '')
  return [
    ...parts
      .filter(({ snippet }) => snippet !== '')
      .flatMap((part) => [
        `${INDENT}${view.mark('dim', `and ${place(part)}`)}`,
        ...snippetLines(part.snippet, view).map((line) => `${INDENT}${marked(line)}`),
      ]),
    ...(named.length === 0 ? [] : [`${INDENT}${view.mark('dim', `and ${named.map(place).join(', ')}`)}`]),
  ]
}

const repeatsOf = (ids: readonly string[]): string =>
  `and ${ids.length} nearly identical ${ids.length === 1 ? 'session' : 'sessions'}: ${ids.join(', ')}`

const standingOf = ({ standing, superseded_by: by }: z.output<typeof hitFields>): string =>
  by === undefined ? standing! : `superseded by ${by}`

/** A decision names its successor by number. */
const successorOf = ({ origin }: MemoryHit, by: string): string =>
  origin === 'decision' && /^\d+$/.test(by) ? `D${Number(by)}` : by

const age = (days: number): string => (days === 0 ? 'today' : days === 1 ? 'yesterday' : `${days} days ago`)

/** Relative for an agent, which may not know the current date; a date for a program, which compares. */
const changed = ({ modified, age_days: days }: { modified: string; age_days: number }, view: View): string =>
  view.reader === 'agent'
    ? age(days)
    : view.now === undefined
      ? modified.slice(0, 10)
      : dated(modified.replace(/T00:00:00\.000Z$/, ''), view)

const INDENT = '   '

/** The title of a short note is its text, which is not shown twice. */
const withoutTitle = ({ title, snippet }: { title: string; snippet: string }): string =>
  snippet
    .split('\n')
    .filter((line) => line.trim() !== title)
    .join('\n')
    .trim()

const snippetLines = (snippet: string, view: View): string[] =>
  (snippet === '' ? [] : snippet.split('\n')).flatMap((line) =>
    view.width === Infinity || line.trim() === '' ? [line] : wrapKept(line, view.width - 3),
  )

/** A line that fits is kept as is: it may be code. */
const wrapKept = (line: string, width: number): string[] => {
  const short = line.replaceAll('\t', '  ')
  return fitWidth(short, width) === short ? [short] : wrapWidth(short, width)
}
