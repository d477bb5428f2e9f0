import { z } from 'zod'
import { unknownName } from '../../kernel/domain/close-match.ts'
import { AppError } from '../../kernel/domain/errors.ts'
import { orStopped } from '../../kernel/domain/stop.ts'
import { plural } from '../../kernel/domain/text.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, FOR_PEOPLE } from '../../operations/operation.ts'
import type { ContextProject } from '../ports/context-project.ts'
import { withoutSource } from '../write-source.ts'
import { checkLine, sourceCheck, testSource } from './test-source.ts'

export const sourceTest = defineOperation({
  name: 'source_test',
  title: 'Test a source',
  summary: 'Test one source, or all of them.',
  effect: 'read',
  words: 'own',
  needs: ['context'],
  hiddenFrom: FOR_PEOPLE,
  positional: ['name'],
  input: { name: z.string().min(1).optional().describe('Its name in ken.yaml; default: all.') },
  output: { root: z.string(), checks: z.array(sourceCheck) },
  examples: [
    { title: 'All', input: {} },
    { title: 'One', input: { name: 'shop' } },
  ],
  async run(ctx, input) {
    const project = await ctx.contextProject()
    const chosen = input.name === undefined ? project.sources : [sourceNamed(project, input.name)]
    const checks = await orStopped(Promise.all(chosen.map((source) => testSource(project, source))), ctx.signal)
    return { root: project.root, checks }
  },
  render: (output, _input, view = PLAIN) =>
    output.checks.length === 0
      ? 'ken.yaml names no source yet. `ken source add` shows what there is to add.'
      : output.checks.map((one) => checkLine(one, view)).join('\n'),
  exit: (output) => (output.checks.every((one) => one.ok) ? 0 : 1),
})

export const sourceRemove = defineOperation({
  name: 'source_remove',
  title: 'Remove a source',
  summary: 'Remove a source; the next `ken sync` deletes its files.',
  details: 'Comments and all other entries stay. Its permissions are revoked too.',
  effect: 'write',
  fromPage: 'free',
  withoutRoom: true,
  destructive: true,
  words: 'own',
  needs: ['context', 'machine'],
  hiddenFrom: FOR_PEOPLE,
  positional: ['name'],
  input: {
    name: z.string().min(1).describe('Its name in ken.yaml.'),
    forget_secret: z.boolean().default(false).describe('Also remove its variables from .env.'),
  },
  output: {
    key: z.string(),
    root: z.string(),
    files: z.number().describe('Compiled files that the next sync removes.'),
    kept: z.array(z.string()).describe('Variables that stay in .env.'),
    forgotten: z.array(z.string()),
  },
  examples: [{ title: 'One', input: { name: 'shop' } }],
  run: (ctx, input) => removeSource(ctx, undefined, input),
  render: (output) =>
    [
      `Took ${output.key} out of ken.yaml.`,
      ...(output.files === 0 ? [] : [`${plural(output.files, 'file')} of it will go with the next \`ken sync\`.`]),
      ...(output.kept.length === 0
        ? []
        : [
            `Still in .env: ${output.kept.join(', ')}. --forget-secret would have taken ${output.kept.length === 1 ? 'it' : 'them'} out.`,
          ]),
      ...(output.forgotten.length === 0 ? [] : [`Taken out of .env: ${output.forgotten.join(', ')}.`]),
    ].join('\n'),
})

/** Removes a source from the project in a folder, or in the one that `ctx` is in. */
export async function removeSource(
  ctx: Given<'context' | 'machine'>,
  root: string | undefined,
  input: { readonly name: string; readonly forget_secret: boolean },
): Promise<{ key: string; root: string; files: number; kept: string[]; forgotten: string[] }> {
  const project = await ctx.contextProject(root)
  const { key } = sourceNamed(project, input.name)
  const rules = await ctx.contextDefinitions()
  const { kept, forgotten } = await ctx.configFiles.change(project.root, (now) =>
    withoutSource(now, { key, forget: input.forget_secret, rules }),
  )
  const files = [...(await project.tree.load()).values()]
    .filter(({ source }) => source === key)
    .flatMap((one) => one.files)
  const trusted = ctx.trust.find(project.root)
  if (trusted?.granted[key] !== undefined) {
    const { [key]: _gone, ...granted } = trusted.granted
    ctx.trust.grant({ ...trusted, granted })
  }
  return { key, root: project.root, files: files.length, kept, forgotten }
}

/** Finds a source by name, or by key if two kinds share a name. */
function sourceNamed(project: ContextProject, name: string): ContextProject['sources'][number] {
  const { sources } = project
  const exact = sources.find(({ key }) => key === name)
  const named = exact === undefined ? sources.filter((one) => one.name === name) : [exact]
  if (named.length > 1)
    throw new AppError('invalid_input', `Two sources are named "${name}".`, {
      hint: `Use one of: ${named.map(({ key }) => `\`${key}\``).join(' or ')}.`,
    })
  if (named.length === 1) return named[0]!
  throw unknownName(
    'source',
    name,
    sources.map((one) => one.name),
  )
}
