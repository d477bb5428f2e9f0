import { expect, test } from 'vitest'
import { toAppError } from '../src/kernel/domain/to-app-error.ts'
import { PLAIN } from '../src/kernel/domain/view/view.ts'
import { dispatch, SERVER_COMMANDS } from '../src/surfaces/cli/dispatch.ts'
import { takeOutputFlags } from '../src/surfaces/cli/output-flags.ts'
import { parseArguments, type Terminal } from '../src/surfaces/cli/run.ts'
import { docsCommands } from './docs-commands.ts'

test('every command in the documentation is accepted with its options', async () => {
  const commands = docsCommands()
  expect(commands.length).toBeGreaterThan(1_000)
  const wrong: string[] = []
  const known = new Map<string, string | undefined>()
  for (const { page, line, words, isWhole } of commands) {
    const key = JSON.stringify([isWhole, words])
    if (!known.has(key)) known.set(key, await problemOf(words, isWhole))
    const problem = known.get(key)
    if (problem !== undefined) wrong.push(`${page}:${line} ken ${words.join(' ')}: ${problem}`)
  }
  expect(wrong).toEqual([])
})

/** The error for a command before it would run, if any; a complete command must also have valid input. */
async function problemOf(words: readonly string[], isWhole: boolean): Promise<string | undefined> {
  if (isServerCommand(words) || (words[0] ?? '').startsWith('<')) return undefined
  const errors: string[] = []
  const terminal: Terminal = {
    out: () => {},
    err: (text) => void errors.push(String(text)),
    view: () => PLAIN,
    trace: () => {},
    readText: () => '{}',
  }
  try {
    await dispatch(takeOutputFlags(filled(words)).rest, {
      terminal,
      version: '0.0.0',
      ask: async (_operation, rest) => rest,
      run: async (operation, rest, typed) => {
        const input = parseArguments(operation, rest, { terminal, typed })
        const checked = isWhole ? operation.input.safeParse(input) : undefined
        if (checked?.success === false)
          errors.push(checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '))
        return 0
      },
    })
  } catch (thrown) {
    errors.push(toAppError(thrown).line)
  }
  // A sentence may name an option alone, or a command without its required input.
  return isWhole ? errors[0] : errors.find((error) => !/needs a value|Say which/.test(error))
}

/** Separate programs, with their own flags. */
const isServerCommand = ([word]: readonly string[]): boolean =>
  SERVER_COMMANDS.some(({ command }) => command.split(' ')[0] === word)

/** Placeholders replaced by values; `--events` of `ken ask` belongs to the terminal alone. */
const filled = (words: readonly string[]): string[] =>
  words
    .filter((word) => word !== '--events')
    .map((word) => (word === 'N' ? '5' : word === 'q_…' ? 'q_0123456789ab' : word))
