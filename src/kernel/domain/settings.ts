/** Types of setting values. All settings are listed in app/settings.ts. */
export const SETTING_KINDS = ['switch', 'text', 'number', 'size', 'duration', 'list'] as const
export type SettingKind = (typeof SETTING_KINDS)[number]

export interface SettingDefinition {
  readonly name: string
  readonly kind: SettingKind
  readonly fallback: unknown
  readonly environment: string | undefined
  readonly help: string
  /** `confirm`: the setting names a program, an address, a key or a folder, or extends what programs may do. */
  readonly fromPage: 'free' | 'confirm'
  /** Format of restricted text. Errors do not quote a rejected value: it may be a secret in the wrong place. */
  readonly form?: { readonly pattern: RegExp; readonly fault: string; readonly hint: string }
}

/** Format of settings that name an environment variable: a key itself must not be in a file. */
export const VARIABLE_NAME = {
  pattern: /^(?:[A-Z_][A-Z0-9_]{0,63})?$/,
  fault: 'takes the NAME of an environment variable, not the key itself',
  hint: 'Store the key in a variable, for example OPENAI_API_KEY, and use its name.',
}

export const WEB_ADDRESS = {
  pattern: /^(?:https?:\/\/(?:[\w.-]+|\[[\da-f:]+\])(?::\d{1,5})?(?:\/\S*)?)?$/i,
  fault: 'takes a web address',
  hint: 'Use http:// or https://, without a password in it.',
}

const TRUTHY = new Set(['1', 'true', 'yes', 'on'])
const FALSY = new Set(['0', 'false', 'no', 'off', ''])
const BYTES: Readonly<Record<string, number>> = { '': 1, b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3, tb: 1024 ** 4 }
const DAYS: Readonly<Record<string, number>> = { d: 1, w: 7, m: 30, y: 365 }

/** Parses the value as its kind; undefined if invalid. */
export function readSetting({ kind, form }: Pick<SettingDefinition, 'kind' | 'form'>, raw: unknown): unknown {
  const read = readKind(kind, raw)
  return form === undefined || (typeof read === 'string' && form.pattern.test(read)) ? read : undefined
}

function readKind(kind: SettingKind, raw: unknown): unknown {
  if (kind === 'switch') return typeof raw === 'boolean' ? raw : toSwitch(String(raw))
  if (kind === 'number') return Number.isFinite(Number(raw)) && String(raw).trim() !== '' ? Number(raw) : undefined
  if (kind === 'size') return toBytes(String(raw)) === undefined ? undefined : String(raw)
  if (kind === 'duration') return toDayLimit(String(raw)) === undefined ? undefined : String(raw)
  if (kind === 'list')
    return Array.isArray(raw)
      ? raw.map(String)
      : String(raw)
          .split(',')
          .map((item) => item.trim())
          .filter((item) => item !== '')
  return typeof raw === 'object' ? undefined : String(raw)
}

/** `2GB`, `500 mb`, `1024` → bytes. */
export function toBytes(text: string): number | undefined {
  const [, amount, unit] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(text) ?? []
  const factor = unit === undefined ? undefined : BYTES[unit.toLowerCase()]
  return amount === undefined || factor === undefined ? undefined : Math.round(Number(amount) * factor)
}

/** Limit in days: `90d`, `2w`, or `off` for none, which is Infinity. */
export const toDayLimit = (text: string): number | undefined =>
  /^\s*(?:off|none|never|forever|unlimited|false)\s*$/i.test(text) ? Infinity : toDays(text)

/** `90d`, `2w`, `6m`, `1y` → days. */
function toDays(text: string): number | undefined {
  const [, amount, unit] = /^\s*(\d+(?:\.\d+)?)\s*([dwmy])\s*$/i.exec(text) ?? []
  return amount === undefined ? undefined : Number(amount) * DAYS[unit!.toLowerCase()]!
}

function toSwitch(text: string): boolean | undefined {
  const word = text.trim().toLowerCase()
  return TRUTHY.has(word) ? true : FALSY.has(word) ? false : undefined
}

/** One sentence about an unknown entry of config.yml. */
export const sayUnknownSetting = ({ name, meant }: { name: string; meant: string | undefined }): string =>
  `config.yml sets "${name}", and there is no such setting${meant === undefined ? '; `ken config` lists them.' : `. Did you mean "${meant}"?`}`
