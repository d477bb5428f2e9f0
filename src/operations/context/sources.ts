import { z } from 'zod'
import { withoutSource } from '../../context/write-source.ts'
import { addressShown } from '../../core/context-project/address-parts.ts'
import type { ConfigEntry } from '../../core/context-project/config.ts'
import type { ManifestEntry } from '../../core/context-project/manifest.ts'
import { withoutSecrets } from '../../core/context-project/secret-fields.ts'
import { isTrusted } from '../../core/context-project/trust.ts'
import { AppError } from '../../core/errors.ts'
import { orStopped } from '../../core/stop.ts'
import { plural } from '../../core/text.ts'
import { unknownName } from '../../core/unknown-name.ts'
import { table } from '../../core/view/table.ts'
import { PLAIN } from '../../core/view/view.ts'
import type { ContextProject } from '../../ports/context-project.ts'
import type { Context } from '../../ports/context.ts'
import { defineOperation, FOR_PEOPLE } from '../operation.ts'
import { checkLine, sourceCheck, testSource } from './test-source.ts'

const row = z.object({
  name: z.string(),
  key: z.string(),
  type: z.string(),
  where: z.string(),
  trusted: z.boolean(),
  problem: z.string().optional().describe('What is wrong with the entry, before anything is opened.'),
  synced: z.string().optional().describe('When something of it was last fetched.'),
  checked: z.string().optional().describe('When it was last asked, whether something had changed or not.'),
  failing: z
    .object({ since: z.string(), reason: z.string(), items: z.number() })
    .optional()
    .describe('Why files of it are old, as the last sync found.'),
  data_changed_at: z.string().optional().describe('When its rows last changed, where the engine keeps that.'),
  reaches: z.array(z.string()).describe('What it reaches beyond the folder.'),
  items: z.number(),
  files: z.number(),
  tokens: z.number(),
})

export const sourceList = defineOperation({
  name: 'source_list',
  title: 'List sources',
  summary:
    'The sources of the context project: where each leads, whether it is trusted, and what was compiled from it.',
  effect: 'read',
  words: 'own',
  hiddenFrom: FOR_PEOPLE,
  input: {},
  output: { root: z.string(), sources: z.array(row) },
  examples: [{ title: 'All', input: {} }],
  async run(ctx) {
    const project = await ctx.contextProject()
    return { root: project.root, sources: await rowsOf(ctx, project) }
  },
  render(output, _input, view = PLAIN) {
    if (output.sources.length === 0) return 'ken.yaml names no source yet. `ken source add` shows what there is to add.'
    const state = (one: z.output<typeof row>): string =>
      one.problem !== undefined ? 'broken' : one.trusted ? 'trusted' : 'not trusted'
    const rows = output.sources.map((one) => [
      one.name,
      one.type,
      one.where,
      state(one),
      one.synced === undefined ? 'never synced' : `synced ${one.synced.slice(0, 10)}`,
      one.files === 0
        ? ''
        : `${plural(one.items, one.key.startsWith('database/') ? 'table' : 'item')}, ${one.tokens.toLocaleString('en-US')} tokens`,
    ])
    const lines = table(
      rows,
      [
        { tone: 'title' },
        {},
        { shrinks: true },
        { tone: (at) => (state(output.sources[at]!) === 'trusted' ? undefined : 'warning') },
        { tone: 'dim' },
        {},
      ],
      view,
    )
    const wrong = output.sources.flatMap(({ key, problem }) => (problem === undefined ? [] : [`${key}: ${problem}`]))
    const refused = output.sources.some((one) => one.problem === undefined && !one.trusted)
    return [
      ...lines,
      ...wrong,
      ...(refused ? ['`ken trust` shows what the others would reach, and allows it.'] : []),
    ].join('\n')
  },
})

