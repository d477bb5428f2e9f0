import { addUsage } from '../../kernel/domain/model-usage.ts'
import type { Given } from '../../operations/context.ts'
import { askModel, type TurnResult } from '../ask-model.ts'
import { serverTools } from '../server-tools.ts'
import type { AnalystTool } from '../tool.ts'
import type { TurnWriter } from '../turn-writer.ts'
import { agreeOnStatement } from './agree-on-statement.ts'
import { analystTools } from './analyst-tools.ts'
import type { AskedTurn, ModelDesk } from './asked-turn.ts'
import { keepCall } from './keep-call.ts'
import { contextHere } from './project-key.ts'
import { withinLimits } from './turn-limits.ts'

/** A turn answered by a model, with Ken's operations and the tools of the project's MCP servers. */
export function answerByModel(
  ctx: Given<'analyst' | 'context'>,
  asked: AskedTurn,
  desk: ModelDesk,
): Promise<TurnResult> {
  const { state, writer, before, model } = desk
  const { chat, answer } = asked
  const tally = new Map<string, number>()
  return withinLimits(ctx, writer, async (caps, signal) => {
    const others = await toolsOfOthers(ctx, writer, signal)
    const own = await analystTools(ctx, desk.names, (call) => ({
      chat: chat.id,
      message: answer.id,
      call,
      tally,
      add: async (part) => void (await writer.add(part)),
    }))
    const keep = (call: Omit<Parameters<typeof keepCall>[2], 'model' | 'answer' | 'project'>): Promise<void> =>
      keepCall(ctx, state, { ...call, model: model.id, answer, project: chat.project })
    const agreed = asked.isSure
      ? await agreeOnStatement(ctx, desk, { caps, signal, keep: (call) => keep({ ...call, purpose: 'answer' }) })
      : undefined
    const content =
      agreed?.told === undefined ? desk.content : [...desk.content, { type: 'text' as const, text: agreed.told }]
    const result = await askModel({
      chat: chat.id,
      model,
      system: desk.system,
      history: before.messages,
      historyEnd: before.end,
      question: { role: 'user', content },
      hasOthersWords: desk.hasOthersWords,
      tools: [...own, ...others],
      caps,
      writer,
      queries: state.queries,
      clock: ctx.clock,
      signal,
      allowed: before.allowed,
      approve: asked.approve,
      keepCall: keep,
    })
    if (agreed === undefined) return result
    return { ...result, usage: addUsage(result.usage, agreed.usage), steps: result.steps + agreed.steps }
  })
}

/** Returns the tools of the project's MCP servers. A failing server is reported, and the turn continues without it. */
async function toolsOfOthers(
  ctx: Given<'context'>,
  writer: TurnWriter,
  signal: AbortSignal,
): Promise<readonly AnalystTool[]> {
  const project = await contextHere(ctx)
  if (project === undefined) return []
  const { tools, notices } = await serverTools({ servers: project.toolServers, redact: project.redact, signal })
  for (const text of notices) await writer.add({ kind: 'notice', text })
  return tools
}
