import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { redactSecrets } from '../../kernel/domain/secrets/redact.ts'
import { ellipsis, head, plural } from '../../kernel/domain/text.ts'
import { PLAIN, type View } from '../../kernel/domain/view/view.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { sessionFacts } from '../domain/session/facts.ts'
import { sessionTurns, turnAtLine, turnsHolding, type SessionTurn } from '../domain/session/session-turns.ts'
import type { MemorySession } from '../ports/memory.ts'
import { factLines, factsOfSession, toFacts } from './fact-fields.ts'
import { sameWorkspaceField, withinOf } from './memory-scope.ts'

/** Longer turns are pasted logs; `whole` returns them in full. */
const LONGEST_TURN = 8_000
const MOST_DECISIONS = 50

const turn = z.object({
  number: z.number().describe('From 1.'),
  role: z.enum(['user', 'assistant', 'summary']),
  at: z.string(),
  text: z.string(),
  cut: z.number().optional().describe('Characters that were left out.'),
  tools: z.array(z.object({ name: z.string(), ok: z.boolean().nullable(), detail: z.string().optional() })),
  files: z.array(z.string()),
  images: z.number(),
  queued: z.boolean(),
  aborted: z.boolean(),
  line: z.number(),
  end_line: z.number(),
})

export const sessionShow = defineOperation({
  name: 'session_show',
  title: 'Read a session',
  summary: 'Show a session: its facts, then each turn with its tool calls.',
  details:
    'Takes the id from a search, the agent’s session id, or `last`. With a line, or an id that ends in one, it starts at that turn; --find lists the turns that contain the words, in any form.',
  effect: 'read',
  words: 'memory',
  needs: ['machine', 'memory', 'record'],
  hiddenFrom: NOT_FOR_AGENTS,
  positional: ['id'],
  input: {
    id: z.string().min(1).max(4096).describe('Id or path of a hit, the id of the session, or last.'),
    from: z.number().int().min(1).optional().describe('First turn to show; default: the turn of --line, or the first.'),
    count: z.number().int().min(0).max(200).default(50),
    line: z.number().int().min(1).optional().describe('Start at this line of the session file.'),
    find: z.string().max(2_000).optional().describe('Only turns that contain these words.'),
    whole: z.boolean().default(false).describe(`Show whole turns, also beyond ${LONGEST_TURN} characters.`),
    ...sameWorkspaceField,
  },
  output: {
    id: z.string(),
    path: z.string(),
    session: z.string(),
    client: z.string(),
    kind: z.string(),
    title: z.string(),
    started: z.string(),
    ended: z.string(),
    project: z.string().optional(),
    branch: z.string().optional(),
    version: z.string().optional(),
    parent: z.string().optional(),
    trust: z.string(),
    total: z.number().describe('Turns of the session.'),
    at: z.number().describe('The turn that was asked for by its line; else the first one given.'),
    done: factsOfSession.optional().describe('Facts of the session; left out with a range.'),
    turns: z.array(turn),
    hits: z.array(z.number()).describe('The turns that match the query.'),
    decisions: z
      .array(z.object({ number: z.number(), title: z.string() }))
      .describe('Decisions of this record that it names; omitted with a range.'),
  },
  examples: [{ title: 'The last one', input: { id: 'last', count: 10, workspace: 'all' } }],
  async run(ctx, input) {
    const found = await sessionNamed(ctx, input.id, input.workspace)
    const { session } = found
    const turns = sessionTurns(session)
    const line = input.line ?? found.line
    const at = (line === undefined ? 0 : turnAtLine(turns, line)) + 1
    const from = input.from ?? at
    return {
      id: found.id,
      path: found.path,
      session: session.session,
      client: session.client,
      kind: session.kind,
      title: session.title ?? 'Untitled session',
      started: session.started,
      ended: session.ended,
      ...(session.project !== null && { project: session.project }),
      ...(session.branch !== null && { branch: session.branch }),
      ...(session.version !== null && { version: session.version }),
      ...(session.parent !== null && { parent: session.parent }),
      trust: found.trust,
      total: turns.length,
      at: line === undefined ? from : at,
      ...(input.from === undefined && { done: toFacts(sessionFacts(turns), session) }),
      turns: turns
        .slice(from - 1, from - 1 + input.count)
        .map((one, index) => toTurn(one, from + index, input.whole ? Infinity : LONGEST_TURN)),
      hits: input.find === undefined ? [] : turnsHolding(turns, input.find).map((index) => index + 1),
      // Skipped for ranges, which are frequent: it reads the whole session.
      decisions: input.from === undefined ? await decisionsNamedIn(ctx, turns) : [],
    }
  },
  render(output, _input, view = PLAIN) {
    const last = output.turns.at(-1)?.number ?? 0
    const shown = output.turns.length === 0 ? 'none of them shown' : `${output.turns[0]!.number} to ${last} shown`
    return [
      `${view.mark('title', output.title)}\n${output.client}, ${output.started.slice(0, 16).replace('T', ' ')}; ${plural(output.total, 'turn')}, ${shown}.`,
      ...(output.done === undefined ? [] : [doneLines(output.done, view)]),
      ...(output.hits.length > 0
        ? [`Found in: ${output.hits.slice(0, 40).join(', ')}${output.hits.length > 40 ? ' …' : ''}.`]
        : []),
      ...output.turns.map((one) => renderTurn(one, view)),
      ...(last > 0 && last < output.total ? [`More: --from ${last + 1}.`] : []),
    ].join('\n\n')
  },
  isPaged: () => true,
})

