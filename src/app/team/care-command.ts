import { parseArgs } from 'node:util'
import type { Environment } from '../settings.ts'
import { auditCommand, retentionCommand } from './audit-command.ts'
import { backupCommand, restoreCommand } from './backup-command.ts'
import type { CareCommand, CareGiven } from './care-given.ts'
import { exportCommand } from './export-command.ts'
import { forgetCommand } from './forget-command.ts'

const COMMANDS: ReadonlyMap<string, CareCommand> = new Map([
  ['backup', backupCommand],
  ['restore', restoreCommand],
  ['audit', auditCommand],
  ['retention', retentionCommand],
  ['export', exportCommand],
  ['forget', forgetCommand],
])

export const CARE_HELP = `  backup FILE     Everything of the database as it is now, while servers go on; what people wrote and hashes of
                  their tokens are in it
  restore FILE    A backup into a database without tables of Ken, all of it or nothing
  audit           Who did what, the newest first, one JSON object a line: --person, --project, --organisation,
                  --operation, --outcome, --since, --until, --limit, and --before the place where a page ended
  retention       Ends what was kept long enough, as servers do every hour; with --audit-days also what is older of the
                  audit log, in all organisations; 30 is the least
  export FILE     Everything of --person <email or id> or --project <id>, as a .tar.gz with a README
  forget          Deletes everything of --person <email or id> or --project <id> for good, with --yes, and says what it
                  was and what is left; --backup-days is how long your backups live, which the proof names
`

/** Undefined if the first word is not one of these. */
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
