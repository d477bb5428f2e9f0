// Noncharacters, which regular text does not contain, and a random number per process: a file in a clone may contain
// anything, and its author must not be able to forge a mark.
const [OPEN, CLOSE] = [`\u{fdd0}${Math.floor(Math.random() * 2 ** 48).toString(36)}.`, '\u{fdd1}']

/** How a surface writes the names in a text. */
export interface Spelling {
  /** Undefined if there is no such operation; the text then stays unchanged. */
  operation(name: string, argument: string): string | undefined
  field(name: string): string
}

/**
 * Operation name in a text for both people and agents. Each surface spells it differently on output:
 * `operationNamed('get_decision', 2)` becomes `ken show 2` in a terminal and get_decision(2) for an agent.
 */
export const operationNamed = (name: string, argument: string | number = ''): string =>
  `${OPEN}${name}${argument === '' ? '' : `:${argument}`}${CLOSE}`

/** Field name in a text for both people and agents: --fail-on in a terminal, fail_on for an agent. */
export const fieldNamed = (name: string): string => `${OPEN}.${name}${CLOSE}`

export function spellNames(text: string, spelling: Spelling): string {
  if (!text.includes(OPEN)) return text
  return text.replaceAll(MARK, (mark, field: string | undefined, name: string | undefined, argument = '') =>
    field === undefined ? (spelling.operation(name!, argument) ?? mark) : spelling.field(field),
  )
}

/** Like `spellNames`, for every text inside a value. Returns the value itself if there is nothing to spell. */
export function spellDeep<T>(value: T, spelling: Spelling): T {
  if (typeof value === 'string') return spellNames(value, spelling) as T
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => spellDeep(item, spelling))
    return items.some((item, i) => item !== value[i]) ? (items as T) : value
  }
  if (![Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null)) return value
  const entries = Object.entries(value).map(([key, item]) => [key, item, spellDeep(item, spelling)] as const)
  return entries.some(([, before, after]) => before !== after)
    ? (Object.fromEntries(entries.map(([key, , after]) => [key, after])) as T)
    : value
}

// Contains no space, so that no line is broken inside a mark.
const MARK = new RegExp(
  `${OPEN.replace('.', '\\.')}(?:\\.([a-z][a-z0-9_]*)|([a-z][a-z0-9_]*)(?::([^\u{fdd0}\u{fdd1}\\s]{1,300}))?)${CLOSE}`,
  'g',
)
