import { AppError } from '../kernel/domain/errors.ts'
import { findHidden } from '../kernel/domain/trust/visible.ts'
import type { Call } from '../kernel/ports/call.ts'
import type { CatalogueEntry } from './domain/decision/catalogue.ts'
import { DecisionFault } from './domain/decision/fault.ts'
import { parseDecision } from './domain/decision/parse.ts'
import { decisionPath } from './domain/files.ts'
import type { Store } from './ports/store.ts'
import { rebuildHashIndex } from './rebuild-hash-index.ts'
import { refreshAgentsMd } from './refresh-agents-md.ts'

/** Why a text is not a valid decision; undefined if it is valid. */
export function faultOfText(text: string, stem: string): string | undefined {
  const hidden = findHidden(text)
  if (hidden !== undefined) return `The text contains ${hidden.name} at character ${hidden.position}.`
  try {
    const { num } = parseDecision(text, `${stem}.md`)
    const heading = Number(/^#[^\S\n]+([0-9]+)[^\S\n]/m.exec(text)?.[1])
    return heading === num ? undefined : `The heading says ${heading}, and the decision is number ${num}.`
  } catch (thrown) {
    if (!(thrown instanceof DecisionFault)) throw thrown
    return `It would not be a decision any more: ${thrown.message}.`
  }
}

/** Replaces a decision's text with a person's edit, with a journal event and a snapshot, as `ken accept` does. */
export async function replaceText(
  ctx: Call,
  store: Store,
  { entry, before, after }: { entry: CatalogueEntry; before: string; after: string },
): Promise<void> {
  const path = decisionPath(entry.stem)
  await store.commit(ctx.origin, async (draft) => {
    if ((await draft.read(path)) !== before)
      throw new AppError('conflict', `${path} has changed since; your text was not written.`, {
        hint: 'Reload it and edit it again.',
      })
    draft.write(path, after)
    await rebuildHashIndex(ctx, store, draft)
    draft.note('accept', { files: [path] })
    draft.snapshot(`edit: ${entry.stem}`)
  })
  await refreshAgentsMd(ctx, store)
}
