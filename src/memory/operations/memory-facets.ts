import { z } from 'zod'
import { table } from '../../kernel/domain/view/table.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { scopeFilter, type SearchScope } from '../../retrieval/domain/ranking/indexed-document.ts'
import { isTold } from '../../retrieval/domain/ranking/verdict.ts'
import type { FoundDocument } from '../ports/memory.ts'
import { documentTrust } from './document-trust.ts'
import { browseInput } from './memory-browse.ts'
import { placeNames } from './place-names.ts'
import { isPlainTag, scopeOf } from './search-scope.ts'

/** Number of hits counted; without a query, all documents. */
const COUNTED = 500
const MOST_VALUES = 30
const DAY = 24 * 60 * 60 * 1000
const PERIODS = { '1d': 1, '7d': 7, '30d': 30, '365d': 365 } as const

const { limit: _limit, ...narrowing } = browseInput

const facet = z.array(z.object({ value: z.string(), count: z.number(), name: z.string().optional() }))

export const memoryFacets = defineOperation({
  name: 'memory_facets',
  title: 'Count hits',
  summary: 'Count search hits by origin, workspace, collection, tag, age and trust.',
  details: `Each count is what a search finds that is narrowed by all the rest and by that value. Of the best ${COUNTED} hits those that are strong or related count, and all of them where every one is weak; without a query everything in the scope does.`,
  effect: 'read',
  words: 'own',
  needs: ['memory', 'record'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  positional: ['query'],
  input: narrowing,
  output: {
    origin: facet,
    workspace: facet,
    collection: facet,
    tags: facet,
    since: facet,
    trust: facet,
    counted: z.number().describe('Hits in the whole scope.'),
    cut: z.boolean().describe('There are more than were counted.'),
  },
  examples: [{ title: 'Mentions of the queue', input: { query: 'queue' } }],
  async run(ctx, input) {
    const scope = await scopeOf(ctx, input)
    const memory = await ctx.memory()
    const trustOf = documentTrust(ctx)
    const survey = async (within: SearchScope['within']) => {
      const found = await memory.browser.survey({
        text: input.query,
        by: input.mode,
        scope: { within },
        limit: COUNTED,
      })
      const rows = telling(found).map(async (one): Promise<Row> => ({ ...one, believed: await trustOf(one) }))
      return { rows: await Promise.all(rows), isCut: input.query.trim() !== '' && found.length >= COUNTED }
    }
    const { rows, isCut } = await survey(scope.within)
    const everywhere = scope.within === undefined ? rows : (await survey(undefined)).rows
    const placeOf = await placeNames(ctx)
    const now = ctx.clock.now().getTime()
    const left = (without: Narrowing, of = rows) => of.filter(allows(scope, input.trust, without))
    return {
      origin: counted(left('origins').map(({ origin }) => origin)),
      workspace: counted(left('within', everywhere).map((row) => placeOf(row).value)).map((one) => ({
        ...one,
        name: placeOf.nameOf(one.value),
      })),
      collection: counted(left('collections').map(({ collection }) => collection)),
      tags: counted(left('tags').flatMap(({ tags }) => [...new Set(tags)].filter(isPlainTag))),
      since: Object.entries(PERIODS).map(([value, days]) => ({
        value,
        count: left('since').filter(({ modified }) => modified >= now - days * DAY).length,
      })),
      trust: counted(left('trust').map(({ believed }) => believed)),
      counted: rows.filter(allows(scope, input.trust)).length,
      cut: isCut,
    }
  },
  render(output, _input, view = PLAIN) {
    const { counted: hits, cut, ...facets } = output
    const rows = Object.entries(facets).flatMap(([title, values]) =>
      Array.isArray(values) ? values.map(({ value, name, count }) => [title, name ?? value, String(count)]) : [],
    )
    return [
      `${hits}${cut ? ' or more' : ''} in all.`,
      ...table(rows, [{ tone: 'dim' }, { shrinks: true }, { align: 'right' }], view, '  '),
    ].join('\n')
  },
})

type Narrowing = keyof SearchScope | 'trust'

interface Row extends FoundDocument {
  readonly believed: string
}

function telling(found: readonly FoundDocument[]): readonly FoundDocument[] {
  const good = found.filter(({ verdict }) => isTold(verdict))
  return good.length > 0 ? good : found
}

/** Applies all filters except `without`. */
function allows(scope: SearchScope, trust: readonly string[] | undefined, without?: Narrowing): (row: Row) => boolean {
  const isInside = scopeFilter(without === undefined ? scope : { ...scope, [without]: undefined })
  return (row) =>
    isInside(row) && (without === 'trust' || trust === undefined || trust.length === 0 || trust.includes(row.believed))
}

function counted(values: readonly string[]): { value: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, MOST_VALUES)
}
