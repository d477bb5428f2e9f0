import { FRONTMATTER_KEYS } from '../decision/decision.ts'
import { plainValue, readFrontmatter } from '../decision/frontmatter.ts'
import { parseDecision } from '../decision/parse.ts'
import type { SourceFile } from './plan.ts'

/** Target of each file of a nauro store. Every file of the store is in `files` or in `skipped`. */
export interface NauroPlan {
  readonly files: readonly { readonly from: string; readonly path: string; readonly text: string }[]
  /** By decision file: keys that would have made it unreadable, for the journal. */
  readonly moved: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Decisions imported unchanged although they cannot be parsed. */
  readonly unreadable: readonly { readonly path: string; readonly message: string }[]
  readonly skipped: readonly { readonly path: string; readonly reason: string }[]
}

const BOOKKEEPING: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\/)[^/]*\.(?:rmw)?lock$/, 'a lock file'],
  [/(?:^|\/)\.[^/]+\.tmp$/, 'the rest of an interrupted write'],
  [/^\.sync-state\.json$/, 'the state of the cloud sync'],
  [/^\.conflict-backup\//, 'a backup of a sync conflict'],
  [/\.html$/, 'a generated page'],
]
// Ken's own journal has that name.
const RENAMED: Readonly<Record<string, string>> = { 'journal/events.jsonl': 'journal/nauro-events.jsonl' }

/** Imports a store: decisions with their numbers and names, every other file byte for byte. */
export function planNauroImport(files: readonly SourceFile[]): NauroPlan {
  const taken: { from: string; path: string; text: string }[] = []
  const moved: Record<string, Record<string, unknown>> = {}
  const unreadable: { path: string; message: string }[] = []
  const skipped: { path: string; reason: string }[] = []
  for (const { path, text } of files) {
    const reason =
      BOOKKEEPING.find(([pattern]) => pattern.test(path))?.[1] ??
      (text === undefined ? 'not a text of the record' : undefined)
    if (reason !== undefined || text === undefined) {
      skipped.push({ path, reason: reason ?? '' })
      continue
    }
    const decision = /^decisions\/[^/]+\.md$/.test(path)
      ? convertDecision(text, path.slice('decisions/'.length))
      : undefined
    taken.push({ from: path, path: RENAMED[path] ?? path, text: decision?.text ?? text })
    if (decision !== undefined && Object.keys(decision.moved).length > 0) moved[path] = decision.moved
    if (decision?.fault !== undefined) unreadable.push({ path, message: decision.fault })
  }
  return { files: taken, moved, unreadable, skipped }
}

/**
 * One decision file as Ken can parse it; nearly every file keeps its bytes. Only keys that make it unreadable, such as
 * a title in the frontmatter or half an approval, are removed.
 */
export function convertDecision(
  source: string,
  filename: string,
): { text: string; moved: Record<string, unknown>; fault: string | undefined } {
  const text = source.replace(/^\ufeff/, '').replace(/\r\n/g, '\n')
  try {
    const { values, body } = readFrontmatter(text)
    if (isReadable(text, filename)) return { text, moved: {}, fault: undefined }
    const foreign = [...values.keys()].filter((key) => !(FRONTMATTER_KEYS as readonly unknown[]).includes(key))
    const yaml = text.slice(4, text.length - body.length - 4)
    const converted = `---\n${withoutKeys(yaml, new Set(foreign.map(String)))}---\n${body}`
    parseDecision(converted, filename)
    return {
      text: converted,
      moved: Object.fromEntries(foreign.map((key) => [String(key), plainValue(values.get(key))])),
      fault: undefined,
    }
  } catch (fault) {
    // Includes errors of the YAML parser: the file is imported in any case.
    return { text: source, moved: {}, fault: fault instanceof Error ? fault.message : String(fault) }
  }
}

function isReadable(text: string, filename: string): boolean {
  try {
    return parseDecision(text, filename) !== undefined
  } catch {
    return false
  }
}

/** A key includes its line and all following lines that do not start another key. */
function withoutKeys(yaml: string, keys: ReadonlySet<string>): string {
  let dropping = false
  return yaml
    .split('\n')
    .filter((line) => {
      const [, key] = /^["']?([^\s"'#:-][^"':]*?)["']?\s*:(?:\s|$)/.exec(line) ?? []
      if (key !== undefined) dropping = keys.has(key)
      return !dropping || line === ''
    })
    .join('\n')
}
