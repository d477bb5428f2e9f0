import { z } from 'zod'
import { defineOperation, FOR_PEOPLE } from '../../operations/operation.ts'

const SETTING = 'telemetry.log'

export const telemetryStatus = defineOperation({
  name: 'telemetry_status',
  title: 'Telemetry',
  summary: 'Show the local usage log; nothing is ever sent.',
  effect: 'read',
  words: 'own',
  needs: ['machine'],
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
        ? `A local log of ${output.total} events is in ${output.log}; delete it when you like. \`ken telemetry disable\` turns it off.`
        : 'The local log is off; `ken telemetry enable` turns it on.',
      ...output.events.map((event) => `  ${JSON.stringify(event)}`),
    ].join('\n'),
})

export const telemetryEnable = logSwitch('enable')
export const telemetryDisable = logSwitch('disable')

function logSwitch<const W extends 'enable' | 'disable'>(word: W) {
  return defineOperation({
    name: `telemetry_${word}` as const,
    title: `Telemetry: ${word}`,
    summary: `Turn the local usage log ${word === 'enable' ? 'on' : 'off'}; nothing is ever sent.`,
    effect: 'write',
    fromPage: 'free',
    withoutRoom: true,
    words: 'own',
    needs: ['machine'],
    hiddenFrom: FOR_PEOPLE,
    input: {},
    output: { enabled: z.boolean(), overruled_by: z.string().optional() },
    examples: [{ title: word === 'enable' ? 'On' : 'Off', input: {} }],
    async run(ctx) {
      ctx.settings.set(SETTING, String(word === 'enable'))
      const { value, source, environment } = ctx.settings.get(SETTING)
      return { enabled: value === true, ...(source === 'environment' && { overruled_by: environment }) }
    },
    render: ({ enabled, overruled_by }) =>
      enabled === (word === 'enable')
        ? `The local log is ${enabled ? 'on' : 'off'}. Nothing is sent anywhere, ever.`
        : `Saved, but the local log stays ${enabled ? 'on' : 'off'}: ${overruled_by} in the environment says so.`,
  })
}
