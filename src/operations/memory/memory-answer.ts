import { z } from 'zod'
import { AppError } from '../../core/errors.ts'
import { ORIGINS, scopeFilter, type SearchScope } from '../../core/ranking/indexed-document.ts'
import { strongest } from '../../core/ranking/verdict.ts'
import { toDays } from '../../core/settings.ts'
import { ellipsis, plural } from '../../core/text.ts'
import type { AnswerTrust } from '../../core/trust/trust.ts'
import { dated } from '../../core/view/age.ts'
import { wordMarker } from '../../core/view/mark-words.ts'
import { PLAIN, type View } from '../../core/view/view.ts'
import { fitWidth, wrapWidth } from '../../core/view/width.ts'
import { workspaceHash } from '../../core/workspace.ts'
import type { Context } from '../../ports/context.ts'
import type { MemoryAnswer, MemoryHit } from '../../ports/memory.ts'
import { documentTrust } from './document-trust.ts'
import { withinOf, workspaceField } from './memory-scope.ts'

const DAY = 24 * 60 * 60 * 1000

export const searchInput = {
  query: z.string().max(20_000).describe('What to look for.'),
  limit: z.number().int().min(1).max(100).default(10),
  ...workspaceField,
  collection: z.array(z.string()).max(50).optional(),
  origin: z.array(z.enum(ORIGINS)).optional(),
  tags: z.array(z.string()).max(50).optional(),
  since: z.string().max(40).optional().describe('A date, or 7d.'),
  until: z.string().max(40).optional(),
}

const hit = z.object({
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
  score: z.number(),
  verdict: z.string(),
  found_by: z.string(),
  origin: z.string(),
  trust: z.string(),
  tags: z.array(z.string()),
  modified: z.string(),
  age_days: z.number(),
  superseded_by: z.string().optional(),
  belongs_to: z.string().optional().describe('The other project that the note is of.'),
})

export const searchOutput = {
  results: z.array(hit),
  verdict: z.string().describe('Of the best result; "none" when nothing was found.'),
  stages: z.array(z.string()).describe('What ran.'),
  notes: z.array(z.string()),
}

type SearchInput = z.output<z.ZodObject<typeof searchInput>>
type SearchOutput = z.output<z.ZodObject<typeof searchOutput>>

export async function searchFrom(
  ctx: Context,
  input: SearchInput,
  by: 'words' | 'meaning' | 'both',
): Promise<SearchOutput> {
  const answer: MemoryAnswer = await (
    await ctx.memory()
  ).search({ text: input.query, by, limit: input.limit, scope: await scopeOf(ctx, input) })
  const trustOf = documentTrust(ctx)
  const hits = input.workspace === 'all' ? await asNotesOfOthers(ctx, answer.hits) : answer.hits
  return {
    results: await Promise.all(hits.map(async (one) => toResult(one, await trustOf(one), ctx.clock.now().getTime()))),
    verdict: strongest(hits.map(({ verdict }) => verdict)),
    stages: [...answer.stages],
    notes: [...answer.notes],
  }
}

interface OwnedHit extends MemoryHit {
  readonly belongsTo?: string
}

/** What somebody noted for another project is at best related to what is asked in this one. */
async function asNotesOfOthers(ctx: Context, hits: readonly MemoryHit[]): Promise<readonly OwnedHit[]> {
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

function toResult(one: OwnedHit, trust: AnswerTrust, now: number): z.output<typeof hit> {
  const { startLine, endLine, foundBy, modified, supersededBy, tags, parts, belongsTo, ...rest } = one
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
    found_by: foundBy,
    modified: modified.toISOString(),
    age_days: Math.max(0, Math.floor((now - modified.getTime()) / DAY)),
    ...(supersededBy !== undefined && { superseded_by: supersededBy }),
    ...(belongsTo !== undefined && { belongs_to: belongsTo }),
  }
}

export function renderResults(output: SearchOutput, input: SearchInput, view: View = PLAIN): string {
  const notes = output.notes.map((note) => view.mark('dim', `(${note})`))
  if (output.results.length === 0) return [`Nothing found for "${ellipsis(input.query, 80)}".`, ...notes].join('\n')
  const marked = wordMarker(input.query, view)
  const blocks = output.results.map((result, i) => {
    const facts = [
      result.origin,
      result.trust,
      result.verdict,
      view.verbose && `score ${result.score.toFixed(3)}`,
      changed(result, view),
      result.belongs_to !== undefined && `of ${result.belongs_to}`,
    ].filter(Boolean)
    const place = `${result.path}:${result.start_line}-${result.end_line}`
    const title = fitWidth(result.title, view.width - INDENT.length - 2 - result.id.length)
    return [
      `${i + 1}. ${view.mark('title', marked(title))}  ${view.mark('dim', result.id)}`,
      `${INDENT}${view.mark('dim', place)}`,
      `${INDENT}${facts.join(' · ')}`,
      ...(result.superseded_by === undefined
        ? []
        : [`${INDENT}${view.mark('warning', `no longer holds: ${standingOf(result.superseded_by)}`)}`]),
      ...snippetLines(withoutTitle(result), view).map((line) => `${INDENT}${marked(line)}`),
      ...(result.parts ?? []).flatMap((part) => [
        `${INDENT}${view.mark('dim', `and :${part.start_line}-${part.end_line}`)}`,
        ...snippetLines(part.snippet, view).map((line) => `${INDENT}${marked(line)}`),
      ]),
    ].join('\n')
  })
  return [
    `${plural(output.results.length, 'result')} for "${ellipsis(input.query, 80)}" (${output.stages.join(' + ')}):`,
    ...notes,
    ...blocks,
  ].join('\n\n')
}

const standingOf = (by: string): string => (/^[a-z]+$/i.test(by) ? by : `superseded by ${by}`)
const age = (days: number): string => (days === 0 ? 'today' : days === 1 ? 'yesterday' : `${days} days ago`)

/** An agent may not know what day it is; a program compares. */
const changed = ({ modified, age_days: days }: { modified: string; age_days: number }, view: View): string =>
  view.reader === 'agent'
    ? age(days)
    : view.now === undefined
      ? modified.slice(0, 10)
      : dated(modified.replace(/T00:00:00\.000Z$/, ''), view)

const INDENT = '   '

/** A short note is its own title, and nobody wants to read it twice. */
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

/** A line that fits stays as it is: it may be code. */
const wrapKept = (line: string, width: number): string[] => {
  const short = line.replaceAll('\t', '  ')
  return fitWidth(short, width) === short ? [short] : wrapWidth(short, width)
}

async function scopeOf(ctx: Context, input: SearchInput): Promise<SearchScope> {
  const now = ctx.clock.now().getTime()
  return {
    within: await withinOf(ctx, input.workspace),
    collections: input.collection,
    origins: input.origin,
    tags: input.tags,
    since: input.since === undefined ? undefined : readTime('since', input.since, now).from,
    until: input.until === undefined ? undefined : readTime('until', input.until, now).to,
  }
}

/** A day means all of it, so `from` and `to` differ. */
function readTime(name: string, text: string, now: number): { from: number; to: number } {
  const days = toDays(text)
  if (days !== undefined) return { from: now - days * DAY, to: now - days * DAY }
  const time = Date.parse(text)
  if (!Number.isFinite(time))
    throw new AppError('invalid_input', `${name}: "${text}" is not a date.`, {
      hint: 'Use 2026-01-31, a full ISO time, or an age such as 7d, 2w, 6m, 1y.',
    })
  return { from: time, to: /^\d{4}-\d{2}-\d{2}$/.test(text) ? time + DAY - 1 : time }
}
