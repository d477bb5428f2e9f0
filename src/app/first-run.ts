import { call } from '../operations/call.ts'
import type { RegisteredOperation } from '../operations/registry.ts'
import { commandLine } from '../surfaces/cli/help.ts'
import { writeAnswer, type CommandManner, type Terminal } from '../surfaces/cli/run.ts'
import { openKen } from './open.ts'
import type { Environment } from './settings.ts'

/** Runs the setup of a repository that has no project yet; undefined elsewhere. */
export async function beginHere(
  cwd: string,
  environment: Environment,
  run: (words: readonly string[]) => Promise<number>,
): Promise<number | undefined> {
  return (await isNewRepository(cwd, environment)) ? run([]) : undefined
}

async function isNewRepository(cwd: string, environment: Environment): Promise<boolean> {
  const ken = openKen(environment, () => {})
  try {
    const ctx = ken.context({ origin: { surface: 'cli' }, cwd })
    return (await ctx.repository()) !== undefined && (await ctx.projects.find({ directory: cwd })) === undefined
  } catch {
    // If another project claims the folder, other commands explain that.
    return false
  } finally {
    await ken.close()
  }
}

/** Shows the output of `ken start`, then runs the command that it chose. */
export const showFirst = (
  terminal: Terminal,
  operationOf: (name: string) => Promise<RegisteredOperation>,
): CommandManner => ({
  isShown: true,
  async call(ctx, operation, input) {
    const answer = await call(ctx, operation, input)
    const now = ctx.clock.now()
    writeAnswer(operation, answer, { code: 0, terminal, now })
    const first = answer.output['first'] as
      | { operation: string; input: Record<string, unknown>; why: string }
      | undefined
    if (first === undefined) return answer
    const shown = await operationOf(first.operation)
    terminal.out(`\n${first.why}\n$ ${commandLine(shown, first.input)}\n`)
    writeAnswer(shown, await call(ctx, shown, first.input), { code: 0, terminal, now })
    return answer
  },
})
