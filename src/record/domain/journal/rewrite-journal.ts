import type { JournalEvent } from './event.ts'
import { formatEvent, parseEvent, toLine } from './journal-lines.ts'

export interface JournalRewriting {
  change(text: string): Promise<string>
  rename(path: string): string
  /** The new hash of a changed text, by its old hash. */
  rehash(sha256: string): string
  sha256(text: string): string
}

const DEEPEST = 100

/**
 * Every line with its texts changed, and with the old pins replaced by pins of the new lines. A line without changes
 * keeps its bytes.
 */
export async function rewriteJournal(lines: readonly string[], rewriting: JournalRewriting): Promise<string[]> {
  const made = new Map<string, string>()
  const open = new Set(lines.map((text) => rewriting.sha256(text)))
  const pinned = (pin: string) => (made.has(pin) ? rewriting.sha256(made.get(pin)!) : pin)
  let waiting = lines.map((text) => ({ text, hash: rewriting.sha256(text), pins: parseEvent(text)?.pins ?? [] }))
  while (waiting.length > 0) {
    const left: typeof waiting = []
    for (const [at, line] of waiting.entries()) {
      // A cycle of pins cannot be resolved, so one of its lines is written without waiting for its pins.
      const isStuck = at === waiting.length - 1 && left.length === at
      if (!isStuck && line.pins.some((pin) => open.has(pin))) left.push(line)
      else {
        made.set(line.hash, await rewriteLine(line.text, { ...rewriting, pinned }))
        open.delete(line.hash)
      }
    }
    waiting = left
  }
  return [...new Set(lines.map((text) => made.get(rewriting.sha256(text))!))]
}

async function rewriteLine(
  text: string,
  rewriting: JournalRewriting & { pinned(pin: string): string },
): Promise<string> {
  const { event, readable } = toLine(text, '')
  const value: unknown = readable ? JSON.parse(text) : undefined
  if (event !== undefined) return rewriteEvent(text, rewriting)
  const changed = value === undefined ? undefined : await changeValue(value, rewriting.change)
  if (changed === undefined) return oneLine(await rewriting.change(text))
  return JSON.stringify(changed) === JSON.stringify(value) ? text : JSON.stringify(changed)
}

async function rewriteEvent(
  text: string,
  rewriting: JournalRewriting & { pinned(pin: string): string },
): Promise<string> {
  const { seal: _seal, ...event } = JSON.parse(text) as JournalEvent & { seal?: string }
  const { files, pins, after, ...rest } = event
  const said = (await changeValue({ ...rest, ...NAMES }, rewriting.change)) as typeof rest | undefined
  if (said === undefined) return oneLine(await rewriting.change(text))
  const changed = { ...said, ...namesOf(rest), facts: { ...said.facts, ...hashesOf(rest.facts) } }
  const renamed = Object.entries(files).map(
    ([path, hash]) => [rewriting.rename(path), hash === null ? null : rewriting.rehash(hash)] as const,
  )
  const made = {
    ...changed,
    files: Object.fromEntries(renamed),
    ...(after && { after }),
    ...(pins && { pins: pins.map((pin) => rewriting.pinned(pin)) }),
  }
  if (JSON.stringify(made) === JSON.stringify({ ...rest, files, ...(after && { after }), ...(pins && { pins }) }))
    return text
  return pins === undefined ? JSON.stringify(made) : formatEvent(made).slice(0, -1)
}

// Kept unchanged: other lines refer to these values, and random-looking ones are not secrets.
const NAMES = { id: null, at: null, operation: null }
const namesOf = ({ id, at, operation }: Pick<JournalEvent, 'id' | 'at' | 'operation'>) => ({ id, at, operation })
const hashesOf = (facts: JournalEvent['facts']): JournalEvent['facts'] =>
  Object.fromEntries(
    ['gave_up', 'base_commit'].filter((key) => Object.hasOwn(facts, key)).map((key) => [key, facts[key]]),
  )

/** Undefined if nested too deeply: the line is then changed as text. */
const changeValue = (value: unknown, change: JournalRewriting['change']): Promise<unknown> =>
  isDeep(value, 0) ? Promise.resolve(undefined) : changeStrings(value, change)

const isDeep = (value: unknown, depth: number): boolean =>
  depth > DEEPEST ||
  (typeof value === 'object' && value !== null && Object.values(value).some((item) => isDeep(item, depth + 1)))

async function changeStrings(value: unknown, change: JournalRewriting['change']): Promise<unknown> {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Promise.all(value.map((item) => changeStrings(item, change)))
  const entries = await Promise.all(
    Object.entries(value).map(async ([key, item]) => [await change(key), await changeStrings(item, change)] as const),
  )
  return Object.fromEntries(entries)
}

const oneLine = (text: string): string => text.replaceAll('\n', ' ')
