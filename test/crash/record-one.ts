import { decisionStem } from '../../src/record/domain/decision/decision-id.ts'
import { duplicateHash, formatHashIndex, parseHashIndex } from '../../src/record/domain/decision/duplicate.ts'
import { formatDecision } from '../../src/record/domain/decision/format.ts'
import { parseDecision } from '../../src/record/domain/decision/parse.ts'
import { HASHES, QUESTIONS, decisionPath } from '../../src/record/domain/files.ts'
import type { Store } from '../../src/record/ports/store.ts'
import { decision } from '../contract/decision-text.ts'

/** A typical proposal: a new file, the hash index, a question, and often an older decision that it supersedes. */
export async function recordOne(store: Store, title: string, began: () => void = () => {}): Promise<string> {
  return store.commit({ surface: 'cli', client: 'crash' }, async (draft) => {
    began()
    const { decisions } = await draft.catalogue()
    const num = (decisions.at(-1)?.num ?? 0) + 1
    const stem = decisionStem(num, title)
    const old = num % 2 === 0 ? decisions.findLast((d) => d.status === 'active') : undefined
    const made = decision(num, title, {
      rationale: `Recorded as number ${num}. ${'It holds for reasons that take some words to tell. '.repeat(12)}`,
      supersedes: old === undefined ? null : String(old.num),
    })
    draft.write(decisionPath(stem), formatDecision(made))
    if (old !== undefined) {
      const replaced = parseDecision((await draft.read(decisionPath(old.stem)))!, `${old.stem}.md`)
      draft.write(
        decisionPath(old.stem),
        formatDecision({ ...replaced, status: 'superseded', superseded_by: String(num) }),
      )
    }
    const hashes = parseHashIndex(await draft.read(HASHES))!
    draft.write(
      HASHES,
      formatHashIndex({
        ...hashes,
        [duplicateHash(made.title, made.rationale)]: { decision_id: stem, timestamp: 'now' },
      }),
    )
    draft.write(QUESTIONS, `${(await draft.read(QUESTIONS)) ?? '# Open Questions\n\n'}- [Q${num}] Is ${stem} right?\n`)
    draft.note('propose_decision', { decision: stem })
    draft.snapshot(`decision: ${stem}`)
    return stem
  })
}
