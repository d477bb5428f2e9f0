import { AppError } from '../../kernel/domain/errors.ts'
import { fieldNamed, operationNamed } from '../../kernel/domain/named-operation.ts'
import { ellipsis } from '../../kernel/domain/text.ts'
import { visible, visibleLine } from '../../kernel/domain/trust/visible.ts'
import { memoryQuery } from '../../memory/operations/memory-search.ts'
import { call } from '../../operations/call.ts'
import type { Given } from '../../operations/context.ts'
import { decisionNumber } from '../../record/domain/decision/decision-id.ts'
import { checkDecision } from '../../record/operations/check-decision.ts'
import type { RelatedDecision } from '../../record/related-decision.ts'
import type { ORIGINS } from '../../retrieval/domain/ranking/indexed-document.ts'
import { caseName } from '../domain/case-text.ts'
import { hitsNamed, type RankedHit } from './hits-named.ts'
import type { Recorded, RecordOptions } from './record-chat.ts'

export interface SearchToRecord {
  readonly query: string
  readonly mode: 'both' | 'words' | 'meaning'
  readonly origin?: readonly (typeof ORIGINS)[number][] | undefined
  readonly want: readonly string[]
  readonly at: number
}

/** Number of hits expected if none are named; more would test the order of the rest. */
const MOST_WANTED = 3
const MOST_SHOWN = 5

/** Turns a search into a case: the named hits, or its current strong hits, must stay among the first. */
export async function recordSearch(
  ctx: Given<'memory' | 'record'>,
  search: SearchToRecord,
  options: RecordOptions,
): Promise<Recorded> {
  const { query, mode, origin, at } = search
  const { output } = await call({ ...ctx, teamMemory: undefined }, memoryQuery, {
    query,
    mode,
    limit: at,
    ...(origin && { origin }),
  })
  const hits = output['results'] as readonly FoundHit[]
  const root = await rootHere(ctx)
  const strong = hits.filter(({ verdict }) => verdict === 'strong').slice(0, MOST_WANTED)
  const wanted = search.want.length > 0 ? search.want : [...new Set(strong.map((hit) => nameOf(hit, root)))]
  if (wanted.length === 0)
    throw new AppError('invalid_input', 'No hit is strong enough to be expected by default.', {
      hint:
        hits.length === 0
          ? 'No hits at all. Is it indexed?'
          : `Set the expected hits with ${fieldNamed('want')}: ${hits
              .slice(0, MOST_SHOWN)
              .map((hit) => nameOf(hit, root))
              .join(', ')}.`,
    })
  const named = await hitsNamed(ctx, wanted)
  const unknown = named.find(({ isKnown }) => !isKnown)
  if (unknown !== undefined)
    throw new AppError(
      'not_found',
      `No file or symbol named "${visibleLine(unknown.name).slice(0, 100)}" in the index.`,
      {
        hint: `Use an id or path from ${operationNamed('memory_query')}, or a decision number, e.g. D12.`,
      },
    )
  const missed = named.filter(({ isMeant }) => !hits.some(isMeant)).map(({ name }) => name)
  return {
    written: {
      about: `Recorded on ${dayOf(ctx)}.`,
      fields: {
        name: options.name ?? caseName(query, options.taken),
        kind: 'retrieval',
        ...tagged(options),
        query: visible(query).trim(),
        ...(mode !== 'both' && { mode }),
        ...(origin !== undefined && { origin: [...origin] }),
        wanted: wanted.map(visible),
        ...(at !== USUAL && { at }),
      },
      quotes: [
        {
          title: 'What it found then, the best first:',
          text: hits
            .slice(0, MOST_SHOWN)
            .map((hit, i) => `${i + 1}. ${nameOf(hit, root)} (${hit.verdict}) ${ellipsis(visibleLine(hit.title), 80)}`)
            .join('\n'),
        },
      ],
    },
    notes: missed.map((name) => `${name} is not among the first ${at} now: the case fails until it is.`),
  }
}

/** Default number of hits a case checks. */
export const USUAL = 10

interface FoundHit extends RankedHit {
  readonly verdict: string
}

/** Name that also works on another machine, if possible. */
function nameOf({ id, origin, path }: RankedHit, root: string | undefined): string {
  const slashed = path.replaceAll('\\', '/')
  const number = origin === 'decision' ? decisionNumber(slashed.split('/').at(-1)!) : undefined
  if (number !== undefined) return `D${number}`
  return root !== undefined && slashed.startsWith(`${root}/`) ? slashed.slice(root.length + 1) : id
}

const rootHere = async (ctx: Given<'record'>): Promise<string | undefined> =>
  ((await ctx.repository())?.root ?? ctx.workspaces.rootOf(ctx.cwd)).replaceAll('\\', '/').replace(/\/$/, '')

/** Turns a check into a case: its current result for a proposal must stay the same. */
export async function recordCheck(ctx: Given, proposal: string, options: RecordOptions): Promise<Recorded> {
  const { output } = await call(ctx, checkDecision, { proposed_approach: proposal })
  const { verdict, related_decisions, returns_to } = output as unknown as {
    readonly verdict: string
    readonly related_decisions: readonly RelatedDecision[]
    readonly returns_to: readonly RelatedDecision[]
  }
  const shown = [...related_decisions, ...returns_to]
  const sure = shown.filter((one) => one.verdict === 'strong' || one.brings_back !== undefined)
  const meant = (sure.length > 0 ? sure : shown.filter((one) => one.verdict === 'related')).slice(0, MOST_WANTED)
  const surfaces = [...new Set(meant.flatMap(({ id }) => decisionNumber(id) ?? []))]
  const rejected = [...new Set(shown.flatMap(({ brings_back }) => brings_back?.alternative ?? []))]
  return {
    written: {
      about: `Recorded on ${dayOf(ctx)}.`,
      fields: {
        name: options.name ?? caseName(proposal, options.taken),
        kind: 'decision',
        ...tagged(options),
        proposal: visible(proposal).trim(),
        ...(surfaces.length > 0 && { surfaces }),
        verdict,
        ...(rejected.length > 0 && { rejected: rejected.map(visible) }),
      },
      quotes: [
        {
          title: 'What it showed then:',
          text: shown
            .slice(0, MOST_SHOWN)
            .map((one) => `${one.id} ${visibleLine(one.title)} (${one.verdict})`)
            .join('\n'),
        },
      ],
    },
    notes: [],
  }
}

const tagged = ({ tags }: RecordOptions) => (tags.length > 0 ? { tags: [...tags] } : {})

const dayOf = (ctx: Given): string => ctx.clock.now().toISOString().slice(0, 10)
