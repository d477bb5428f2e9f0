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

const NONE_RUNS = 'No app runs here, so no browser is let in.'

export const browsersList = defineOperation({
  name: 'browsers_list',
  title: 'List browsers',
  summary: 'List the browsers signed in to `ken app`.',
  details:
    'Each stays signed in until the app stops, or for 30 days without use. The name is the one that the browser reports.',
  effect: 'read',
  words: 'own',
  needs: ['machine'],
  hiddenFrom: FOR_PEOPLE,
  input: {},
  output: {
    running: z.boolean().describe('An app runs.'),
    browsers: z.array(browserFields).describe('Most recently used first.'),
  },
  examples: [{ title: 'Who is in', input: {} }],
  async run(ctx) {
    const browsers = await (await ctx.browsers()).list()
    return { running: browsers !== undefined, browsers: (browsers ?? []).map(toData) }
  },
  render({ running, browsers }, _input, view = PLAIN) {
    if (!running) return `${NONE_RUNS} \`ken app\` starts it.`
    if (browsers.length === 0) return 'The app has let no browser in yet.'
    const rows = browsers.map(({ id, name, entered_at: entered, used_at: used, is_this: isThis }) => [
      id,
      name ?? UNKNOWN,
      `let in ${dated(entered, view)}`,
      `used ${dated(used, view)}`,
      isThis ? 'this one' : '',
    ])
    const columns = [{ tone: 'dim' }, { shrinks: true }, { tone: 'dim' }, { tone: 'dim' }, {}] as const
    return [...table(rows, columns, view), '', `${operationNamed('browsers_end')} shuts one out.`].join('\n')
  },
})

export const browsersEnd = defineOperation({
  name: 'browsers_end',
  title: 'Shut browsers out',
  summary: 'Sign browsers out of the running app.',
  details: 'A new link from `ken app` signs them in again. Running work continues.',
  effect: 'write',
  fromPage: 'free',
  withoutRoom: true,
  destructive: true,
  words: 'own',
  needs: ['machine'],
  hiddenFrom: FOR_PEOPLE,
  positional: ['browser'],
  input: {
    browser: z.array(z.string().trim().min(1).max(40)).max(50).default([]).describe('Their ids, as they are listed.'),
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
      : `${ended.length === 0 ? 'There was no other browser' : `${plural(ended.length, 'browser is', 'browsers are')} shut out`}; ${left} ${left === 1 ? 'is' : 'are'} still let in.`,
})

const UNKNOWN = 'another browser'

const toData = ({ id, name, enteredAt, usedAt, isThis }: LetInBrowser): z.output<typeof browserFields> => ({
  id,
  ...(name !== undefined && { name }),
  entered_at: enteredAt.toISOString(),
  used_at: usedAt.toISOString(),
  is_this: isThis,
})
