import { z } from 'zod'
import type { AnswerTrust } from '../../kernel/domain/trust/trust.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { strongest } from '../../retrieval/domain/ranking/verdict.ts'
import type { MemoryBrowsing } from '../ports/memory.ts'
import { documentTrust } from './document-trust.ts'
import { asNotesOfOthers, hitFields, searchInput, searchOutput, toResult } from './memory-answer.ts'
import { placeNames } from './place-names.ts'
import { renderResults } from './render-results.ts'
import { scopeOf, whyEmpty } from './search-scope.ts'

const { min_score: _score, ...narrowing } = searchInput

const TRUSTS = ['approved', 'proposed by an agent', 'from the clone', 'compiled', 'learned', 'untrusted'] as const

/** Filters for an answer, the same for its hits and for their counts. */
export const browseInput = {
  ...narrowing,
  query: z.string().max(20_000).default('').describe('The query; default: newest documents.'),
  mode: z.enum(['both', 'words', 'meaning']).default('both'),
  trust: z.array(z.enum(TRUSTS)).optional().describe('Only hits with this trust.'),
}

export const memoryBrowse = defineOperation({
  name: 'memory_browse',
  title: 'Browse the memory',
  summary: 'Search the memory page by page; without a query, newest first.',
  details:
    'Shows the hits of `ken query` page by page. Without a query it lists the scope, newest first. `ken facets` counts the hits by origin.',
  effect: 'read',
  words: 'memory',
  needs: ['memory', 'record'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  positional: ['query'],
  input: {
    ...browseInput,
    offset: z.number().int().min(0).max(100_000).default(0).describe('Hits to skip.'),
  },
  output: {
    ...searchOutput,
    results: z.array(hitFields.extend({ of: z.string().describe('The project or workspace it belongs to.') })),
    query: z.string().describe('The query after spelling correction.'),
    next_offset: z.number().optional().describe('Start of the next page.'),
  },
  examples: [
    { title: 'The newest sessions', input: { origin: ['session'], workspace: 'all' } },
    { title: 'The second page', input: { query: 'queue', limit: 5, offset: 5 } },
  ],
  async run(ctx, input) {
    const scope = await scopeOf(ctx, input)
    const page = await (
      await ctx.memory()
    ).browser.page({
      text: input.query,
      by: input.mode,
      scope,
      from: input.offset,
      limit: input.limit,
      accepts: acceptsTrust(ctx, input.trust),
    })
    const trustOf = documentTrust(ctx)
    const placeOf = await placeNames(ctx)
    const hits = scope.within === undefined ? await asNotesOfOthers(ctx, page.hits) : page.hits
    const now = ctx.clock.now().getTime()
    return {
      results: await Promise.all(
        hits.map(async (one) => ({ ...toResult(one, await trustOf(one), now), of: placeOf(one).name })),
      ),
      verdict: strongest(hits.map(({ verdict }) => verdict)),
      stages: [...page.stages],
      notes: [...page.notes, ...(page.hits.length > 0 || input.offset > 0 ? [] : await whyEmpty(ctx, scope))],
      query: page.text,
      ...(page.pending !== undefined && { vectors_pending: page.pending }),
      ...(page.more && { next_offset: input.offset + page.hits.length }),
    }
  },
  render: (output, input, view) =>
    [
      renderResults(output, { ...input, min_score: undefined }, view),
      ...(output.next_offset === undefined ? [] : [`More: --offset ${output.next_offset}.`]),
    ].join('\n\n'),
})

/** A record may have changed since it was indexed, so the index cannot filter by trust. */
function acceptsTrust(ctx: Given<'record'>, wanted: readonly AnswerTrust[] | undefined): MemoryBrowsing['accepts'] {
  if (wanted === undefined || wanted.length === 0) return undefined
  const trustOf = documentTrust(ctx)
  return async (document) => wanted.includes(await trustOf(document))
}
