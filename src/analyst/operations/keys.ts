import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { MODEL_PROVIDERS, usualKeys, type ModelProvider } from '../../kernel/domain/model-name.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { table } from '../../kernel/domain/view/table.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { refuseOnPage, type Context, type Given } from '../../operations/context.ts'
import { defineOperation, FOR_PEOPLE } from '../../operations/operation.ts'

const provider = z
  .enum(MODEL_PROVIDERS as [ModelProvider, ...ModelProvider[]])
  .describe('The provider, e.g. anthropic.')

/** The longest key is a cloud token of a few thousand characters. */
const LONGEST_KEY = 10_000

export const keySet = defineOperation({
  name: 'key_set',
  title: 'Keep a key',
  summary: 'Store a model provider’s key in the system keychain.',
  details:
    'The key is asked for and not shown, or read from a pipe (`pass show anthropic | ken keys set anthropic --stdin`); it is never an argument, which other programs could see. A variable in the environment goes before the keychain.',
  effect: 'write',
  withoutRoom: true,
  words: 'own',
  needs: ['analyst', 'machine'],
  hiddenFrom: FOR_PEOPLE,
  fromPage: async (ctx, { provider: whose, key = '' }) => [
    { what: `key of ${whose}`, ...(await keyNow(ctx, whose)), after: `a new key of ${key.trim().length} characters` },
  ],
  positional: ['provider'],
  asGiven: true,
  unlisted: ['key'],
  input: {
    provider,
    stdin: z.boolean().default(false).describe('Read it from a pipe.'),
    key: z
      .string()
      .max(LONGEST_KEY)
      .optional()
      .describe('The key, only from a page of the app; refused at a terminal.'),
  },
  output: { provider: z.string(), kept: z.boolean() },
  examples: [{ title: 'For Anthropic', input: { provider: 'anthropic' } }],
  async run(ctx, input) {
    const key = (await givenKey(ctx, input)).trim()
    if (key === '')
      throw new AppError('invalid_input', 'No key was given.', {
        hint: 'Type it at the prompt, or pipe it with --stdin.',
      })
    if (/[^\x21-\x7e]/.test(key) || key.length > LONGEST_KEY)
      throw new AppError('invalid_input', 'Invalid key: must be one line without spaces.', {
        hint: 'Copy it again, without anything before or after it.',
      })
    await ctx.modelKeys.set(input.provider, key)
    return { provider: input.provider, kept: true }
  },
  render: (output) => `The key of ${output.provider} is in the keychain.`,
})

/** Location of the key; never the key. */
async function keyNow({ modelKeys }: Given<'analyst'>, whose: ModelProvider): Promise<{ before?: string }> {
  const known = (await modelKeys.list()).keys.find((one) => one.provider === whose)
  return known === undefined ? {} : { before: `the key in the ${known.source}` }
}

async function givenKey(
  ctx: Given<'machine'>,
  {
    provider: whose,
    stdin,
    key,
  }: { readonly provider: ModelProvider; readonly stdin: boolean; readonly key?: string | undefined },
): Promise<string> {
  refuseOnPage(ctx, 'stdin', stdin)
  if (key === undefined) return stdin ? ctx.files.input() : typedKey(ctx, whose)
  // Arguments are visible to other programs, and stay in the shell history.
  if (ctx.origin.surface === 'cli')
    throw new AppError('invalid_input', 'A key can’t be passed as an argument.', {
      hint: 'Type it at the prompt, or pipe it with --stdin.',
    })
  return key
}

async function typedKey({ ask }: Pick<Context, 'ask'>, whose: ModelProvider): Promise<string> {
  if (ask === undefined)
    throw new AppError('unavailable', 'Can’t prompt for a key: not a terminal.', {
      hint: 'Run it at a terminal, or pipe the key with --stdin.',
    })
  return ask(`The key of ${whose}? (hidden; empty to leave it)`, { hidden: true })
}

export const keyList = defineOperation({
  name: 'key_list',
  title: 'List keys',
  summary: 'List the model providers that have a key here (no values).',
  effect: 'read',
  words: 'own',
  needs: ['analyst', 'machine'],
  hiddenFrom: FOR_PEOPLE,
  input: {},
  output: {
    keys: z.array(
      z.object({ provider: z.string(), source: z.enum(['environment', 'keychain']), variable: z.string().optional() }),
    ),
    problem: z.string().optional().describe('Why the keychain could not be looked into.'),
  },
  examples: [{ title: 'All', input: {} }],
  async run(ctx) {
    const { keys, problem } = await ctx.modelKeys.list()
    return { keys: [...keys], ...(problem !== undefined && { problem }) }
  },
  render: (output, _input, view = PLAIN) =>
    [
      ...(output.keys.length > 0
        ? table(
            output.keys.map(({ provider: whose, source, variable }) => [whose, variable ?? source]),
            [{ tone: 'title' }, {}],
            view,
          )
        : [`No provider has a key. ${operationNamed('key_set', 'anthropic')} puts one into the keychain.`]),
      ...(output.problem === undefined
        ? []
        : [
            view.mark(
              'warning',
              `${output.problem} Keys come from the environment, such as ${usualKeys('anthropic')[0]}.`,
            ),
          ]),
    ].join('\n'),
})

export const keyRemove = defineOperation({
  name: 'key_remove',
  title: 'Remove a key',
  summary: 'Remove a model provider’s key from the keychain.',
  effect: 'write',
  withoutRoom: true,
  destructive: true,
  words: 'own',
  needs: ['analyst', 'machine'],
  hiddenFrom: FOR_PEOPLE,
  fromPage: async (ctx, { provider: whose }) => [{ what: `key of ${whose}`, ...(await keyNow(ctx, whose)) }],
  positional: ['provider'],
  input: { provider },
  output: { provider: z.string(), removed: z.boolean() },
  examples: [{ title: 'Of Anthropic', input: { provider: 'anthropic' } }],
  run: async (ctx, input) => ({
    provider: input.provider,
    removed: await ctx.modelKeys.remove(input.provider),
  }),
  render: ({ provider: whose, removed }) =>
    removed ? `The key of ${whose} is no longer in the keychain.` : `The keychain has no key of ${whose}.`,
})
