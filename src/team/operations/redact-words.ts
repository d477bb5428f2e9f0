import { z } from 'zod'
import { plural } from '../../kernel/domain/text.ts'
import { defineOperation, NOT_FOR_AGENTS, projectField } from '../../operations/operation.ts'
import { planRedaction, proveRedaction, redactRecord } from '../../record/redact.ts'
import { wordsRedactor } from '../../record/words-redactor.ts'
import { hostedProject, projectOf } from './hosted-project.ts'

const ELSEWHERE = [
  'Machines that are linked to this project keep their copy: their next sync is refused with the steps to fetch the record again.',
  'Backups taken before keep it until they expire: delete them, or repeat this after a restore.',
  'Personal chats, stories and memories were not searched.',
]

export const redactWords = defineOperation({
  name: 'redact_words',
  title: 'Remove words from a record',
  summary: 'Remove a name, a word or a passage from a record and all of its past.',
  details:
    'Rewrites files, earlier texts, file names, journal and snapshots in one transaction; matches whole words in any case. The journal gets an event without the words, and its chain is sealed again, so that `verify` finds no problem. Afterwards every stored text of the record is searched again. Without `confirmed` it only shows where the words are. It cannot be undone.',
  effect: 'write',
  isRepeatable: true,
  destructive: true,
  words: 'own',
  needs: ['record', 'team'],
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  exact: true,
  asGiven: true,
  input: {
    words: z.array(z.string().min(2).max(500)).min(1).max(50).describe('Names, words or passages.'),
    confirmed: z.boolean().default(false).describe('Remove the words. Without it nothing changes.'),
    ...projectField,
  },
  output: {
    ...hostedProject,
    outcome: z.enum(['none', 'shown', 'redacted']),
    places: z
      .array(z.object({ path: z.string(), words: z.number() }))
      .describe('Where they were, including earlier texts.'),
    rewritten: z.number().describe('Files that were rewritten or renamed.'),
    searched: z.number().describe('Texts searched afterwards.'),
    left: z.array(z.string()).describe('Texts that still contain a word; empty is the proof.'),
    shared: z.array(z.object({ table: z.string(), rows: z.number() })).describe('Other rows of the project.'),
    at: z.string(),
    event: z.string().optional().describe('Id of the event in the journal.'),
    elsewhere: z.array(z.string()).describe('Other places that may still contain the words, and what to do.'),
  },
  examples: [{ title: 'Find where a name occurs', input: { words: ['Ada Byron'] } }],
  async run(ctx, { words, confirmed, project_id }) {
    const store = await ctx.record(project_id)
    const redactor = wordsRedactor(words)
    const plan = await planRedaction(store, redactor)
    const places = [...plan.places].map(([path, count]) => ({ path: plan.rename(path), words: count }))
    const shown = {
      ...projectOf(store),
      places,
      rewritten: 0,
      searched: 0,
      left: [],
      shared: [...(await ctx.team.mentions(store.project.id, words))],
      at: ctx.clock.now().toISOString(),
      elsewhere: ELSEWHERE,
    }
    if (places.length === 0) return { ...shown, outcome: 'none' as const }
    if (!confirmed) return { ...shown, outcome: 'shown' as const }
    const { files } = await redactRecord(ctx, store, plan)
    const { searched, left } = await proveRedaction(store, redactor, plan.lookFor)
    const event = (await store.journal()).findLast(({ operation }) => operation === 'redact')?.id
    const done = { outcome: 'redacted' as const, rewritten: files.length, searched, left: [...left] }
    return { ...shown, ...done, ...(event !== undefined && { event }) }
  },
  render({ project, outcome, places, rewritten, searched, left, shared, at, event, elsewhere }) {
    if (outcome === 'none' && shared.length === 0) return `None of the words is in ${project.name}.`
    const count = places.reduce((sum, { words }) => sum + words, 0)
    const head =
      outcome === 'redacted'
        ? [
            `Certificate: on ${at} ${plural(count, 'word')} were taken out of ${project.name}, and ${plural(rewritten, 'file')} rewritten (event ${event}).`,
            `Searched ${plural(searched, 'text')} afterwards: ${left.length === 0 ? 'none is left' : `left in ${left.join(', ')}`}.`,
          ]
        : [`${plural(count, 'word')} in ${plural(places.length, 'place')}. Nothing was changed.`]
    return [
      ...head,
      ...places.map(({ path, words }) => `  ${path}: ${words}`),
      ...shared.map(({ table, rows }) => `  beside the record: ${plural(rows, 'row')} of ${table}`),
      ...elsewhere,
    ].join('\n')
  },
})
