import { createHash } from 'node:crypto'
import { join } from 'node:path'

/**
 * Folder for this machine's data about a record, outside the record and named after its real path. `stateDir` is
 * `KEN_HOME/records`.
 */
export const recordStateFolder = (stateDir: string, root: string): string =>
  join(stateDir, createHash('sha256').update(root).digest('hex').slice(0, 16))
