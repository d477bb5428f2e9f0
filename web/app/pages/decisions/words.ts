import { DECISION_TYPES, type DecisionType } from '../../../../src/record/domain/decision/decision.ts'

export { dayWords } from '../../kit/time-words.ts'

/** `data_model` in plain words. */
export const typeWords = (type: string): string =>
  type === 'api_design' ? 'API design' : type.charAt(0).toUpperCase() + type.slice(1).replaceAll('_', ' ')

export const TYPE_OPTIONS: readonly { value: DecisionType; label: string }[] = DECISION_TYPES.map((value) => ({
  value,
  label: typeWords(value),
}))

/** `1,204 decisions`. */
export const counted = (amount: number, one: string, many = `${one}s`): string =>
  `${amount.toLocaleString('en')} ${amount === 1 ? one : many}`

/** `2026-05` as `May 2026`. */
export function monthWords(month: string): string {
  const time = new Date(`${month}-01T00:00:00Z`)
  return Number.isNaN(time.getTime()) ? month : MONTH.format(time)
}

interface Who {
  readonly surface: string
  readonly client?: string | undefined
  readonly user?: string | undefined
}

/** Author of a change, from the journal: `kim, at a terminal`, `codex, over MCP`. */
export function whoWords({ surface, client, user }: Who): string {
  const who = client !== undefined && user !== undefined ? `${client} for ${user}` : (client ?? user)
  // The journal of a clone is untrusted, and may contain the name of an `Object.prototype` property.
  const how = Object.hasOwn(SURFACES, surface) ? SURFACES[surface]! : surface
  return who === undefined ? how : `${who}, ${how}`
}

/** Who recorded a decision and how; an imported one was decided elsewhere. */
export const madeWords = (who: Who, source: string | null | undefined): string =>
  source === 'import' ? `imported${(who.client ?? who.user) ? ' by' : ''} ${whoWords(who)}` : whoWords(who)

const SURFACES: Readonly<Record<string, string>> = {
  cli: 'at a terminal',
  app: 'in the app',
  http: 'over HTTP',
  'mcp-stdio': 'over MCP',
  'mcp-http': 'over MCP',
  merge: 'by a merge',
  repair: 'by a repair',
  import: 'by an import',
  recovery: 'after a crash',
}

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
