import { z } from 'zod'
import { contextHere } from '../../analyst/operations/project-key.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { readTime, TIME_FORMS } from '../../kernel/domain/input/spoken-time.ts'
import { isOfPerson, type Origin } from '../../kernel/domain/origin.ts'
import { ellipsis, plural } from '../../kernel/domain/text.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import { ageOf } from '../../kernel/domain/view/age.ts'
import { table } from '../../kernel/domain/view/table.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { withinOf } from '../../memory/operations/memory-scope.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, NOT_FOR_AGENTS, projectField } from '../../operations/operation.ts'
import { label } from '../domain/decision/decision.ts'
import { QUESTIONS } from '../domain/files.ts'
import { newsOfEvent } from '../domain/journal/news-of-event.ts'
import { parseQuestions } from '../domain/question.ts'
import type { Store } from '../ports/store.ts'
import { trustOf } from '../read-decision.ts'
import { recordHere } from './record-here.ts'

const KINDS = ['decision', 'question', 'state', 'record', 'session', 'sync'] as const
const LONGEST_TITLE = 200
// A page shows five, a full list a few hundred; `ken journal` and `ken browse` show older ones.
const MOST_SESSIONS = 200

const newsRow = z.object({
  at: z.string(),
  kind: z.enum(KINDS),
  did: z.string().describe('The action, e.g. recorded, accepted, resolved, synced.'),
  ref: z.string().optional().describe('D12, Q3, the id of a document of the memory, or the key of a source.'),
  title: z.string(),
  more: z.string().optional().describe('The superseded decision, or the answer to the question.'),
  by: z.string().describe('The agent that did it; a person otherwise.'),
  is_agent: z.boolean(),
  trust: z.string(),
})

type NewsRow = z.output<typeof newsRow>

