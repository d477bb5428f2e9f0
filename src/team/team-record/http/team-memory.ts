import { z } from 'zod'
import { AppError } from '../../../kernel/domain/errors.ts'
import type { LineSpan, MemoryText } from '../../../memory/ports/memory.ts'
import type { TeamHit, TeamMemory, TeamQuestion } from '../../ports/team-memory.ts'
import type { Exchange } from './exchange.ts'

/** Timeout for reading one document; a search is stopped by its caller. */
const READ_PATIENCE_MS = 15_000
const LARGEST_ANSWER = 4 * 1024 * 1024
/** A shared text has up to 2 million characters, and a character may take six in JSON. */
const LARGEST_TEXT = 16 * 1024 * 1024

/** A project's memory, queried with the server's public operations. */
export function openTeamMemory(exchange: Exchange, project: string): TeamMemory {
  const message = (operation: string, body: object) =>
    ({ method: 'POST', path: `/v1/${operation}?project=${project}`, body, isPlain: true, tries: 1 }) as const
  return {
    async search(question, signal) {
      const asked = { ...message('memory_query', questionBody(question)), signal, most: LARGEST_ANSWER }
      const { results } = await exchange(asked, answerFields)
      return results.flatMap((one) => toHits(one, project)).slice(0, question.limit)
    },
    async read(name, { from, lines }) {
      const wanted = { id: name, ...(from && { from_line: from }), ...(lines && { max_lines: lines }) }
      const asked = { ...message('memory_get', wanted), patience: READ_PATIENCE_MS, most: LARGEST_TEXT }
      try {
        return toText(await exchange(asked, textFields))
      } catch (error) {
        if (error instanceof AppError && error.code === 'not_found') return undefined
        throw error
      }
    },
  }
}

function questionBody({ text, by, limit, scope }: TeamQuestion): object {
  const { origins, collections, tags, since, until } = scope
  return {
    query: text,
    mode: by,
    limit,
    // Includes weak hits: the caller judges them together with this machine's hits.
    min_score: 0,
    ...(origins && { origin: origins }),
    ...(collections && { collection: collections }),
    ...(tags && { tags }),
    ...(since !== undefined && { since: moment(since) }),
    ...(until !== undefined && { until: moment(until) }),
  }
}

const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
/** Clamped to years of four digits; no document is outside them. */
const moment = (time: number): string => new Date(Math.min(LAST_MOMENT, Math.max(0, Math.round(time)))).toISOString()

const line = z.string().max(2_000)
const lineNumber = z.number().int().min(0).max(100_000_000)
const part = z.object({ start_line: lineNumber, end_line: lineNumber, snippet: z.string().max(20_000) })
// Plain segments only, so that no path leads elsewhere.
const path = z.string().regex(/^(?:shared|notes)(?:\/[A-Za-z0-9][A-Za-z0-9_.-]{0,99}){2}$/)
const id = z.string().regex(/^[0-9a-f]{12}$/)
const origin = z.enum(['session', 'note'])

const answerFields = z.object({ results: z.array(z.unknown()).max(1_000) })
const hitFields = part.extend({
  id,
  path,
  origin,
  collection: z.string().max(200),
  title: line,
  heading: line,
  parts: z.array(part).max(20).default([]),
  score: z.number(),
  verdict: z.enum(['strong', 'related', 'weak']),
  found_by: z.enum(['words', 'meaning', 'both']).catch('both'),
  tags: z.array(z.string().max(200)).max(100),
  modified: z.iso.datetime(),
  standing: line.optional(),
  superseded_by: line.optional(),
  by: z.string().min(1).max(300).default('somebody'),
})

/** Empty for an invalid hit: one unreadable hit does not affect the others. */
function toHits(given: unknown, project: string): TeamHit[] {
  const read = hitFields.safeParse(given)
  if (!read.success) return []
  const { start_line: startLine, end_line: endLine, parts, found_by: foundBy, modified, by, ...hit } = read.data
  const { standing, superseded_by: successor, ...same } = hit
  const lined = parts.map((one) => ({ startLine: one.start_line, endLine: one.end_line, snippet: one.snippet }))
  return [
    {
      ...same,
      startLine,
      endLine,
      parts: lined,
      foundBy,
      trust: 'untrusted',
      workspace: '',
      project,
      modified: new Date(modified),
      superseded: standing === undefined ? undefined : { as: standing, by: successor },
      author: by,
    },
  ]
}

const textFields = z.object({
  id,
  path,
  origin,
  title: line,
  text: z.string(),
  start_line: lineNumber,
  end_line: lineNumber,
  total_lines: lineNumber,
  before: line.optional(),
  after: line.optional(),
})

function toText({
  id: key,
  path: place,
  title,
  origin: kind,
  text,
  ...lines
}: z.output<typeof textFields>): MemoryText {
  return {
    id: key,
    path: place,
    title,
    origin: kind,
    trust: 'untrusted',
    text,
    startLine: lines.start_line,
    endLine: lines.end_line,
    totalLines: lines.total_lines,
    before: spanIn(lines.before),
    after: spanIn(lines.after),
  }
}

/** Parses `1f3c9a02b7aa:12-40`. */
function spanIn(place: string | undefined): LineSpan | undefined {
  const [, from, to] = /:(\d{1,9})-(\d{1,9})$/.exec(place ?? '') ?? []
  return from === undefined ? undefined : { from: Number(from), to: Number(to) }
}
