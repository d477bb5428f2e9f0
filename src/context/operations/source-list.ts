import { z } from 'zod'
import { plural } from '../../kernel/domain/text.ts'
import { table } from '../../kernel/domain/view/table.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { defineOperation, FOR_PEOPLE } from '../../operations/operation.ts'
import { addressShown } from '../domain/context-project/address-parts.ts'
import type { ConfigEntry } from '../domain/context-project/config.ts'
import type { ManifestEntry } from '../domain/context-project/manifest.ts'
import { withoutSecrets } from '../domain/context-project/secret-fields.ts'
import type { ContextProject } from '../ports/context-project.ts'

const row = z.object({
  name: z.string(),
  key: z.string(),
  type: z.string(),
  where: z.string(),
  trusted: z.boolean(),
  problem: z.string().optional().describe('Problem of the entry, before opening anything.'),
  synced: z.string().optional().describe('Time of the last fetch.'),
  checked: z.string().optional().describe('When it was last checked for changes.'),
  failing: z
    .object({ since: z.string(), reason: z.string(), items: z.number() })
    .optional()
    .describe('Why its files are stale, from the last sync.'),
  data_changed_at: z.string().optional().describe('Last change of its rows, if the engine records it.'),
  reaches: z.array(z.string()).describe('Access beyond the folder.'),
  items: z.number(),
  files: z.number(),
  tokens: z.number(),
})

export const sourceList = defineOperation({
  name: 'source_list',
  title: 'List sources',
  summary: 'List sources with their location, trust and compiled files.',
  effect: 'read',
  words: 'own',
  needs: ['context'],
  hiddenFrom: FOR_PEOPLE,
  onServer: {},
  input: {},
  output: { root: z.string(), sources: z.array(row) },
  examples: [{ title: 'All', input: {} }],
  async run(ctx) {
    const project = await ctx.contextProject()
    return { root: project.root, sources: await rowsOf(project, { isHosted: ctx.team !== undefined }) }
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

/**
 * On a server, everybody who can read the project sees the sources, but not the hosts, users and variables they reach.
 */
async function rowsOf(
  project: ContextProject,
  { isHosted }: { readonly isHosted: boolean },
): Promise<z.output<typeof row>[]> {
  const manifest = Map.groupBy((await project.tree.load()).values(), ({ source }) => source)
  const reaches = project.reach()
  return Promise.all(
    project.sources.map(async ({ key, name, fault }) => {
      const entry = project.config.entries.find((one) => one.key === key)!
      const reach = reaches.find((one) => one.key === key)
      const compiled = manifest.get(key) ?? []
      const files = compiled.flatMap((one) => one.files)
      const synced = latest(files.map((file) => file.fetched_at))
      const isTold = !isHosted || reach === undefined
      const problem = fault()?.line
      const checked = latest(compiled.map((one) => one.checked_at))
      const changed = latest(files.flatMap((file) => file.data_changed_at ?? []))
      const failing = await failingOf(project, compiled)
      return {
        name,
        key,
        type: String((entry.value as { type?: unknown }).type ?? key.split('/')[0]),
        where: isTold ? whereOf(entry) : '',
        trusted: reach?.allowed ?? true,
        ...(problem !== undefined && { problem }),
        ...(synced !== undefined && { synced }),
        ...(checked !== undefined && { checked }),
        ...(failing !== undefined && { failing }),
        ...(changed !== undefined && { data_changed_at: changed }),
        reaches: isTold ? [...(reach?.lines ?? [])] : [],
        items: compiled.length,
        files: files.length,
        tokens: files.reduce((sum, file) => sum + file.tokens, 0),
      }
    }),
  )
}

const latest = (moments: readonly string[]): string | undefined => moments.toSorted().at(-1)

/** Oldest reason why files of a source are stale. */
async function failingOf(
  project: ContextProject,
  compiled: readonly ManifestEntry[],
): Promise<z.output<typeof row>['failing']> {
  const stale = compiled.flatMap((one) => one.stale ?? []).toSorted((a, b) => (a.since < b.since ? -1 : 1))
  const [first] = stale
  return first && { since: first.since, reason: (await project.redact(first.reason)).text, items: stale.length }
}

/** Location as written in ken.yaml, without possible secrets. */
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
