import { z } from 'zod'
import { PERSONAL_KINDS } from '../../context/domain/personal/kinds.ts'
import type { ContextProject } from '../../context/ports/context-project.ts'
import { REDACTED_KINDS } from '../../kernel/domain/secrets/redacted-kinds.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import { table } from '../../kernel/domain/view/table.ts'
import { PLAIN, type View } from '../../kernel/domain/view/view.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, FOR_PEOPLE } from '../../operations/operation.ts'

const output = {
  recipients: z
    .array(
      z.object({
        what: z.string(),
        name: z.string(),
        host: z.string().optional().describe('Missing if a coding agent decides it, or it is not set.'),
        here: z.boolean().describe('It answers on this machine.'),
        setting: z.string().describe('The setting; unset it to stop sending.'),
      }),
    )
    .describe('Recipients of text with the current settings.'),
  sources: z
    .array(z.object({ key: z.string(), reaches: z.array(z.string()), allowed: z.boolean() }))
    .describe('What the context project accesses beyond its folder, and whether it is allowed.'),
  sent_by_itself: z.literal(false).describe('No telemetry, no look for updates.'),
  log: z.object({ enabled: z.boolean(), path: z.string() }).describe('The local log of which commands were used.'),
  redacted: z.array(z.object({ kind: z.string() })).describe('Removed from all text, stored and returned.'),
  masked: z.array(z.string()).describe('Personal data that compiled files of databases hold only as a mark.'),
}

type Output = z.output<z.ZodObject<typeof output>>

export const privacy = defineOperation({
  name: 'privacy',
  title: 'Data that may leave this machine',
  summary: 'Show where text may be sent with these settings, and what is redacted from it.',
  details:
    'Nothing leaves the machine unless a setting or ken.yaml names where to. Read from the settings and the trust record as they are now.',
  forPeople: 'Show what may leave this machine, and what is redacted.',
  effect: 'read',
  words: 'own',
  needs: ['context', 'machine'],
  hiddenFrom: FOR_PEOPLE,
  input: {},
  output,
  examples: [{ title: 'Here', input: {} }],
  async run(ctx) {
    const recipients = await ctx.recipients()
    return {
      recipients: recipients.map(({ host, isHere: here, ...one }) => ({
        ...one,
        ...(host !== undefined && { host }),
        here,
      })),
      sources: await sourcesHere(ctx),
      sent_by_itself: false as const,
      log: { enabled: ctx.telemetry.enabled, path: ctx.telemetry.location },
      redacted: REDACTED_KINDS.map(({ kind }) => ({ kind })),
      masked: [...PERSONAL_KINDS],
    }
  },
  render: (told, _input, view = PLAIN) =>
    [
      ...recipientLines(told, view),
      ...sourceLines(told, view),
      'Ken sends nothing by itself: no telemetry, no look for updates.',
      `The local log of commands is ${told.log.enabled ? `on: ${told.log.path}` : 'off'}.`,
      `Taken out of all text: ${told.redacted.map(({ kind }) => kind.toLowerCase()).join('; ')}.`,
      `Personal data of databases is masked in compiled files: ${told.masked.join(', ')}.`,
    ].join('\n'),
})

/** Empty without a context project. */
async function sourcesHere(ctx: Given<'context'>): Promise<Output['sources']> {
  const project = await ctx.contextProject().catch((thrown: unknown): ContextProject | undefined => {
    if (toAppError(thrown).code === 'not_found') return undefined
    throw thrown
  })
  if (project === undefined) return []
  return project.reach().map(({ key, lines, allowed }) => ({ key, reaches: [...lines], allowed }))
}

function recipientLines({ recipients }: Output, view: View): string[] {
  if (recipients.length === 0) return ['Nothing leaves this machine: no model, embedder or reranker elsewhere is set.']
  const away = recipients.filter(({ here }) => !here)
  return [
    away.length === 0 ? 'Nothing leaves this machine. Asked on it:' : 'Text goes to:',
    ...table(
      recipients.map((one) => [one.what, one.name, one.here ? 'this machine' : (one.host ?? 'unknown'), one.setting]),
      [
        { tone: 'dim' },
        { tone: 'title' },
        { tone: (at) => (recipients[at]!.here ? 'good' : 'warning') },
        { tone: 'dim' },
      ],
      view,
      '  ',
    ),
  ]
}

const sourceLines = ({ sources }: Output, view: View): string[] =>
  sources.flatMap(({ key, reaches, allowed }) => [
    `${key}${allowed ? '' : view.mark('warning', ' (not allowed: nothing is opened)')}`,
    ...reaches.map((line) => `  ${line}`),
  ])
