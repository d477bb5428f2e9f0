import { parseEnv } from 'node:util'
import { z } from 'zod'
import { posixWord } from '../../kernel/domain/shell-word.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import type { Given } from '../../operations/context.ts'
import { readConfig } from '../domain/context-project/read-config.ts'
import { subjectOf } from '../domain/context-project/scaffold.ts'
import type { Reached } from '../domain/context-project/source-rules.ts'
import { findSources, type FoundSource } from '../find-sources.ts'
import { planSources, type PlannedSource } from '../plan-source.ts'
import type { ConfigTexts } from '../ports/config-files.ts'
import { withSources } from '../write-source.ts'
import { testSource } from './test-source.ts'

export const foundSource = z.object({
  what: z.string(),
  detail: z.string(),
  command: z.string().optional().describe('Command that adds it; missing if Ken cannot read it.'),
  words: z.array(z.string()).optional().describe('Its value for `what` of `ken source add`.'),
  name: z.string().optional(),
})

/** Source that can be added, as shown, with its arguments and name. */
export interface Offer {
  readonly shown: z.output<typeof foundSource>
  readonly words: readonly string[]
  readonly name: string | undefined
}

const MOST_OPENED = 10
const LARGEST_TEXT = 1024 * 1024
/** ken.yaml for a folder that is not a context project yet. */
const NO_PROJECT = 'name: here\n'

/**
 * Sources in a folder that its ken.yaml does not have yet. Only database files in the folder are opened, read-only and
 * as `ken sync` would without trust, to count their tables.
 */
export async function offersIn(ctx: Given<'context' | 'machine' | 'record'>, root: string): Promise<readonly Offer[]> {
  const rules = await ctx.contextDefinitions()
  const textOf = async (name: string): Promise<string> => (await ctx.scout.text(`${root}/${name}`, LARGEST_TEXT)) ?? ''
  const yaml = await textOf('ken.yaml')
  const env = await textOf('.env')
  const envFile = parseEnv(env)
  const remote = await (await ctx.repository())?.setting('remote.origin.url')
  const profiles = [ctx.scout.variable('DBT_PROFILES_DIR'), '~/.dbt'].flatMap((one) =>
    one ? [ctx.pathNamed(one)] : [],
  )
  const remotes = remote === undefined ? [] : [remote]
  const subject = subjectOf(root)
  const found = await findSources({ rules, scout: ctx.scout, root: subject, profiles, envFile, remotes })
  const parts = {
    rules,
    scout: ctx.scout,
    root,
    from: subject,
    pathNamed: (path: string) => ctx.pathNamed(/^[/~]|^[a-z]:[\\/]/i.test(path) ? path : `${subject}/${path}`),
    lookup: (name: string) => ctx.scout.variable(name) ?? envFile[name],
  }
  const write = { rules, typed: {}, variable: (name: string) => ctx.scout.variable(name), isRepository: false }
  let now: ConfigTexts = { yaml: yaml === '' ? NO_PROJECT : yaml, env, ignored: '' }
  const offers: Offer[] = []
  for (const one of found) {
    if (one.words.length === 0 || one.isElsewhere) {
      const isKnown = readConfig(now.yaml, rules).entries.some(({ reaches }) => opens(reaches, one.words[0]))
      if (!isKnown) offers.push(offerOf(one, { name: undefined, detail: one.detail }))
      continue
    }
    const planned = await planSources(one.words, parts).catch(() => [])
    const added = planned.length === 1 ? addedTo(now, { ...planned[0]!, name: one.name }, write) : undefined
    if (added === undefined || added.already) continue
    now = { ...now, ...added.write }
    const counted =
      yaml !== '' && offers.length < MOST_OPENED ? await tablesOf(ctx, root, { one, now, key: added.key }) : ''
    offers.push(
      offerOf(one, {
        name: added.isRenamed ? added.name : one.name,
        detail: [counted, sizeOf(one.bytes), one.detail].filter(Boolean).join(', '),
      }),
    )
  }
  return offers
}

const opens = (reaches: readonly Reached[], path: string | undefined): boolean =>
  reaches.some((reached) => 'opens' in reached && reached.opens === path)

export const foundLines = (found: readonly z.output<typeof foundSource>[]): string[] =>
  found.flatMap(({ what, detail, command }) => [
    `  ${[what, detail].filter(Boolean).join(': ')}`,
    ...(command === undefined ? [] : [`    ${command}`]),
  ])

/** Picks a free name if the usual one is taken by something else. */
function addedTo(now: ConfigTexts, planned: PlannedSource, parts: Parameters<typeof withSources>[2]) {
  const usual = planned.name ?? planned.usualName
  for (const name of [planned.name, `${usual}-${planned.kind.word}`, `${usual}-2`]) {
    try {
      const { write, result } = withSources(now, [{ ...planned, name }], parts)
      const [one] = result
      return { ...one!, write, isRenamed: name !== planned.name }
    } catch (thrown) {
      if (toAppError(thrown).code !== 'conflict') return undefined
    }
  }
  return undefined
}

async function tablesOf(
  ctx: Given<'context'>,
  root: string,
  { one, now, key }: { readonly one: FoundSource; readonly now: ConfigTexts; readonly key: string },
): Promise<string> {
  if (one.bytes === undefined) return ''
  const project = await ctx.contextProject(root, now).catch(() => undefined)
  const source = project?.sources.find((entry) => entry.key === key)
  if (project === undefined || source === undefined) return ''
  // With a project below `.ken`, a file is opened only after it was added.
  if (project.reach().some((one) => one.key === key && !one.allowed)) return ''
  const check = await testSource(project, source)
  return check.ok ? `${check.found}, read-only` : `cannot be opened: ${check.problem}`
}

function offerOf(
  one: FoundSource,
  { name, detail }: { readonly name: string | undefined; readonly detail: string },
): Offer {
  // A file name may look like an option.
  const given = one.words.map((word) => (word.startsWith('-') ? `./${word}` : word))
  const words = ['ken', 'source', 'add', ...given, ...(name === undefined ? [] : ['--name', name])]
  const command =
    one.words.length === 0
      ? {}
      : { command: words.map(posixWord).join(' '), words: [...one.words], ...(name !== undefined && { name }) }
  return { shown: { what: visibleLine(one.what), detail: visibleLine(detail), ...command }, words: one.words, name }
}

/** `48 MB`. */
export function sizeOf(bytes: number | undefined): string {
  if (bytes === undefined) return ''
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB']
  const step = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  const value = bytes / 1024 ** step
  return `${value >= 10 ? Math.round(value) : Number(value.toFixed(1))} ${units[step]!}`
}
