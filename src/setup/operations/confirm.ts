import { z } from 'zod'
import { defineOperation } from '../../operations/operation.ts'
import { waitingLines } from '../../operations/page-power.ts'

const ONLY_HERE = 'A page or a program must not read the code that confirms its own change.'

export const confirm = defineOperation({
  name: 'confirm',
  title: 'Show codes for changes from pages',
  summary: 'Show confirmation codes for changes requested in `ken app`.',
  details:
    'Changes of trust, tokens, clients, keys, addresses and folders outside the project wait until you type their code into the page. The terminal that runs `ken app` shows the same; this is for an app that runs in the background. A code works once, for five minutes, in the browser that asked.',
  effect: 'read',
  words: 'own',
  needs: ['machine'],
  hiddenFrom: { mcp: ONLY_HERE, http: ONLY_HERE, app: ONLY_HERE },
  input: {},
  output: {
    running: z.boolean().describe('An app runs.'),
    changes: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        operation: z.string(),
        folder: z.string(),
        changes: z.array(
          z.object({
            what: z.string(),
            before: z.string().optional(),
            after: z.string().optional(),
            diff: z.string().optional(),
          }),
        ),
        code: z.string(),
        expires_at: z.string(),
      }),
    ),
  },
  examples: [{ title: 'Changes that wait', input: {} }],
  async run(ctx) {
    const changes = await (await ctx.waitingChanges()).list()
    return {
      running: changes !== undefined,
      changes: (changes ?? []).map(({ expiresAt, changes: parts, ...one }) => ({
        ...one,
        changes: parts.map((part) => ({ ...part })),
        expires_at: expiresAt.toISOString(),
      })),
    }
  },
  render({ running, changes }) {
    if (!running) return 'No app is running. `ken app` starts it.'
    if (changes.length === 0) return 'No changes wait to be confirmed.'
    return changes
      .map(({ expires_at: expires, ...one }) => waitingLines({ ...one, expiresAt: new Date(expires) }).join('\n'))
      .join('\n\n')
  },
})
