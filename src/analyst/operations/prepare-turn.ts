import type { Given } from '../../operations/context.ts'
import type { AnalystState } from '../ports/analyst-state.ts'
import { analystOperations } from './analyst-tools.ts'
import type { AskedTurn } from './asked-turn.ts'
import { gatherTurn, type Gathered } from './gather-turn.ts'
import { contextHere } from './project-key.ts'

export interface ToPrepare extends Pick<AskedTurn, 'words' | 'images' | 'chat'> {
  /** Earlier questions of the chat. */
  readonly earlier: readonly string[]
  /** Whether an installed client answers: its tools run in another process, which cannot prompt. */
  readonly isClient: boolean
  /** Context window of the answerer, in tokens. */
  readonly window: number
}

/** The answerer's input and tools. */
export async function prepareTurn(
  ctx: Given<'context' | 'record'>,
  { words, images, chat, earlier, isClient, window }: ToPrepare,
  state: AnalystState,
): Promise<{ readonly names: ReturnType<typeof analystOperations>; readonly gathered: Gathered }> {
  const project = await contextHere(ctx)
  const record = await ctx.projects.find({ directory: ctx.cwd }).catch(() => undefined)
  const names = analystOperations(
    {
      context: project !== undefined,
      record: record !== undefined && record.absence === undefined,
      approval: !isClient,
    },
    ctx.offers,
  )
  const gathered = await gatherTurn(
    ctx,
    {
      words,
      earlier,
      chat: chat.id,
      projectKey: chat.project,
      images,
      tools: new Set(names),
      schemaTokens: Math.min(Number(ctx.settings.get('analyst.schemaTokens').value), Math.floor(window / 8)),
      exampleTokens: Math.min(Number(ctx.settings.get('analyst.exampleTokens').value), Math.floor(window / 16)),
    },
    { project, state },
  )
  return { names, gathered }
}
