import { parseArgs } from 'node:util'
import type { Environment } from '../settings.ts'
import { backupCommand, restoreCommand } from './backup-command.ts'
import type { CareCommand, CareGiven } from './care-given.ts'

const COMMANDS: ReadonlyMap<string, CareCommand> = new Map([
  ['backup', backupCommand],
  ['restore', restoreCommand],
])

export const CARE_HELP = `  backup FILE     Everything of the database as it is now, while servers go on; what people wrote and hashes of
                  their tokens are in it
  restore FILE    A backup into a database without tables of Ken, all of it or nothing
`

/** Undefined where the first word is none of these. */
export async function careCommand(argv: readonly string[], environment: Environment): Promise<string | undefined> {
  const command = COMMANDS.get(argv[0] ?? '')
  if (command === undefined) return undefined
  const { values, positionals } = parseArgs({
    args: argv.slice(1),
    options: command.options,
    allowPositionals: true,
  })
  return command.run({ words: positionals, flags: values as CareGiven['flags'] }, environment)
}
