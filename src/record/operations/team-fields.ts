import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { plural } from '../../kernel/domain/text.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import type { Given } from '../../operations/context.ts'
import { serverOrigin } from '../../team/domain/server-address.ts'
import type { LinkState } from '../../team/sync-linked.ts'
import type { TeamSync } from '../../team/sync-team.ts'

/** Data a link sends besides the record, for the confirmation prompt. */
export const SEARCHES_TOLD =
  'A search of the memory here asks the team too: its words go there, without secrets, unless team.search is off.'

/** Sync state of a record with its team, for answers. */
export const teamFields = {
  server: z.string(),
  waiting: z.number().describe('Changes here that the team does not have yet.'),
  asked: z.array(z.string()).describe('Conflicts, now open questions for a person.'),
  synced_at: z.string().optional().describe('When the two were last joined.'),
  failure: z.string().optional().describe('Why the last sync did not go well.'),
}

export const teamFacts = (server: string, { waiting, asked, last }: LinkState) => ({
  server,
  waiting,
  asked: [...asked],
  ...(last?.doneAt !== undefined && { synced_at: last.doneAt }),
  ...(last?.failure !== undefined && { failure: last.failure }),
})

type Facts = z.output<z.ZodObject<typeof teamFields>>

export function teamLines({ server, waiting, asked, synced_at: at, failure }: Facts): string[] {
  const when = at === undefined ? 'never synced' : `synced ${at.slice(0, 16).replace('T', ' ')}Z`
  return [
    `${server}, ${when}${waiting === 0 ? '' : `, ${plural(waiting, 'change waits', 'changes wait')} to go there`}`,
    ...(failure === undefined ? [] : [`The last sync failed: ${failure}`]),
    ...askedLines(asked),
  ]
}

const askedLines = (asked: readonly string[]): string[] =>
  asked.length === 0
    ? []
    : [
        `${plural(asked.length, 'question')} from joining the two (\`ken questions\` has the numbers; \`ken add "…" --resolves-questions Q3\` answers one):`,
        ...asked.map((one) => `  ${visibleLine(one)}`),
      ]

export const syncedFields = {
  pulled: z.number().describe('Files that came.'),
  pushed: z.number().describe('Files that went.'),
  renumbered: z
    .array(z.object({ from: z.string(), to: z.string() }))
    .describe('Local decisions with a number that the team already uses.'),
}

export const syncedFacts = ({ pulled, pushed, renumbered }: TeamSync) => ({
  pulled,
  pushed,
  renumbered: renumbered.map((one) => ({ ...one })),
})

export const syncedLines = ({ pulled, pushed, renumbered }: ReturnType<typeof syncedFacts>): string[] => [
  pulled + pushed === 0
    ? 'Both were the same already.'
    : `${plural(pulled, 'file')} came, ${plural(pushed, 'file')} went.`,
  ...renumbered.map(({ from, to }) => `${from} is ${to} now: the team has that number.`),
]

/** The origin of the named server, or of the server in the settings. */
export function serverNamed(ctx: Given, named: string | undefined): string {
  const server = named ?? String(ctx.settings.get('team.server').value)
  if (server !== '') return serverOrigin(server)
  throw new AppError('invalid_input', 'No team server given.', {
    hint: 'Pass --server https://ken.example.com, or set team.server.',
  })
}
