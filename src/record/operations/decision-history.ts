import { z } from 'zod'
import { ellipsis } from '../../kernel/domain/text.ts'
import { dated } from '../../kernel/domain/view/age.ts'
import { markDiff } from '../../kernel/domain/view/mark-diff.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { defineOperation, NOT_FOR_AGENTS, projectField } from '../../operations/operation.ts'
import { changeOf, decisionEvents, type DecisionEvent } from '../decision-events.ts'
import { label } from '../domain/decision/decision.ts'
import { readNamed } from '../named-decision.ts'
import { noSuchDecision, trustOf } from '../read-decision.ts'
import { asOfField, asOfOf, asOfOutput, describeAsOf } from './as-of-field.ts'
import { recordFields, trustField, whose } from './record-fields.ts'

const MOST_CHANGES = 30
const LONGEST_CHANGE = 20_000

const event = z.object({
  id: z.string(),
  at: z.string(),
  operation: z.string(),
  what: z.enum(['recorded', 'replaced', 'added to', 'edited', 'accepted', 'taken back', 'removed', 'changed']),
  surface: z.string(),
  client: z.string().optional(),
  user: z.string().optional(),
  session: z.string().optional(),
  commit: z.string().optional().describe('Commit of the repository.'),
  diff: z.string().optional().describe('Changes to its text.'),
})

type Event = z.output<typeof event>

export const decisionHistory = defineOperation({
  name: 'decision_history',
  title: 'History of a decision',
  summary: 'Show who recorded, changed and accepted a decision, newest first.',
  details: `From the journal, with what changed in its text where a snapshot or git still holds both texts (\`--no-diffs\` leaves that out;
the newest ${MOST_CHANGES} changes are compared). Questions that it resolved are named.`,
  effect: 'read',
  words: 'record',
  needs: ['record'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  positional: ['number'],
  input: {
    number: z.number().int().min(0).describe('Its number, e.g. 12.'),
    diffs: z.boolean().default(true).describe('Include text diffs.'),
    ...asOfField,
    ...projectField,
  },
  output: {
    ...recordFields,
    ...asOfOutput,
    number: z.number(),
    title: z.string(),
    status: z.string(),
    decision_trust: trustField,
    events: z.array(event),
  },
  examples: [
    { title: 'The first', input: { number: 1 } },
    { title: 'Only who and when', input: { number: 1, diffs: false } },
  ],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id, { asOf: input.as_of })
    const catalogue = await store.catalogue()
    const entry = readNamed(catalogue, input.number)?.entry
    if (entry === undefined) throw noSuchDecision(input.number, catalogue, store.asOf)
    const told = (await decisionEvents(store, entry)).reverse()
    const events: Event[] = []
    for (const [at, one] of told.entries()) {
      const diff = input.diffs && at < MOST_CHANGES ? await changeOf(store, entry, one) : undefined
      events.push({ ...factsOf(one), ...(diff && { diff: ellipsis(diff, LONGEST_CHANGE) }) })
    }
    const trust = trustOf(store, entry)
    return {
      ...whose(store, [{ trust }]),
      ...asOfOf(store),
      number: entry.num,
      title: entry.title,
      status: entry.status,
      decision_trust: trust,
      events,
    }
  },
  own: describeAsOf,
  render(output, _input, view = PLAIN) {
    const head = `${view.mark('title', label(output.number))} ${output.title} (${output.status})`
    if (output.events.length === 0) return `${head}\nThe journal tells nothing of it: it was there before.`
    const blocks = output.events.map((one) =>
      [
        `${view.mark('dim', dated(one.at.slice(0, 19), view))}  ${one.what}  ${view.mark('dim', byWhom(one))}`,
        ...(one.diff === undefined ? [] : [markDiff(one.diff, view)]),
      ].join('\n'),
    )
    return [head, '', ...blocks].join('\n')
  },
})

const byWhom = ({ surface, client, user, commit }: Event): string =>
  [surface, client, user, commit && `at ${commit.slice(0, 7)}`].filter(Boolean).join(' ')

function factsOf(told: DecisionEvent): Omit<Event, 'diff'> {
  const { id, at, operation, origin, facts } = told.event
  const text = (name: string, value: unknown) => (typeof value === 'string' && value !== '' ? { [name]: value } : {})
  return {
    id,
    at,
    operation,
    what: whatOf(told),
    // A journal from elsewhere may have lines without an origin.
    surface: origin?.surface ?? 'unknown',
    ...text('client', origin?.client),
    ...text('user', origin?.user),
    ...text('session', origin?.session),
    ...text('commit', facts?.['base_commit']),
  }
}

function whatOf({ event: { operation }, before, after }: DecisionEvent): Event['what'] {
  if (operation === 'undo') return 'taken back'
  if (operation === 'accept') return before === after ? 'accepted' : 'edited'
  if (before === undefined) return 'recorded'
  if (after === undefined) return 'removed'
  if (operation === 'supersede_decision') return 'replaced'
  return operation === 'update_decision' ? 'added to' : 'changed'
}
