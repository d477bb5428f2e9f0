import { z } from 'zod'
import { defineOperation, FOR_PEOPLE } from '../operation.ts'

export const telemetryStatus = defineOperation({
  name: 'telemetry_status',
  title: 'Telemetry',
  summary: 'What Ken records about its own use: a local log you can read, and nothing is ever sent.',
  effect: 'read',
  words: 'own',
  hiddenFrom: FOR_PEOPLE,
  input: { limit: z.number().int().min(1).max(10_000).default(10).describe('How many of the newest events to show.') },
  output: {
    sent: z.literal(false),
    enabled: z.boolean(),
    log: z.string(),
    total: z.number(),
    events: z.array(z.record(z.string(), z.unknown())),
  },
  examples: [{ title: 'The newest events', input: { limit: 3 } }],
  async run(ctx, input) {
    const events = await ctx.telemetry.events()
    return {
      sent: false as const,
      enabled: ctx.telemetry.enabled,
      log: ctx.telemetry.location,
      total: events.length,
      events: events.slice(-input.limit).map((e) => ({ ...e })),
    }
  },
  render: (output) =>
    [
      'Nothing is sent anywhere, ever.',
      output.enabled
        ? `A local log of ${output.total} events is in ${output.log}; delete it when you like. \`ken config set telemetry.log false\` turns it off.`
        : 'The local log is off.',
      ...output.events.map((event) => `  ${JSON.stringify(event)}`),
    ].join('\n'),
})
