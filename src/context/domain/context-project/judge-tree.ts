import { AppError } from '../../../kernel/domain/errors.ts'
import { toAppError } from '../../../kernel/domain/to-app-error.ts'
import { visibleLine } from '../../../kernel/domain/trust/visible.ts'
import { readServers, SERVERS_FILE } from '../tool-server/server-config.ts'
import { diagnoseConfig } from './config-diagnostics.ts'
import type { ContextRules } from './source-rules.ts'

/** What keeps a context project from being used, where it stands. */
export interface TreeFault {
  readonly path?: string | undefined
  /** From 1. */
  readonly line?: number | undefined
  readonly message: string
  /** It may quote git or the system, and with them a folder or an address of the machine that pulled. */
  readonly quotes?: true
}

const MOST = 20
const LONGEST = 500
const LARGEST_IGNORE = 256 * 1024

/** What is wrong with a context project, from the texts of its files; nothing where it can be used. */
export function judgeTree(read: (path: string) => string | undefined, rules: ContextRules): readonly TreeFault[] {
  const yaml = read('ken.yaml')
  if (yaml === undefined) return [{ path: 'ken.yaml', message: 'There is no ken.yaml.' }]
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

/** What was thrown on the way there. */
export const thrownFault = (thrown: unknown): readonly TreeFault[] => {
  const { line, details } = toAppError(thrown)
  const path = details?.['path']
  const isOwn = thrown instanceof AppError && thrown.code !== 'unavailable'
  return shownFaults([{ ...(typeof path === 'string' && { path }), message: line, ...(!isOwn && { quotes: true }) }])
}

/** They quote what strangers wrote. */
const shownFaults = (faults: readonly TreeFault[]): readonly TreeFault[] =>
  faults.slice(0, MOST).map(({ path, line, message, quotes }) => ({
    ...(path !== undefined && { path: visibleLine(path).slice(0, LONGEST) }),
    ...(line !== undefined && { line }),
    message: visibleLine(message).slice(0, LONGEST),
    ...(quotes && { quotes }),
  }))
