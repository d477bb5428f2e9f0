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

export const machineFields = (operation: string, fields: readonly string[]): readonly string[] =>
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
