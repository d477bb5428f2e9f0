import { z } from 'zod'
import { ERROR_TABLE } from '../../kernel/domain/errors.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { plural } from '../../kernel/domain/text.ts'
import { defineOperation } from '../../operations/operation.ts'
import { withinOf, workspaceField } from './memory-scope.ts'

/** Same exit code as `not_found`: the requested name does not exist. */
const NOTHING_NAMED = ERROR_TABLE.not_found.exit

const place = z.object({
  name: z.string(),
  kind: z.string(),
  within: z.array(z.string()),
  path: z.string(),
  start_line: z.number(),
  end_line: z.number(),
})
const use = z.object({ path: z.string(), line: z.number(), inside: z.string().optional() })

export const symbols = defineOperation({
  name: 'symbols',
  title: 'Find a definition',
  summary: 'Where a function, class, type or constant is defined in the indexed code.',
  searchHint: 'go to definition, where is it defined',
  effect: 'read',
  words: 'code',
  needs: ['memory'],
  positional: ['name'],
  input: { name: z.string().min(1).max(500), limit: z.number().int().min(1).max(200).default(50), ...workspaceField },
  output: { definitions: z.array(place) },
  examples: [{ title: 'A function', input: { name: 'openStore' } }],
  async run(ctx, input) {
    const found = await (await ctx.memory()).code.symbols(input.name, input.limit, await withinOf(ctx, input.workspace))
    return {
      definitions: found.map(({ startLine, endLine, within, ...same }) => ({
        ...same,
        within: [...within],
        start_line: startLine,
        end_line: endLine,
      })),
    }
  },
  own: (output, input) =>
    output.definitions.length > 0
      ? ''
      : `Nothing called "${input.name}" is defined in the indexed code. ${operationNamed('memory_index_codebase')} adds a repository.`,
  render: (output) =>
    output.definitions
      .map((one) => `${one.kind} ${[...one.within, one.name].join('.')}  ${one.path}:${one.start_line}-${one.end_line}`)
      .join('\n'),
  exit: (output) => (output.definitions.length === 0 ? NOTHING_NAMED : 0),
})

export const impact = defineOperation({
  name: 'impact',
  title: 'See who uses it',
  summary: 'Who calls or imports a symbol or a file: what a change of it may touch.',
  details:
    'Calls are matched by name. When several files define the name, every call may mean any of them, and the answer says so.',
  searchHint: 'callers, references, what breaks',
  effect: 'read',
  words: 'code',
  needs: ['memory'],
  positional: ['target'],
  input: { target: z.string().min(1).max(4096).describe('A symbol, or a path or its end.'), ...workspaceField },
  output: {
    kind: z.enum(['file', 'symbol', 'unknown']),
    defined_in: z.array(z.string()),
    ambiguous: z.array(z.string()).describe('Names that several files define.'),
    importers: z.array(use),
    callers: z.array(use.extend({ name: z.string() })),
  },
  examples: [{ title: 'A file', input: { target: 'src/store.ts' } }],
  async run(ctx, input) {
    const { code } = await ctx.memory()
    const ours = await withinOf(ctx, input.workspace)
    const files = await code.files(input.target.replaceAll('\\', '/'), ours)
    const names =
      files.length > 0
        ? [
            ...new Set(
              (await Promise.all(files.map((file) => code.definedIn(file, ours))))
                .flat()
                .filter(({ within }) => within.length === 0)
                .map(({ name }) => name),
            ),
          ]
        : [input.target]
    const importers = (await Promise.all(files.map((file) => code.importers(file, ours)))).flat()
    const callers: z.output<typeof use & z.ZodObject<{ name: z.ZodString }>>[] = []
    const ambiguous: string[] = []
    const definedIn = new Set<string>(files)
    for (const name of names) {
      const places = (await code.symbols(name, 200, ours)).filter((found) => found.name === name)
      if (new Set(places.map(({ path }) => path)).size > 1) ambiguous.push(name)
      if (files.length === 0) for (const { path } of places) definedIn.add(path)
      for (const { inside, ...found } of await code.callers(name, ours)) {
        if (!files.includes(found.path)) callers.push({ name, ...found, ...(inside !== undefined && { inside }) })
      }
    }
    const kind =
      files.length > 0
        ? ('file' as const)
        : definedIn.size + callers.length > 0
          ? ('symbol' as const)
          : ('unknown' as const)
    return {
      kind,
      defined_in: [...definedIn],
      ambiguous,
      importers: importers.map(({ inside, ...found }) => ({ ...found, ...(inside !== undefined && { inside }) })),
      callers,
    }
  },
  own: (output, input) =>
    output.kind === 'unknown'
      ? `The indexed code knows no "${input.target}". ${operationNamed('memory_index_codebase')} adds a repository.`
      : '',
  render(output, input) {
    if (output.kind === 'unknown') return ''
    const at = (one: { path: string; line: number; inside?: string | undefined }) =>
      `${one.path}:${one.line}${one.inside === undefined ? '' : ` in ${one.inside}`}`
    return [
      `${input.target} (${output.defined_in.join(', ') || 'defined nowhere in the index'})`,
      `${plural(output.importers.length, 'import')}`,
      ...output.importers.map((one) => `  ${at(one)}`),
      `${plural(output.callers.length, 'call')}`,
      ...output.callers.map((one) => `  ${one.name}  ${at(one)}`),
      ...(output.ambiguous.length > 0
        ? [`Defined in several files, so some calls may mean another: ${output.ambiguous.join(', ')}`]
        : []),
    ].join('\n')
  },
  exit: (output) => (output.kind === 'unknown' ? NOTHING_NAMED : 0),
})
