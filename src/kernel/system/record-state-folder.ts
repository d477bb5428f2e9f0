import { createHash } from 'node:crypto'
import { join } from 'node:path'

/**
 * Where this machine keeps what it knows of a record apart from the record itself, named after the record's real path.
 * `stateDir` is `KEN_HOME/records`.
 */
export const recordStateFolder = (stateDir: string, root: string): string =>
  join(stateDir, createHash('sha256').update(root).digest('hex').slice(0, 16))