function doneLines(done: z.output<typeof factsOfSession>, view: View): string {
  const asked = done.first_ask === undefined ? [] : [`Asked: ${ellipsis(done.first_ask.text, 120)}`]
  const end = done.ended === 'answered' ? '' : `, ${done.ended}`
  return [...asked, ...factLines(done, { view }), `Time: ${done.minutes} min${end}`].join('\n')
}

/** Redacts before cutting: half a secret is not recognised. */
function toTurn(one: SessionTurn, number: number, longest: number): z.output<typeof turn> {
  const { role, at, tools, files, images, queued, aborted, line, endLine } = one
  const clean = redactSecrets(one.text).text
  const text = head(clean, longest)
  return {
    number,
    role,
    at,
    text,
    ...(text.length < clean.length && { cut: clean.length - text.length }),
    tools: tools.map(({ name, ok, detail }) => ({ name, ok, ...(detail !== undefined && { detail }) })),
    files: [...files],
    images,
    queued,
    aborted,
    line,
    end_line: endLine,
  }
}

async function sessionNamed(
  ctx: Given<'machine' | 'memory'>,
  id: string,
  workspace: string | undefined,
): Promise<MemorySession> {
  const memory = await ctx.memory()
  const within = await withinOf(ctx, workspace)
  const wanted = id.trim() === 'last' ? await lastSession(ctx, within) : id.trim()
  const found = wanted === undefined ? undefined : await memory.browser.session(wanted, within)
  if (found !== undefined) return found
  const { archive } = await ctx.upkeep()
  const known = (await archive.list()).find(({ session, fileId }) => session === wanted || fileId === wanted)
  const archived = known && (await memory.browser.session(`${archive.root}/${known.path}`, within))
  if (archived !== undefined) return archived
  throw new AppError('not_found', `No session "${ellipsis(id, 200)}" in this workspace.`, {
    hint: `Use the id or path of a hit and the workspace of the search; ${operationNamed('memory_get')} reads other documents.`,
  })
}

async function lastSession(
  ctx: Given<'memory'>,
  within: Awaited<ReturnType<typeof withinOf>>,
): Promise<string | undefined> {
  const { hits } = await (
    await ctx.memory()
  ).browser.page({ text: '', by: 'words', scope: { within, origins: ['session'] }, from: 0, limit: 1 })
  return hits[0]?.id
}

/** The decisions that a session mentions, such as `D12`; ignores numbers that are not in the record. */
async function decisionsNamedIn(
  ctx: Given<'record'>,
  turns: readonly SessionTurn[],
): Promise<{ number: number; title: string }[]> {
  const named = new Set<number>()
  for (const { text } of turns) for (const [, digits] of text.matchAll(/\bD(\d{1,6})\b/g)) named.add(Number(digits))
  if (named.size === 0) return []
  const store = await ctx.record().catch(() => undefined)
  const catalogue = await store?.catalogue().catch(() => undefined)
  return (catalogue?.decisions ?? [])
    .filter(({ num }) => named.has(num))
    .slice(0, MOST_DECISIONS)
    .map(({ num, title }) => ({ number: num, title }))
}

function renderTurn(one: z.output<typeof turn>, view: View): string {
  const marks = [
    one.at.slice(0, 16).replace('T', ' '),
    ...(one.aborted ? ['aborted'] : []),
    ...(one.queued ? ['queued'] : []),
  ]
  const outcome = (ok: boolean | null): string => (ok === null ? 'unanswered' : ok ? 'ok' : 'failed')
  return [
    `${view.mark('title', `${one.number}. ${one.role}`)} ${view.mark('dim', marks.join(' · '))}`,
    ...one.tools.map(({ name, detail, ok }) =>
      view.mark('dim', `  ${name}${detail === undefined ? '' : `: ${detail}`} (${outcome(ok)})`),
    ),
    one.text,
    ...(one.cut === undefined ? [] : [view.mark('dim', `(${one.cut} more characters; --whole shows them)`)]),
  ].join('\n')
}
