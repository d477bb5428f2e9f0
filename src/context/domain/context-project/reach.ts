import { sha256 } from '../../../kernel/domain/sha256.ts'
import type { ContextConfig } from './config.ts'
import { referredNames, SECRET_VARIABLE } from './references.ts'
import { isSecretField, REFERENCE, withoutSecrets } from './secret-fields.ts'
import type { Reached } from './source-rules.ts'

/** Resources that one entry of ken.yaml accesses beyond the files of its project. */
export interface Reach {
  /** The source's key: `database/shop`; `templates` for the template folder. */
  readonly key: string
  /** The accesses in plain words, without secrets; empty if the entry stays inside the project. */
  readonly lines: readonly string[]
}

export interface JudgedReach extends Reach {
  /** Whether every line was allowed, with the same wording. */
  readonly allowed: boolean
}

export interface Surroundings {
  /** Target of a path outside the project, following links; undefined if it stays inside. */
  outside(path: string): string | undefined
  /** A variable from the project's `.env`, which may come with a clone, like ken.yaml itself. */
  fromEnvFile(name: string): string | undefined
  /** A hash of a project file's content; undefined if it is not a plain file of the project. */
  fileMark(path: string): string | undefined
}

/**
 * The reach of every entry. Depends only on the fields that determine it, so other edits of ken.yaml do not change it.
 */
export function reachOf({ entries }: Pick<ContextConfig, 'entries'>, around: Surroundings): readonly Reach[] {
  return entries.map(({ key, value, secrets, reaches }) => {
    const told = reaches.filter((reached) => 'tells' in reached)
    const others = reaches.filter((reached) => !('tells' in reached))
    const taken = referredNames(value).map((name) => `take ${name} from the environment`)
    const linesOf = (reached: Reached): readonly string[] => reachedLines(reached, secrets, around)
    return { key, lines: [...others.flatMap(linesOf), ...taken, ...told.flatMap(linesOf)].map(visible) }
  })
}

function reachedLines(reached: Reached, secrets: readonly string[], around: Surroundings): readonly string[] {
  const filled = (field: string, text: string): string => fillFromFile(field, text, around)
  if ('opens' in reached) return outsideLine(filled('path', reached.opens), around)
  if ('fetches' in reached) {
    const by = reached.with === undefined ? '' : ` with ${reached.with}`
    return [`fetch ${withoutSecrets('url', filled('url', reached.fetches))}${by}`]
  }
  if ('tells' in reached) return [`tell ${reached.tells}`]
  if ('runs' in reached)
    return runLines(
      reached.runs.map((word) => filled('argument', word)),
      around,
    )
  if ('gives' in reached) {
    const { gives, field, value } = reached
    // A scheme such as `Bearer` may precede the reference; anything else could be part of the secret.
    const isHidden = isSecretField(field, secrets) && !/^(?:[A-Za-z]{1,10} )?\$\{[^}]*\}$/.test(value)
    const shown = isHidden ? `#${sha256(value).slice(0, 12)}` : withoutSecrets('', filled(field, value))
    return [`give it the ${gives} ${field} ${shown}`]
  }
  const article = /^[aeiou]/i.test(reached.uses) ? 'an' : 'a'
  return [`use ${article} ${reached.uses} database`, ...fieldLines(reached.fields, { filled, secrets })]
}

/** The user grants trust based on these lines, so nothing in them may be hidden, reversed or move the cursor. */
const visible = (line: string): string =>
  line.replaceAll(/[\p{C}\u2028\u2029]/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)

function outsideLine(path: string, { outside }: Surroundings): readonly string[] {
  const place = outside(path)
  return place === undefined ? [] : [`read ${place}`]
}

/**
 * A program from the clone is trusted with its current content, which can change while the command line stays the same.
 */
function runLines(words: readonly string[], { fileMark }: Surroundings): readonly string[] {
  const files = words.flatMap((word) => {
    const mark = fileMark(word)
    return mark === undefined ? [] : [`run ${wordOf(word)} as it is now (#${mark.slice(0, 12)})`]
  })
  return [`run ${words.map((word) => wordOf(withoutSecrets('', word))).join(' ')}`, ...files]
}

/** Quotes a word with spaces, so that it is not read as several. */
const wordOf = (word: string): string => (/^[\w@%+=:,./#-]+$/.test(word) ? word : JSON.stringify(word))

interface FieldWords {
  readonly secrets: readonly string[]
  filled(field: string, text: string): string
}

function fieldLines(value: unknown, words: FieldWords, at = ''): readonly string[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([key, inner]) => fieldLines(inner, words, at === '' ? key : `${at}.${key}`))
  const field = at.slice(at.lastIndexOf('.') + 1)
  if (value === undefined || isSecretField(field, words.secrets)) return []
  return [`${at} ${withoutSecrets(field, words.filled(field, String(value)))}`]
}

/**
 * Replaces references with their values from the project's `.env`, so that a change is detected; secrets become hashes.
 */
function fillFromFile(field: string, text: string, { fromEnvFile }: Surroundings): string {
  return text.replaceAll(REFERENCE, (whole: string, name: string, instead: string | undefined) => {
    const found = fromEnvFile(name) || instead
    if (found === undefined) return whole
    // A path is not a secret, and in an address only the password is.
    const isShown = field === 'path' || found.includes('://') || !SECRET_VARIABLE.test(name)
    return isShown ? found : `#${sha256(found).slice(0, 12)}`
  })
}
