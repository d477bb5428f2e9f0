import { z } from 'zod'
import { AppError } from '../../core/errors.ts'
import { ORIGINS, type SearchScope } from '../../core/ranking/indexed-document.ts'
import { strongest } from '../../core/ranking/verdict.ts'
import { toDays } from '../../core/settings.ts'
import { ellipsis, plural } from '../../core/text.ts'
import type { AnswerTrust } from '../../core/trust/trust.ts'
import { dated } from '../../core/view/age.ts'
import { wordMarker } from '../../core/view/mark-words.ts'
import { PLAIN, type View } from '../../core/view/view.ts'
import { fitWidth, wrapWidth } from '../../core/view/width.ts'
import { sayLeftOut } from '../../memory/left-out.ts'
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
  score: z.number(),
  verdict: z.string(),
  found_by: z.string(),
  origin: z.string(),
  trust: z.string(),
  tags: z.array(z.string()),
  modified: z.string(),
  age_days: z.number(),
  superseded_by: z.string().optional(),
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
  return {
    results: await Promise.all(
      answer.hits.map(async (one) => toResult(one, await trustOf(one), ctx.clock.now().getTime())),
    ),
    verdict: strongest(answer.hits.map(({ verdict }) => verdict)),
    stages: [...answer.stages],
    notes: [...answer.notes, ...(answer.hits.length === 0 && asksSessions(input) ? await sayLeftOut(ctx) : [])],
  }
}

const asksSessions = ({ origin, collection }: SearchInput): boolean =>
  (origin === undefined || origin.includes('session')) && (collection === undefined || collection.includes('sessions'))

function toResult(one: MemoryHit, trust: AnswerTrust, now: number): z.output<typeof hit> {
  const { startLine, endLine, foundBy, modified, supersededBy, tags, ...same } = one
  return {
    ...same,
    trust,
    tags: [...tags],
    start_line: startLine,
    end_line: endLine,
    found_by: foundBy,
    modified: modified.toISOString(),
    age_days: Math.max(0, Math.floor((now - modified.getTime()) / DAY)),
    ...(supersededBy !== undefined && { superseded_by: supersededBy }),
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
      ...snippetLines(result.snippet, view).map((line) => `${INDENT}${marked(line)}`),
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

const snippetLines = (snippet: string, view: View): string[] =>
  snippet
    .split('\n')
    .flatMap((line) => (view.width === Infinity || line.trim() === '' ? [line] : wrapKept(line, view.width - 3)))

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
