import { AppError } from '../../../kernel/domain/errors.ts'
import { toAppError } from '../../../kernel/domain/to-app-error.ts'
import { visibleLine } from '../../../kernel/domain/trust/visible.ts'
import { readServers, SERVERS_FILE } from '../tool-server/server-config.ts'
import { diagnoseConfig } from './config-diagnostics.ts'
import type { ContextRules } from './source-rules.ts'

/** A fault that makes a context project unusable, with its place. */
export interface TreeFault {
  readonly path?: string | undefined
  /** 1-based line. */
  readonly line?: number | undefined
  readonly message: string
  /** The message may quote git or the system, including a folder or an address of the pulling machine. */
  readonly quotes?: true
}

const MOST = 20
const LONGEST = 500
const LARGEST_IGNORE = 256 * 1024

/** Faults in a context project, found in the texts of its files; empty if it is usable. */
export function judgeTree(read: (path: string) => string | undefined, rules: ContextRules): readonly TreeFault[] {
  const yaml = read('ken.yaml')
  if (yaml === undefined) return [{ path: 'ken.yaml', message: 'ken.yaml not found.' }]
  const faults: TreeFault[] = diagnoseConfig(yaml, rules).diagnostics.map(({ line, message, hint }) => ({
    path: 'ken.yaml',
    line,
    message: [message, hint].filter(Boolean).join(' '),
  }))
  for (const { name, problem } of readServers(read(SERVERS_FILE) ?? '').faults)
    faults.push({ path: SERVERS_FILE, message: name === undefined ? problem : `${name}: ${problem}` })
  if ((read('.kenignore') ?? '').length >= LARGEST_IGNORE)
    faults.push({ path: '.kenignore', message: 'It is larger than 256 KB.' })
  return shownFaults(faults)
}

/** Converts a thrown error to a fault. */
export const thrownFault = (thrown: unknown): readonly TreeFault[] => {
  const { line, details } = toAppError(thrown)
  const path = details?.['path']
  const isOwn = thrown instanceof AppError && thrown.code !== 'unavailable'
  return shownFaults([{ ...(typeof path === 'string' && { path }), message: line, ...(!isOwn && { quotes: true }) }])
}

/** Limits and escapes faults for display, as they quote third-party text. */
const shownFaults = (faults: readonly TreeFault[]): readonly TreeFault[] =>
  faults.slice(0, MOST).map(({ path, line, message, quotes }) => ({
    ...(path !== undefined && { path: visibleLine(path).slice(0, LONGEST) }),
    ...(line !== undefined && { line }),
    message: visibleLine(message).slice(0, LONGEST),
    ...(quotes && { quotes }),
  }))
