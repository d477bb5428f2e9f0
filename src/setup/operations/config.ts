import { z } from 'zod'
import { sayUnknownSetting, SETTING_KINDS, VARIABLE_NAME } from '../../kernel/domain/settings.ts'
import { table } from '../../kernel/domain/view/table.ts'
import { PLAIN, type View } from '../../kernel/domain/view/view.ts'
import { wrapWidth } from '../../kernel/domain/view/width.ts'
import type { PageChange } from '../../kernel/ports/page-changes.ts'
import type { SettingValue } from '../../kernel/ports/settings.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, FOR_PEOPLE } from '../../operations/operation.ts'

const row = z.object({
  name: z.string(),
  value: z.unknown(),
  source: z.enum(['default', 'config', 'environment']),
  default: z.unknown(),
  kind: z.enum(SETTING_KINDS),
  help: z.string(),
  environment: z.string().optional(),
})
const settingName = z.string().describe('E.g. search.embeddings.')
const SECRET = /key|token|secret|password|credential/i

export const configList = defineOperation({
  name: 'config_list',
  title: 'List settings',
  summary: 'List settings with their values and origins.',
  effect: 'read',
  words: 'own',
  needs: ['machine'],
  hiddenFrom: FOR_PEOPLE,
  input: {},
  output: { settings: z.array(row), unknown: z.array(z.string()).describe('Unknown settings in config.yml.') },
  examples: [{ title: 'All', input: {} }],
  run: async (ctx) => ({
    settings: ctx.settings.list().map(toRow),
    unknown: ctx.settings.unknown().map(sayUnknownSetting),
  }),
  render: (output, _input, view = PLAIN) =>
    [
      ...(view.reader === 'person' ? settingTable(output.settings, view) : output.settings.map(settingLines)),
      ...output.unknown.map((line) => view.mark('warning', line)),
    ].join('\n'),
})

export const configGet = defineOperation({
  name: 'config_get',
  title: 'Read a setting',
  summary: 'Show one setting and its origin.',
  effect: 'read',
  words: 'own',
  needs: ['machine'],
  hiddenFrom: FOR_PEOPLE,
  positional: ['name'],
  input: { name: settingName },
  output: row.shape,
  examples: [{ title: 'Embeddings', input: { name: 'search.embeddings' } }],
  run: async (ctx, input) => toRow(ctx.settings.get(input.name)),
  render: (output) => `${output.name} = ${format(output.value)}  (${output.source})`,
})

export const configSet = defineOperation({
  name: 'config_set',
  title: 'Change a setting',
  summary: 'Set a value in config.yml; keeps comments.',
  effect: 'write',
  withoutRoom: true,
  words: 'own',
  needs: ['machine'],
  asGiven: true,
  hiddenFrom: FOR_PEOPLE,
  fromPage: async (ctx, { name, value }) => {
    ctx.settings.check(name, value)
    return settingChanges(ctx, name, value)
  },
  positional: ['name', 'value'],
  input: { name: settingName, value: z.string().describe('True or false, a number, a text.') },
  output: row.shape,
  examples: [{ title: 'Search by words alone', input: { name: 'search.embeddings', value: 'false' } }],
  async run(ctx, input) {
    ctx.settings.set(input.name, input.value)
    return toRow(ctx.settings.get(input.name))
  },
  render: (output) => `${output.name} = ${format(output.value)}  (${output.source})`,
})

export const configUnset = defineOperation({
  name: 'config_unset',
  title: 'Reset a setting',
  summary: 'Reset a setting to its default.',
  effect: 'write',
  withoutRoom: true,
  words: 'own',
  needs: ['machine'],
  asGiven: true,
  hiddenFrom: FOR_PEOPLE,
  fromPage: async (ctx, { name }) => settingChanges(ctx, name, undefined),
  positional: ['name'],
  input: { name: settingName },
  output: row.shape,
  examples: [{ title: 'Keep sessions as long as usual', input: { name: 'storage.retention' } }],
  async run(ctx, input) {
    ctx.settings.unset(input.name)
    return toRow(ctx.settings.get(input.name))
  },
  render: (output) => `${output.name} = ${format(output.value)}  (${output.source})`,
})

/** Changes that need confirmation; empty for a setting that a page may change without it. */
function settingChanges({ settings }: Given, name: string, value: string | undefined): PageChange[] {
  const setting = settings.get(name)
  if (setting.fromPage === 'free') return []
  const shown = (one: unknown): string => format(isSecret({ ...setting, value: one }) ? masked(one) : one)
  return [{ what: name, before: shown(setting.value), after: value === undefined ? 'the default' : shown(value) }]
}

type Row = z.output<typeof row>

const helpOf = ({ help, environment }: Row): string => `${help}${environment ? ` Environment: ${environment}.` : ''}`

const settingLines = (s: Row): string => `${s.name} = ${format(s.value)}  (${s.source})\n    ${helpOf(s)}`

function settingTable(settings: readonly Row[], view: View): string[] {
  const isChanged = (at: number) => settings[at]!.source !== 'default'
  const lines = table(
    settings.map((s) => [s.name, format(s.value), s.source]),
    [{ tone: 'title' }, { shrinks: true, tone: (at) => (isChanged(at) ? 'warning' : undefined) }, { tone: 'dim' }],
    view,
  )
  return settings.flatMap((s, at) => [
    lines[at]!,
    ...wrapWidth(helpOf(s), view.width - 4).map((line) => `    ${view.mark('dim', line)}`),
  ])
}

const toRow = (s: SettingValue) => ({
  name: s.name,
  value: isSecret(s) ? masked(s.value) : s.value,
  source: s.source,
  default: s.fallback,
  kind: s.kind,
  help: s.help,
  ...(s.environment && { environment: s.environment }),
})

/** A variable name is not secret. */
const isSecret = ({ name, value }: SettingValue): boolean =>
  SECRET.test(name) && !VARIABLE_NAME.pattern.test(String(value))

const masked = (value: unknown): unknown =>
  typeof value !== 'string' ? value : value.length <= 8 ? '***' : `${value.slice(0, 4)}...${value.slice(-4)}`

const format = (value: unknown): string =>
  value === undefined || value === null || value === ''
    ? '(not set)'
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)
