import { redactSecrets } from '../../../kernel/domain/secrets/redact.ts'
import { ellipsis } from '../../../kernel/domain/text.ts'
import { withoutInjected } from './injected.ts'

/**
 * Summarises a tool call on one line: the command, path, pattern, query or address in its input, without secrets and
 * without file content. Undefined if the input has none of these. `input` is in the client's log format: an object, its
 * JSON, a command line, or a patch.
 */
export function callDetail(input: unknown): string | undefined {
  const read = typeof input === 'string' ? (asJson(input) ?? input) : input
  const found =
    typeof read === 'string'
      ? (patchedFiles(read) ?? withoutHeredocs(read))
      : Array.isArray(read)
        ? wordsOf(read)
        : fromFields(read, 0)
  return found === undefined ? undefined : shown(found)
}

/** Long enough for a command with its options; a turn may have hundreds of calls. */
const LONGEST_DETAIL = 300
/** A longer command is a script; the shown part is much shorter. */
const LONGEST_READ = 20_000
/** Maximum number of paths shown from a list. */
const MOST_PATHS = 20

/** Redacts first, then folds, then cuts: half a secret is not recognised, nor is a key with joined lines. */
function shown(text: string): string | undefined {
  const line = redactSecrets(withoutInjected(text.slice(0, LONGEST_READ)))
    // Control and format characters would let a log overwrite terminal output.
    .text.replace(/[\s\p{C}]+/gu, ' ')
    .trim()
  return line === '' ? undefined : ellipsis(line, LONGEST_DETAIL)
}

// In order of priority; names are compared ignoring case, underscores and hyphens. Unlisted fields are not shown: they
// may contain a file's content, a password, or a page of prose.
const COMMANDS = ['command', 'cmd', 'commandline', 'script', 'action']
const PATHS = [
  'filepath',
  'path',
  'absolutepath',
  'targetfile',
  'notebookpath',
  'relativeworkspacepath',
  'relativefilepath',
  'dirpath',
  'directorypath',
  'filename',
  'file',
  'files',
  'paths',
  'filepaths',
  'oldpath',
  'sourcepath',
]
const PATTERNS = ['pattern', 'globpattern', 'regex', 'query', 'queries', 'searchterm', 'glob', 'include']
const ADDRESSES = ['url', 'urls', 'uri']
const PATCHES = ['patchtext', 'patch', 'input', 'changes']
/** Fields with the purpose of a sub-agent or skill call. */
const TASKS = ['description', 'skill', 'skillname']
/** Fields some clients wrap the input in. */
const WRAPPERS = ['args', 'arguments', 'params', 'parameters']

function fromFields(input: unknown, depth: number): string | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined
  const fields = new Map(Object.entries(input).map(([name, value]) => [name.toLowerCase().replace(/[_-]/g, ''), value]))
  const first = (names: readonly string[], read: (value: unknown) => string | undefined): string | undefined => {
    for (const name of names) {
      const text = read(fields.get(name))
      if (text !== undefined) return text
    }
    return undefined
  }
  const command = first(COMMANDS, (value) => commandOf(value, depth))
  const path = first(PATHS, pathsOf)
  // An editing tool's command is one word, such as "create": useless without its path.
  if (command !== undefined) return path === undefined || command.includes(' ') ? command : `${command} ${path}`
  const pattern = first(PATTERNS, pathsOf)
  if (pattern !== undefined) return path === undefined ? pattern : `${pattern} in ${path}`
  return (
    path ??
    first(ADDRESSES, pathsOf) ??
    first(PATCHES, patchOf) ??
    first(TASKS, asLine) ??
    (depth < 2
      ? first(WRAPPERS, (value) => fromFields(typeof value === 'string' ? asJson(value) : value, depth + 1))
      : undefined)
  )
}

function commandOf(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : commandText(value)
  // Codex: {"action": {"type": "exec", "command": ["ls"]}} and {"action": {"type": "search", "query": "…"}}.
  return Array.isArray(value) ? wordsOf(value) : depth < 2 ? fromFields(value, depth + 1) : undefined
}

/** Joins the words of a command: `["bash", "-lc", "npm test"]` becomes `npm test`. */
function wordsOf(words: readonly unknown[]): string | undefined {
  const [shell, flag, script] = words
  if (
    typeof script === 'string' &&
    /^(?:.*\/)?(?:ba|z|da|k)?sh$/.test(String(shell)) &&
    /^-[a-z]*c$/.test(String(flag))
  )
    return commandText(script)
  const text = words.filter((word) => typeof word === 'string').join(' ')
  return text === '' ? undefined : commandText(text)
}

/** A patch that a shell applies keeps that word, by which `toolKind` knows that files changed. */
function commandText(text: string): string {
  const files = patchedFiles(text)
  return files === undefined ? withoutHeredocs(text) : `apply_patch ${files}`
}

/**
 * A redirected here-document is the content of a file; for any other, such as a commit message or a script, the first
 * line is kept.
 */
function withoutHeredocs(command: string): string {
  const kept: string[] = []
  let end: string | undefined
  let isTold = false
  for (const line of command.slice(0, LONGEST_READ).split('\n')) {
    if (end !== undefined) {
      if (line.trim() === end) end = undefined
      else if (!isTold && line.trim() !== '') {
        kept.push(line, '…')
        isTold = true
      }
      continue
    }
    end = /<<-?\s*\\?(["']?)([A-Za-z_]\w*)\1/.exec(line)?.[2]
    isTold = />|\btee\b/.test(line)
    kept.push(end !== undefined && isTold ? `${line} …` : line)
  }
  return kept.join('\n')
}

/** The files named by a patch in `apply_patch` format. */
function patchedFiles(text: string): string | undefined {
  if (!text.includes('*** Begin Patch')) return undefined
  const files = [...text.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm)].map(([, path]) => path)
  return pathsOf(files)
}

function patchOf(value: unknown): string | undefined {
  if (typeof value === 'string') return patchedFiles(value)
  if (Array.isArray(value)) return pathsOf(value)
  // Codex: {"changes": {"src/x.ts": {"update": …}}}.
  return typeof value === 'object' && value !== null ? pathsOf(Object.keys(value)) : undefined
}

/** Reads a path, a list of paths, or a list of objects that each have one. */
function pathsOf(value: unknown): string | undefined {
  if (!Array.isArray(value)) return asLine(value)
  const paths = value.flatMap((each) => asLine(each) ?? fromFields(each, 2) ?? [])
  const more = paths.length > MOST_PATHS ? `, … ${paths.length - MOST_PATHS} more` : ''
  return paths.length === 0 ? undefined : paths.slice(0, MOST_PATHS).join(', ') + more
}

const asLine = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

function asJson(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null ? read : undefined
  } catch {
    return undefined
  }
}
