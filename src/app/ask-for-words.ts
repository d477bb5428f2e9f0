import { ellipsis } from '../kernel/domain/text.ts'
import { plainText } from '../kernel/domain/trust/visible.ts'
import { LIMITS } from '../record/domain/decision/screening.ts'
import type { Terminal } from '../surfaces/cli/run.ts'
import { openKen } from './open.ts'
import type { Environment } from './settings.ts'

interface Desk {
  readonly terminal: Terminal
  readonly environment: Environment
}

/**
 * Prompts for the rest of an incomplete command at a terminal and returns the words; undefined if the answer was no. A
 * script must be complete.
 */
export async function askForWords(
  operation: string,
  rest: readonly string[],
  desk: Desk,
): Promise<readonly string[] | undefined> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return rest
  return operation === 'propose_decision' ? decisionWords(rest, desk) : rest
}

const streams = { input: process.stdin, output: process.stdout }

/** Prompts for a decision unless its required reason is given. */
async function decisionWords(
  rest: readonly string[],
  { terminal, environment }: Desk,
): Promise<readonly string[] | undefined> {
  const { titles, flags } = splitWords(rest)
  const says = (name: string) => flags.has(name)
  if (titles.length > 1 || ['--rationale', '--title', '--json', '--help', '-h'].some(says)) return rest
  if (flags.get('--operation') === 'update') return rest
  const project = flags.get('--project') ?? flags.get('-p')
  const [{ askForDecision }, { editorOf }, { call }, { styledAnswer }, { REGISTRY }] = await Promise.all([
    import('../surfaces/cli/decision-wizard.ts'),
    import('./edit-text.ts'),
    import('../operations/call.ts'),
    import('../operations/answer.ts'),
    import('../operations/registry.ts'),
  ])
  const check = await REGISTRY.find(({ name }) => name === 'check_decision')!.load()
  const edit = editorOf(environment) ?? editorOf({ EDITOR: USUAL_EDITOR })!
  const ken = openKen(environment, (message) => terminal.err(`ken: ${message}`))
  try {
    const ctx = ken.context({ origin: { surface: 'cli' }, cwd: process.cwd() })
    // Fails before any prompt if there is no record.
    await ctx.record(project)
    const words = await askForDecision(titles[0]?.trim() || undefined, {
      streams,
      async showRelated({ title, rationale }) {
        const proposed = ellipsis(`${title}. ${rationale}`, LIMITS.approach)
        const answer = await call(ctx, check, { proposed_approach: proposed, ...(project && { project_id: project }) })
        terminal.out(styledAnswer(check, answer, terminal.view(ctx.clock.now())))
      },
      write: async (template) => withoutComments(await edit(template, 'DECISION.md')),
    })
    return words && [...rest, ...words]
  } finally {
    await ken.close()
  }
}

const USUAL_EDITOR = process.platform === 'win32' ? 'notepad' : 'vi'

const withoutComments = (text: string): string =>
  plainText(text)
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .trim()

/** Splits words into titles and flags; every flag of the command takes a value. */
function splitWords(rest: readonly string[]): { titles: string[]; flags: Map<string, string> } {
  const titles: string[] = []
  const flags = new Map<string, string>()
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at]!
    const [, name, value] = /^(--?[^=]+)(?:=(.*))?$/s.exec(word) ?? []
    if (name === undefined || name === '--') titles.push(word)
    else if (value !== undefined) flags.set(name, value)
    else flags.set(name, VALUELESS.has(name) ? '' : (rest[++at] ?? ''))
  }
  return { titles, flags }
}

const VALUELESS: ReadonlySet<string> = new Set(['--json', '--help', '-h'])
