import type { Answering, ScriptedCall, ScriptedStep } from '../scripted-model.ts'

/** A model that calls one tool and ends after its result. */
export function callOneTool(script: ScriptedCall): Answering {
  return ({ body, tools, answers }): ScriptedStep => {
    const { responseMimeType, responseJsonSchema } = body.generationConfig ?? {}
    if (responseMimeType === 'application/json' || responseJsonSchema !== undefined) return JSON.stringify(ROUTED)
    const tool = tools.find(({ name }) => name.endsWith(script.tool))
    if (tool === undefined) {
      // Claude Code and Qwen Code may hide a tool until it is searched for.
      const search = answers.length === 0 ? tools.find(({ name }) => /^tool_?search$/i.test(name)) : undefined
      return search ? { call: { tool: search.name, input: { query: script.tool, max_results: 5 } } } : 'No such tool.'
    }
    const isAnswered = answers.some(({ tool: of }) => of === undefined || of.endsWith(script.tool))
    return isAnswered ? 'DONE' : { call: { tool: tool.name, input: script.input } }
  }
}

/** Gemini CLI first asks a model which model to use, and later whose turn it is. */
const ROUTED = {
  reasoning: 'scripted',
  model_choice: 'flash',
  complexity_reasoning: 'scripted',
  complexity_score: 1,
  next_speaker: 'user',
}