export const news = defineOperation({
  name: 'news',
  title: 'Changes since then',
  summary: 'List recent decisions, questions, sessions and syncs with their authors.',
  details: 'A summary for someone who was away: changes from the journal, new sessions, and recompiled sources.',
  effect: 'read',
  words: 'brief',
  needs: ['context', 'memory', 'record'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  positional: ['since'],
  input: {
    since: z.string().max(100).default('7d').describe(`Start time. ${TIME_FORMS}`),
    kind: z.array(z.enum(KINDS)).optional().describe('Only these.'),
    limit: z.number().int().min(1).max(1_000).default(20),
    ...projectField,
  },
  output: {
    since: z.string(),
    trust: z.string(),
    news: z.array(newsRow),
    total: z.number(),
    counts: z.partialRecord(z.enum(KINDS), z.number()),
  },
  examples: [
    { title: 'The last week', input: {} },
    { title: 'Decisions since a day', input: { since: '2026-01-31', kind: ['decision'], limit: 5 } },
  ],
  async run(ctx, input) {
    const now = ctx.clock.now().getTime()
    const from = readTime(input.since, now)?.from
    if (from === undefined) throw new AppError('invalid_input', `"${input.since}" is not a time.`, { hint: TIME_FORMS })
    const since = new Date(Math.min(Math.max(from, 0), now)).toISOString()
    const [ofRecord, ofSessions, ofSources] = await Promise.all([
      recordNews(ctx, input.project_id, since),
      sessionNews(ctx, since),
      sourceNews(ctx, since),
    ])
    const all = [...ofRecord, ...ofSessions, ...ofSources]
      .filter(({ kind }) => input.kind === undefined || input.kind.includes(kind))
      .toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
    const counts = Object.entries(Object.groupBy(all, ({ kind }) => kind)).map(([kind, rows]) => [kind, rows.length])
    return {
      since,
      trust: 'as marked',
      news: all.slice(0, input.limit),
      total: all.length,
      counts: Object.fromEntries(counts) as Record<NewsRow['kind'], number>,
    }
  },
  own: ({ since, total }) => (total === 0 ? `Nothing happened since ${since.slice(0, 10)}.` : ''),
  render(output, _input, view = PLAIN) {
    const { total } = output
    const rows = output.news.map(({ at, kind, did, ref, title, more = '', by, trust }) => [
      view.now === undefined ? at.slice(0, 16) : ageOf(at, view.now),
      [kind === 'session' || kind === 'sync' ? '' : (ref ?? ''), title, more && `(${more})`].filter(Boolean).join(' '),
      `${kind} ${did}${by === '' ? '' : ` by ${by}`}`,
      trust === 'approved' ? '' : `[${trust}]`,
    ])
    const rest = total - output.news.length
    return [
      ...table(rows, [{ tone: 'dim' }, { shrinks: true }, { tone: 'dim' }, { tone: 'dim' }], view),
      ...(rest > 0 ? [view.mark('dim', `and ${plural(rest, 'more', 'more')}; --limit shows them`)] : []),
    ].join('\n')
  },
})

async function recordNews(ctx: Given<'record'>, project: string | undefined, since: string): Promise<NewsRow[]> {
  const store = await recordHere(ctx, project)
  if (store === undefined) return []
  const events = (await store.journal()).filter(({ at }) => typeof at === 'string' && at >= since)
  if (events.length === 0) return []
  const name = await namer(store)
  return events.flatMap(({ at, origin, operation, facts }) =>
    newsOfEvent({ operation, facts: facts ?? {} }).map(({ kind, did, ref, others }) => {
      const more = others.map((one) => name(one).ref).filter((one) => one !== undefined)
      return {
        at,
        kind,
        did,
        ...(ref === undefined ? { title: TITLES[kind] ?? '', trust: 'approved' } : name(ref)),
        ...(more.length > 0 && { more: `${kind === 'question' ? 'by' : 'supersedes'} ${more.join(', ')}` }),
        ...whoDid(origin),
      }
    }),
  )
}

const TITLES: Readonly<Partial<Record<NewsRow['kind'], string>>> = { state: 'State', record: 'Record' }

/** Current names of decisions (by stem or number) and questions (by id). */
async function namer(store: Store): Promise<(ref: string) => { ref?: string; title: string; trust: string }> {
  const { decisions } = await store.catalogue()
  const questions = parseQuestions((await store.read(QUESTIONS)) ?? '')
  return (ref) => {
    const entry = decisions.find(({ stem, num }) => stem === ref || String(num) === ref)
    if (entry !== undefined) return { ref: label(entry.num), title: lineOf(entry.title), trust: trustOf(store, entry) }
    const asked = questions.find(({ id }) => id === ref)
    return { ...(asked && { ref: asked.id }), title: lineOf(asked?.body ?? ref), trust: 'approved' }
  }
}

const whoDid = (origin: Origin | undefined): Pick<NewsRow, 'by' | 'is_agent'> => {
  const isAgent = origin === undefined || !(isOfPerson(origin) || BY_KEN.has(origin.surface))
  const { client, user } = origin ?? {}
  const agent = [client ?? 'an agent', ...(user === undefined ? [] : ['for', user])].join(' ')
  return { by: lineOf(isAgent ? agent : (user ?? '')), is_agent: isAgent }
}

/** Automatic steps of Ken that follow from a person's request. */
const BY_KEN: ReadonlySet<string> = new Set(['merge', 'repair', 'import', 'recovery'])

async function sessionNews(ctx: Given<'memory'>, since: string): Promise<NewsRow[]> {
  const memory = await ctx.memory()
  const within = await withinOf(ctx, undefined)
  const { hits } = await memory.browser.page({
    text: '',
    by: 'words',
    scope: { within, origins: ['session'], since: Date.parse(since) },
    from: 0,
    limit: MOST_SESSIONS,
  })
  return Promise.all(
    hits.map(async ({ id, title, modified, trust }) => {
      const document = (await memory.browser.session(id, within))?.session
      return {
        at: document?.ended ?? modified.toISOString(),
        kind: 'session' as const,
        did: 'held',
        ref: id,
        title: lineOf(title),
        by: lineOf(document?.client ?? 'an agent'),
        is_agent: true,
        trust,
      }
    }),
  )
}

async function sourceNews(ctx: Given<'context'>, since: string): Promise<NewsRow[]> {
  const project = await contextHere(ctx)
  if (project === undefined) return []
  const bySource = Map.groupBy((await project.tree.load()).values(), ({ source }) => source)
  return project.sources.flatMap(({ key: source, name }) => {
    const entries = bySource.get(source) ?? []
    const fetched = entries.flatMap(({ files }) => files.map(({ fetched_at: at }) => at)).filter((at) => at >= since)
    const at = fetched.toSorted().at(-1)
    if (at === undefined) return []
    const isDatabase = source.startsWith('database/')
    const items = entries.filter(
      ({ files, table: compiled }) =>
        (!isDatabase || compiled !== undefined) && files.some(({ fetched_at }) => fetched_at >= since),
    ).length
    const thing = isDatabase ? 'table' : 'item'
    return [
      {
        at,
        kind: 'sync' as const,
        did: 'synced',
        ref: source,
        title: lineOf(name),
        more: plural(items, thing),
        by: '',
        is_agent: false,
        trust: 'compiled',
      },
    ]
  })
}

const lineOf = (text: string): string => ellipsis(visibleLine(text), LONGEST_TITLE)
