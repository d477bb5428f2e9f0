import { isMap, isNode, isSeq, LineCounter, type Node } from 'yaml'
import { AppError } from '../../../kernel/domain/errors.ts'
import { configSchema, fieldsAt, type ConfigEntry, type ContextConfig } from './config.ts'
import { entryFault } from './entry-fault.ts'
import { configFault, configValue, notYaml, parseConfig, readConfig, unfolded } from './read-config.ts'
import { plainSecrets, variableFor } from './secret-fields.ts'
import type { ContextRules } from './source-rules.ts'

/** A fault in ken.yaml; lines and columns are 1-based. */
interface ConfigDiagnostic {
  readonly line: number
  readonly column: number
  readonly end_line: number
  readonly end_column: number
  readonly message: string
  readonly hint: string
}

const MOST = 50

/** All faults of a ken.yaml, for an editor; `config` if it can be read anyway. */
export function diagnoseConfig(
  text: string,
  rules: ContextRules,
): { readonly config?: ContextConfig; readonly diagnostics: readonly ConfigDiagnostic[] } {
  try {
    const config = readConfig(text, rules)
    const { document, lines } = opened(text)
    const found = config.entries.flatMap((entry) => entryFaults(entry, rules, isMap(document?.get(entry.list))))
    return { config, diagnostics: found.map(({ path, fault }) => at(placeOf(document, path), lines, fault)) }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    const found = faultsOf(text, rules)
    return { diagnostics: (found.length > 0 ? found : [at(undefined, new LineCounter(), thrown)]).slice(0, MOST) }
  }
}

interface Found {
  readonly path: readonly PropertyKey[]
  readonly fault: AppError
}

/** Returns the parser's faults; empty if the text is too large for it, or the fault is not in one place. */
function faultsOf(text: string, rules: ContextRules): readonly ConfigDiagnostic[] {
  let value: unknown
  const { document, lines } = opened(text)
  if (document === undefined) return []
  if (document.errors.length > 0)
    return document.errors.slice(0, MOST).map((error) => at(error.pos, lines, notYaml(error, lines)))
  try {
    value = configValue(document)
  } catch {
    return []
  }
  const read = configSchema(rules).safeParse(value, { reportInput: true })
  return (read.error?.issues ?? []).flatMap(unfolded).map((issue) => {
    const fault = configFault(issue, value, fieldsAt(issue.path, rules))
    const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0]!] : issue.path
    return at(placeOf(document, path, issue.code === 'unrecognized_keys'), lines, fault)
  })
}

function opened(text: string): { readonly document: Parsed | undefined; readonly lines: LineCounter } {
  const lines = new LineCounter()
  try {
    return { document: parseConfig(text, lines), lines }
  } catch {
    return { document: undefined, lines }
  }
}

/** Faults of a readable entry: a field of its connection, or a secret in place of a variable. */
function entryFaults(entry: ConfigEntry, rules: ContextRules, isAlone: boolean): readonly Found[] {
  const wrong = entryFault(entry, rules)
  const path = isAlone ? [entry.list] : [entry.list, entry.name]
  return [
    ...(wrong === undefined ? [] : [{ path, fault: wrong }]),
    ...plainSecrets(entry.value, entry.secrets).map((field) => ({
      path: [...path, ...field.split('.')],
      fault: new AppError('invalid_input', `"${field}" contains a plain-text secret.`, {
        hint: `Write \${${variableFor(entry.name, field)}} there, and set it in the environment or in .env beside ken.yaml.`,
      }),
    })),
  ]
}

type Parsed = ReturnType<typeof parseConfig>
type Place = readonly [from: number, to: number]

/**
 * Returns the position of the deepest existing part of a path. A name in the path means the list entry with that name.
 */
function placeOf(document: Parsed | undefined, path: readonly PropertyKey[], isKey = false): Place | undefined {
  let node: unknown = document?.contents
  let place: Place | undefined
  for (const [i, part] of path.entries()) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isNode(key) && String(key.toJSON()) === String(part))
      if (pair === undefined) break
      const wanted = isKey && i === path.length - 1 ? pair.key : (pair.value ?? pair.key)
      // Marks only the key: marking a whole list or map would mark the page from here to its end.
      place = rangeOf(isMap(wanted) || isSeq(wanted) ? pair.key : wanted) ?? place
      node = pair.value
    } else if (isSeq(node)) {
      const item = node.items.find((one, number) => number === part || (isMap(one) && one.get('name') === part))
      if (item === undefined) break
      place = rangeOf(isMap(item) ? item.items[0]?.key : item) ?? place
      node = item
    } else break
  }
  return place
}

function rangeOf(node: unknown): Place | undefined {
  const range = isNode(node) ? (node as Node).range : undefined
  return range ? [range[0], range[1]] : undefined
}

function at(place: Place | undefined, lines: LineCounter, { message, hint }: AppError): ConfigDiagnostic {
  const from = place === undefined ? { line: 1, col: 1 } : lines.linePos(place[0])
  const to = place === undefined ? from : lines.linePos(Math.max(place[0], place[1]))
  return {
    line: from.line || 1,
    column: from.col || 1,
    end_line: to.line || from.line || 1,
    end_column: to.col || from.col || 1,
    message,
    hint: hint ?? '',
  }
}
