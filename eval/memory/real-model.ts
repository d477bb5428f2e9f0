import { extractionPrompt } from '../../src/analyst/domain/user-memory/extraction-prompt.ts'
import { NO_PROPOSALS, readProposals, type MemoryProposals } from '../../src/analyst/domain/user-memory/proposal.ts'
import { openKen } from '../../src/app/open.ts'
import type { SpokenCase } from './read-cases.ts'

interface RealExtractor {
  readonly name: string
  extract(one: SpokenCase): Promise<MemoryProposals>
  close(): Promise<void>
}

/** Opens the model set in `KEN_MODEL`, or returns the reason why there is none. */
export async function openRealExtractor(): Promise<RealExtractor | { readonly reason: string }> {
  const ken = openKen(process.env, () => {})
  const model = await ken.context({ origin: { surface: 'cli' }, cwd: process.cwd() }).models.language()
  if (model === undefined) {
    await ken.close()
    return { reason: 'the setting model.name (KEN_MODEL) names none.' }
  }
  return {
    name: model.id,
    async extract(one) {
      const request = {
        ...extractionPrompt(one.messages, one.holding),
        maxTokens: 1_000,
        signal: AbortSignal.timeout(120_000),
      }
      return readProposals(await model.write(request)) ?? NO_PROPOSALS
    },
    close: () => ken.close(),
  }
}
