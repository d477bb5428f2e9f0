import { PERMISSION_LINES, type PermissionLine } from './permission-lines.ts'
import type { Role, Scope } from './role.ts'

/** The properties of an operation that permissions depend on; see `src/operations/operation.ts`. */
export interface Declared {
  readonly name: string
  readonly toolset: string
  readonly effect: 'read' | 'write'
  readonly destructive: boolean
  readonly anywhere: boolean
  readonly isServed: boolean
  /** Surfaces on which a server does not offer the operation. */
  readonly hiddenFrom: Readonly<Partial<Record<'mcp' | 'http' | 'app', string>>>
  readonly fields: readonly string[]
}

/** Means by which a person acts, closest to them first. */
export const THROUGH = ['browser', 'token', 'agent'] as const
export type Through = (typeof THROUGH)[number]

/** Who may perform one operation on a team server. */
export interface Permission {
  readonly least: Role | 'nobody'
  /** Scope of the role. */
  readonly of: 'organisation' | 'project'
  /** The scope that a token needs. */
  readonly scope: Scope
  /** Who may do it: `agent` any caller, `token` no agents, `browser` only a signed-in person. */
  readonly by: Through
  /** True if only the analyst calls it, within a turn of its caller. */
  readonly isInTurn: boolean
  /** Fields that are refused if they refer to something on the machine. */
  readonly without: readonly string[]
  readonly why: string
}

const DERIVED: ReadonlySet<string> = new Set(['record', 'memory', 'data', 'code', 'analyst', 'app'])

/** The only permission table. Undefined for anything not covered, which is refused. */
export function permissionOf(declared: Declared): Permission | undefined {
  const { name, effect, hiddenFrom, fields } = declared
  const line = lineOf(declared)
  if (line === undefined) return undefined
  const isInTurn = declared.toolset === 'analyst'
  return {
    least: line.least,
    of: line.of ?? (declared.anywhere ? 'organisation' : 'project'),
    scope: line.scope ?? (line.least === 'admin' ? 'admin' : effect),
    by: line.by ?? (isInTurn || hiddenFrom.mcp === undefined ? 'agent' : 'token'),
    isInTurn,
    without: machineFields(name, fields),
    why: line.why,
  }
}

function lineOf({ name, toolset, effect, destructive, isServed }: Declared): PermissionLine | undefined {
  if (!isServed) return { least: 'nobody', why: 'It needs files, programs or settings of a machine.' }
  if (Object.hasOwn(PERMISSION_LINES, name)) return PERMISSION_LINES[name]
  if (!DERIVED.has(toolset)) return undefined
  if (effect === 'read') return { least: 'viewer', why: 'It reads.' }
  if (destructive) return { least: 'admin', why: 'It takes something away.' }
  return { least: 'member', why: 'It writes.' }
}

/**
 * Input fields that name a file on the machine, its browser or its terminal; refused on a server. Those of `WITHIN`
 * name something inside the project instead.
 */
const NAMES: ReadonlySet<string> = new Set([
  'output',
  'file',
  'folder',
  'path',
  'root',
  'force',
  'open',
  'stdin',
  'pager',
  'daemon',
  'images',
])

const WITHIN: Readonly<Record<string, readonly string[]>> = {
  get_raw_file: ['path'],
  read_file: ['path'],
  list_files: ['folder'],
  list_decisions: ['file'],
  search_decisions: ['file'],
  context_show: ['file'],
  context_save: ['file'],
  context_git_set: ['folder'],
}

const BESIDES: Readonly<Record<string, readonly string[]>> = {
  models_pull: ['from'],
  sync_sources: ['watch', 'every'],
  run_sql: ['save'],
}

const machineFields = (operation: string, fields: readonly string[]): readonly string[] =>
  fields.filter(
    (field) =>
      BESIDES[operation]?.includes(field) === true || (NAMES.has(field) && WITHIN[operation]?.includes(field) !== true),
  )

/** Whether a value of such a field accesses the machine: `-` means the answer, and a `data:` URL contains its bytes. */
export const reachesMachine = (value: unknown): boolean => {
  if (value === undefined || value === null || value === false || value === '-') return false
  if (Array.isArray(value)) return value.some(reachesMachine)
  return !(typeof value === 'string' && value.startsWith('data:'))
}
