import { chooseDatabase } from '../context/operations/run-statement.ts'
import { REGISTRY, type RegisteredOperation } from '../operations/registry.ts'
import type { Progress } from '../surfaces/cli/progress.ts'
import { parseArguments, type Terminal } from '../surfaces/cli/run.ts'
import { runSqlPrompt, type SqlPromptStart } from '../surfaces/cli/sql-prompt.ts'
import { editorOf } from './edit-text.ts'
import { openKen } from './open.ts'
import { openPromptHistory } from './prompt-history.ts'
import type { Environment } from './settings.ts'

interface Desk {
  readonly terminal: Terminal
  readonly environment: Environment
  readonly progress: Progress
}

/** The `ken sql` prompt, with the row format from its command line. */
export async function runSqlRepl(
  operation: RegisteredOperation,
  words: readonly string[],
  { terminal, environment, progress }: Desk,
): Promise<number> {
  const start = parseArguments(operation, words, { terminal, typed: 'sql' }) as Partial<SqlPromptStart>
  const ken = openKen(environment, (message) => terminal.err(`ken: ${message}`))
  try {
    const editText = editorOf(environment)
    const ctx = ken.context({
      origin: { surface: 'cli' },
      cwd: process.cwd(),
      progress: progress.say,
      ...(editText && { editText }),
    })
    const database = chooseDatabase(await ctx.contextProject(), start.database)
    // A wrong name, or a forbidden database, is reported before the first statement.
    await (await ctx.contextProject()).warehouse(database)
    return await runSqlPrompt(
      {
        ctx,
        terminal,
        input: process.stdin,
        output: process.stdout,
        history: openPromptHistory(ken.home, 'sql-history'),
        operation: (name) => REGISTRY.find((entry) => entry.name === name)!.load(),
      },
      { ...start, database },
    )
  } finally {
    progress.clear()
    await ken.close()
  }
}
