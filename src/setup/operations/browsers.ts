import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { fieldNamed, operationNamed } from '../../kernel/domain/named-operation.ts'
import { plural } from '../../kernel/domain/text.ts'
import { dated } from '../../kernel/domain/view/age.ts'
import { table } from '../../kernel/domain/view/table.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import type { LetInBrowser } from '../../kernel/ports/browsers.ts'
import { defineOperation, FOR_PEOPLE } from '../../operations/operation.ts'

const browserFields = z.object({
  id: z.string(),
  name: z.string().optional().describe('Missing if unknown.'),
  entered_at: z.string(),
  used_at: z.string(),
  is_this: z.boolean().describe('The current one; none at a terminal.'),
})

const NONE_RUNS = 'No app runs, and no browser is signed in.'

export const browsersList = defineOperation({
  name: 'browsers_list',
  title: 'List browsers',
  summary: 'List the browsers signed in to `ken app`.',
  details:
    'Each stays signed in for 30 days after its last use, also while the app is stopped, if it runs at the same port again. The name is what the browser calls itself.',
  effect: 'read',
  words: 'own',
  needs: ['machine'],
  hiddenFrom: FOR_PEOPLE,
  input: {},
  output: {
    running: z.boolean().describe('An app runs, or browsers stay signed in for the next one.'),
    browsers: z.array(browserFields).describe('The one that was used last first.'),
  },
  examples: [{ title: 'Who is in', input: {} }],
  async run(ctx) {
    const browsers = await (await ctx.browsers()).list()
    return { running: browsers !== undefined, browsers: (browsers ?? []).map(toData) }
  },
  render({ running, browsers }, _input, view = PLAIN) {
    if (!running) return `${NONE_RUNS} \`ken app\` starts it.`
    if (browsers.length === 0) return 'No browser is signed in.'
    const rows = browsers.map(({ id, name, entered_at: entered, used_at: used, is_this: isThis }) => [
      id,
      name ?? UNKNOWN,
      `signed in ${dated(entered, view)}`,
      `used ${dated(used, view)}`,
      isThis ? 'this one' : '',
    ])
    const columns = [{ tone: 'dim' }, { shrinks: true }, { tone: 'dim' }, { tone: 'dim' }, {}] as const
    return [...table(rows, columns, view), '', `${operationNamed('browsers_end')} signs one out.`].join('\n')
  },
})

export const browsersEnd = defineOperation({
  name: 'browsers_end',
  title: 'Sign browsers out',
  summary: 'Sign browsers out of `ken app`.',
  details: 'A new link of `ken app` signs them in again. What they started continues.',
  effect: 'write',
  fromPage: 'free',
  withoutRoom: true,
  destructive: true,
  words: 'own',
  needs: ['machine'],
  hiddenFrom: FOR_PEOPLE,
  positional: ['browser'],
  input: {
    browser: z.array(z.string().trim().min(1).max(40)).max(50).default([]).describe('Their ids, as listed.'),
    others: z.boolean().default(false).describe('All except the calling browser; from a terminal, all.'),
  },
  output: { running: z.boolean(), ended: z.array(browserFields), left: z.number() },
  examples: [{ title: 'All but this one', input: { others: true } }],
  async run(ctx, { browser: named, others }) {
    if (named.length === 0 && !others)
      throw new AppError('invalid_input', 'No browser given.', {
        hint: `Pass an id from ${operationNamed('browsers_list')}, or ${fieldNamed('others')}.`,
      })
    const browsers = await ctx.browsers()
    const all = await browsers.list()
    if (all === undefined) return { running: false, ended: [], left: 0 }
    const unknown = named.find((id) => all.every((one) => one.id !== id))
    if (unknown !== undefined)
      throw new AppError('not_found', `No signed-in browser ${unknown}.`, {
        hint: `List them with ${operationNamed('browsers_list')}.`,
      })
    const meant = all.filter(({ id, isThis }) => named.includes(id) || (others && !isThis))
    await browsers.end(meant.map(({ id }) => id))
    return { running: true, ended: meant.map(toData), left: all.length - meant.length }
  },
  render: ({ running, ended, left }) =>
    !running
      ? NONE_RUNS
      : `${ended.length === 0 ? 'No other browser was signed in' : `Signed out ${plural(ended.length, 'browser')}`}; ${left} ${left === 1 ? 'is' : 'are'} still signed in.`,
})

const UNKNOWN = 'another browser'

const toData = ({ id, name, enteredAt, usedAt, isThis }: LetInBrowser): z.output<typeof browserFields> => ({
  id,
  ...(name !== undefined && { name }),
  entered_at: enteredAt.toISOString(),
  used_at: usedAt.toISOString(),
  is_this: isThis,
})
