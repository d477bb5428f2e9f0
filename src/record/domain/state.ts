import { codePoints, ellipsis, strip } from '../../kernel/domain/text.ts'
import { outsideFences } from '../../kernel/domain/text/markdown-fences.ts'

const NOT_A_WORD = new Set(['the', 'a', 'an', 'to', 'and', 'or', 'is', 'was', '-'])
const ENOUGH_SHARED = 3

export interface StateFiles {
  readonly current: string | undefined
  readonly history: string | undefined
  /** The single file of old stores; read if `current` is missing, never written. */
  readonly legacy: string | undefined
}

export type StateChange =
  | { readonly status: 'noop' }
  | {
      readonly status: 'ok'
      readonly current: string
      readonly history: string | undefined
      readonly warning: string | undefined
    }

/** Replaces the current state and moves the old one into the history, under the time of the change. */
export function updateState(files: StateFiles, delta: string, now: Date): StateChange {
  const before = files.current ?? files.legacy
  if (before === undefined) return { status: 'noop' }
  const stamp = `${now.toISOString().slice(0, 16)}Z`
  const body = stateBody(before)
  return {
    status: 'ok',
    current: `# Current State\n\n${delta}\n\n*Last updated: ${stamp}*\n`,
    history: body === '' ? undefined : `${files.history ?? ''}## ${stamp}\n\n${body}\n\n---\n`,
    warning: files.current === undefined ? undefined : overlapWarning(before, delta),
  }
}

/** Appends a text to the state; removes nothing except the placeholder line of a new record. */
export function addToState(files: StateFiles, text: string, now: Date): StateChange {
  const before = files.current ?? files.legacy
  if (before === undefined) return { status: 'noop' }
  const body = stateBody(before)
  const more = strip(text)
  if (body === '' || body === STARTED) return updateState(files, more, now)
  const isItem = !more.includes('\n') && /^[-*] /.test(body.split('\n').at(-1)!)
  const next = isItem ? `${body}\n${/^[-*] /.test(more) ? '' : '- '}${more}` : `${body}\n\n${more}`
  const { current } = updateState(files, next, now) as { current: string }
  return {
    status: 'ok',
    current,
    history: undefined,
    warning: files.current === undefined ? undefined : overlapWarning(before, more),
  }
}

/** The state of a new record. */
export const STARTED = '- Record started; nothing built yet.'

/** Compares two states by line, ignoring blank lines and the placeholder line of a new record. */
export function compareStates(before: string, after: string): { kept: number; added: string[]; gone: string[] } {
  const [was, is] = [before, after].map((text) =>
    stateBody(text)
      .split('\n')
      .filter((line) => line.trim() !== ''),
  )
  const [known, now] = [new Set(was), new Set(is)]
  return {
    kept: is!.filter((line) => known.has(line)).length,
    added: is!.filter((line) => !known.has(line)),
    gone: was!.filter((line) => !now.has(line) && line !== STARTED),
  }
}

/** The state without its heading and time lines. */
export function stateBody(text: string): string {
  const kept = text
    .split('\n')
    .filter((line) => !line.startsWith('# Current State') && !/^\*Last updated: .*\*\s*$/.test(line))
  return strip(kept.join('\n'))
}

/** The first bullet that shares three words with the new text: it may be the same fact twice. */
function overlapWarning(before: string, delta: string): string | undefined {
  const words = contentWords(delta)
  const similar = before
    .split('\n')
    .map((line) => line.trim())
    .find(
      (line) =>
        line.startsWith('- ') &&
        !line.toLowerCase().includes('none yet') &&
        shared(contentWords(line), words) >= ENOUGH_SHARED,
    )
  return similar === undefined ? undefined : `State update shares keywords with existing entry: ${similar}`
}

const contentWords = (text: string): Set<string> =>
  new Set(
    text
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '' && !NOT_A_WORD.has(word)),
  )

const shared = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => [...a].filter((word) => b.has(word)).length

const MOST_ITEMS = 20
const LONGEST_ITEM = 300
const LONGEST_TOTAL = 2000

/** The bold names of the top-level bullets, for a one-line summary. */
export const stackNames = (text: string): string[] =>
  text.split('\n').flatMap((line) => /^[-*] \*\*(.+?)\*\*/.exec(line)?.[1] ?? [])

/** Headings and first-level items of stack.md (paragraphs if there are none) within the limits, noting omissions. */
export function stackOutline(text: string): string {
  const lines = text.split('\n')
  const open = outsideFences(lines)
  const visible = lines.filter((_, i) => open[i])
  const items = visible.filter((line) => /^#{2,6} /.test(line) || /^[-*+] |^\d+[.)] /.test(line))
  const source = items.some((line) => !line.startsWith('#'))
    ? items
    : visible.filter((line) => line.trim() !== '' && !line.startsWith('# '))
  const kept: string[] = []
  let total = 0
  for (const line of source) {
    const item = ellipsis(line.trimEnd(), LONGEST_ITEM)
    total += codePoints(item) + 1
    if (kept.length >= MOST_ITEMS || total > LONGEST_TOTAL) break
    kept.push(item)
  }
  const left = source.length - kept.length
  return [...kept, ...(left > 0 ? [`(+${left} more in stack.md)`] : [])].join('\n')
}
