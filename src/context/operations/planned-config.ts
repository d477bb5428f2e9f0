import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import type { Given } from '../../operations/context.ts'
import { configChanges } from '../domain/context-project/config-changes.ts'
import { diagnoseConfig } from '../domain/context-project/config-diagnostics.ts'
import type { ContextConfig } from '../domain/context-project/config.ts'
import { readConfig } from '../domain/context-project/read-config.ts'
import { changeOf } from '../domain/context-project/trust.ts'
import type { ContextProject } from '../ports/context-project.ts'

export const configDiagnostic = z.object({
  line: z.number(),
  column: z.number(),
  end_line: z.number(),
  end_column: z.number(),
  message: z.string(),
  hint: z.string(),
})

export const configChange = z.object({
  added: z.array(z.string()),
  removed: z.array(z.string()),
  changed: z.array(z.string()),
})

export const untrustedEntry = z.object({
  entry: z.string(),
  reaches: z.array(z.string()),
  change: z.string().optional().describe('Changes since it was trusted.'),
})

interface PlannedConfig {
  /** Undefined if the text is invalid. */
  readonly config: ContextConfig | undefined
  readonly diagnostics: z.output<typeof configDiagnostic>[]
  readonly changes: z.output<typeof configChange>
}

/** Problems in a ken.yaml, and the entries that it would add to and remove from another ken.yaml. Nothing is opened. */
export async function planConfig(
  ctx: Given<'machine'>,
  text: string,
  before: string | undefined,
): Promise<PlannedConfig> {
  const rules = await ctx.contextDefinitions()
  const { config, diagnostics } = diagnoseConfig(text, rules)
  const { added, removed, changed } =
    config === undefined
      ? NOTHING
      : configChanges(
          readable(before, (yaml) => readConfig(yaml, rules)),
          config,
        )
  return {
    config,
    diagnostics: [...diagnostics],
    changes: { added: [...added], removed: [...removed], changed: [...changed] },
  }
}

const NOTHING = { added: [], removed: [], changed: [] }

function readable(text: string | undefined, read: (text: string) => ContextConfig): ContextConfig | undefined {
  try {
    return text === undefined ? undefined : read(text)
  } catch {
    return undefined
  }
}

/** Entries that must be trusted first. */
export function untrustedIn(ctx: Given<'machine'>, project: ContextProject): z.output<typeof untrustedEntry>[] {
  const granted = ctx.trust.find(project.root)?.granted
  return project
    .reach()
    .filter(({ allowed }) => !allowed)
    .map((reach) => ({
      entry: reach.key,
      reaches: [...reach.lines],
      ...(granted?.[reach.key] !== undefined && { change: changeOf(reach, granted) }),
    }))
}

export const textField = {
  text: z.string().max(1_000_000).optional().describe('The new text.'),
  stdin: z.boolean().default(false).describe('Read it from a pipe: `ken context save RULES.md --stdin < new.md`.'),
}

/** Text from the caller, or from a pipe at the terminal, which only that surface has. */
export async function textGiven(
  ctx: Given<'machine'>,
  { text, stdin }: { readonly text?: string | undefined; readonly stdin: boolean },
): Promise<string> {
  if (text !== undefined) return text
  const piped = stdin && ctx.origin.surface === 'cli' ? await ctx.files.input() : ''
  if (piped !== '') return piped
  throw new AppError('invalid_input', 'No text given.', {
    hint: 'Pipe it with --stdin, or pass --text.',
  })
}