export const sourceTest = defineOperation({
  name: 'source_test',
  title: 'Test a source',
  summary: 'Open a source, or all of them, and say what it has, or what is wrong and what to do.',
  effect: 'read',
  words: 'own',
  hiddenFrom: FOR_PEOPLE,
  positional: ['name'],
  input: { name: z.string().min(1).optional().describe('As ken.yaml calls it; all of them by default.') },
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
  summary: 'Take a source out of ken.yaml; its files go with the next `ken sync`.',
  details: 'Comments and all other entries stay as they are. What it was allowed to reach is taken back too.',
  effect: 'write',
  withoutRoom: true,
  destructive: true,
  words: 'own',
  hiddenFrom: FOR_PEOPLE,
  positional: ['name'],
  input: {
    name: z.string().min(1).describe('As ken.yaml calls it.'),
    forget_secret: z.boolean().default(false).describe('Also take its variables out of .env.'),
  },
  output: {
    key: z.string(),
    root: z.string(),
    files: z.number().describe('Compiled files that the next sync removes.'),
    kept: z.array(z.string()).describe('Variables that stay in .env.'),
    forgotten: z.array(z.string()),
  },
  examples: [{ title: 'One', input: { name: 'shop' } }],
  async run(ctx, input) {
    const project = await ctx.contextProject()
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
  },
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

async function rowsOf(ctx: Context, project: ContextProject): Promise<z.output<typeof row>[]> {
  const manifest = Map.groupBy((await project.tree.load()).values(), ({ source }) => source)
  const reaches = project.reach()
  const granted = ctx.trust.find(project.root)?.granted
  return Promise.all(
    project.sources.map(async ({ key, name, fault }) => {
      const entry = project.config.entries.find((one) => one.key === key)!
      const reach = reaches.find((one) => one.key === key)
      const compiled = manifest.get(key) ?? []
      const files = compiled.flatMap((one) => one.files)
      const synced = latest(files.map((file) => file.fetched_at))
      const problem = fault()?.line
      const checked = latest(compiled.map((one) => one.checked_at))
      const changed = latest(files.flatMap((file) => file.data_changed_at ?? []))
      const failing = await failingOf(project, compiled)
      return {
        name,
        key,
        type: String((entry.value as { type?: unknown }).type ?? key.split('/')[0]),
        where: whereOf(entry),
        trusted: reach === undefined || isTrusted(reach, granted),
        ...(problem !== undefined && { problem }),
        ...(synced !== undefined && { synced }),
        ...(checked !== undefined && { checked }),
        ...(failing !== undefined && { failing }),
        ...(changed !== undefined && { data_changed_at: changed }),
        reaches: [...(reach?.lines ?? [])],
        items: compiled.length,
        files: files.length,
        tokens: files.reduce((sum, file) => sum + file.tokens, 0),
      }
    }),
  )
}

const latest = (moments: readonly string[]): string | undefined => moments.toSorted().at(-1)

/** The oldest of the reasons that its files are old. */
async function failingOf(
  project: ContextProject,
  compiled: readonly ManifestEntry[],
): Promise<z.output<typeof row>['failing']> {
  const stale = compiled.flatMap((one) => one.stale ?? []).toSorted((a, b) => (a.since < b.since ? -1 : 1))
  const [first] = stale
  return first && { since: first.since, reason: (await project.redact(first.reason)).text, items: stale.length }
}

/** As ken.yaml writes it, without what could be secret. */
function whereOf({ reaches, value }: ConfigEntry): string {
  const fields = value as Readonly<Record<string, unknown>>
  const [reached] = reaches
  if (typeof fields['url'] === 'string') return addressShown(fields['url']) ?? withoutSecrets('url', fields['url'])
  if (typeof fields['path'] === 'string') return fields['path']
  if (reached !== undefined && 'opens' in reached) return reached.opens
  if (reached !== undefined && 'fetches' in reached)
    return addressShown(reached.fetches) ?? withoutSecrets('url', reached.fetches)
  const host = fields['host'] ?? fields['account'] ?? fields['project'] ?? fields['region'] ?? ''
  const database = fields['database'] ?? fields['catalog'] ?? fields['dataset']
  return [host, database]
    .filter((part) => part !== undefined && part !== '')
    .map(String)
    .join('/')
}

/** By name, or by key where two kinds have the same. */
function sourceNamed(project: ContextProject, name: string): ContextProject['sources'][number] {
  const { sources } = project
  const exact = sources.find(({ key }) => key === name)
  const named = exact === undefined ? sources.filter((one) => one.name === name) : [exact]
  if (named.length > 1)
    throw new AppError('invalid_input', `Two sources are called "${name}".`, {
      hint: `Say which: ${named.map(({ key }) => `\`${key}\``).join(' or ')}.`,
    })
  if (named.length === 1) return named[0]!
  throw unknownName(
    'source',
    name,
    sources.map((one) => one.name),
  )
}
