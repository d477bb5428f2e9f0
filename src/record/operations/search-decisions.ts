import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { plural } from '../../kernel/domain/text.ts'
import { snippetAround } from '../../kernel/domain/text/snippet.ts'
import { trustMark } from '../../kernel/domain/trust/trust.ts'
import { dated } from '../../kernel/domain/view/age.ts'
import { wordMarker } from '../../kernel/domain/view/mark-words.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { fitWidth } from '../../kernel/domain/view/width.ts'
import { defineOperation, forPeople, projectField } from '../../operations/operation.ts'
import { label } from '../domain/decision/decision.ts'
import { readDecision, trustOf } from '../read-decision.ts'
import { shownHits, verdictField } from '../related-decision.ts'
import { asOfField, asOfOf, asOfOutput, describeAsOf } from './as-of-field.ts'
import { decisionFilter, decisionFilters, isFiltered, UNLISTED_FILTERS } from './decision-filters.ts'
import { recordFields, trustField, whose } from './record-fields.ts'
import { VERDICT_TONES } from './render-related.ts'

export const searchDecisions = defineOperation({
  name: 'search_decisions',
  title: 'Search decisions',
  summary: `Find the decision on a subject, with its reason: why we chose something, what we decided about it. Returns ids and snippets. Before choosing: ${operationNamed('check_decision')}.`,
  forPeople: 'Search decisions by words and meaning, best first.',
  searchHint: 'why, reasoning, rationale, picked',
  effect: 'read',
  words: 'record',
  needs: ['record'],
  onServer: {},
  positional: ['query'],
  unlisted: [...UNLISTED_FILTERS, 'as_of'],
  input: {
    query: z.string().max(10_000).meta(forPeople('What to look for.')),
    limit: z.number().int().min(1).max(100).default(10),
    include_superseded: z.boolean().default(false),
    ...decisionFilters,
    ...asOfField,
    ...projectField,
  },
  output: {
    ...recordFields,
    ...asOfOutput,
    results: z.array(
      z.object({
        number: z.number(),
        title: z.string(),
        date: z.string(),
        status: z.string(),
        trust: trustField,
        relevance_snippet: z.string(),
        score: z.number(),
        verdict: verdictField,
      }),
    ),
    total: z.number().describe('Decisions searched.'),
    unreadable: z.number().describe('Decision files that could not be read.'),
  },
  examples: [{ title: 'A word', input: { query: 'authentication', limit: 10 } }],
  async run(ctx, input) {
    if (input.query.trim() === '') throw new AppError('invalid_input', 'The query is empty.', { hint: 'Pass a query.' })
    const store = await ctx.record(input.project_id, { asOf: input.as_of })
    const among = input.include_superseded || input.status === 'superseded' ? 'all' : 'active'
    const ranking = await store.rank({
      text: input.query,
      limit: input.limit,
      among,
      check: false,
      ...(isFiltered(input) && { where: decisionFilter(store, input) }),
    })
    const { decisions, unreadable } = await store.catalogue()
    const results = await Promise.all(
      shownHits(ranking)
        .slice(0, input.limit)
        .map(async (hit) => ({
          number: hit.entry.num,
          title: hit.entry.title,
          date: hit.entry.date,
          status: hit.entry.status,
          trust: trustOf(store, hit.entry),
          relevance_snippet: snippetAround((await readDecision(store, hit.entry.stem))?.rationale ?? '', input.query),
          score: hit.score,
          verdict: hit.verdict,
        })),
    )
    return {
      ...whose(store, results),
      ...asOfOf(store),
      results,
      total: decisions.filter((d) => among === 'all' || d.status === 'active').length,
      unreadable: unreadable.length,
    }
  },
  own: describeAsOf,
  render(output, input, view = PLAIN) {
    if (output.results.length === 0) return `No decision matches "${input.query}".`
    const marked = wordMarker(input.query, view)
    const rows = output.results.map((r) => {
      const mark = trustMark(r.trust)
      const facts = [
        view.mark(VERDICT_TONES[r.verdict], r.verdict),
        r.status,
        `decided ${dated(r.date, view)}`,
        r.score === 0 && 'by meaning',
        view.verbose && r.score > 0 && `BM25 ${r.score.toFixed(2)}`,
      ].filter(Boolean)
      return [
        `${view.mark('title', label(r.number))}  ${marked(fitWidth(r.title, view.width - 6 - mark.length))}${view.mark('warning', mark)}`,
        `      ${facts.join(' · ')}`,
        `      "${marked(fitWidth(r.relevance_snippet, view.width - 8))}"`,
      ].join('\n')
    })
    return [
      `${plural(output.results.length, 'match', 'matches')} among ${plural(output.total, 'decision')} for "${input.query}":`,
      ...rows,
    ].join('\n')
  },
})
