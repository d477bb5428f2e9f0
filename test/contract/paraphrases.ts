import { cosine } from '../../src/retrieval/domain/ranking/vector.ts'
import type { Embedder } from '../../src/retrieval/ports/embedder.ts'

/** A decision, and a question about it that shares no word with it. */
export const PARAPHRASES: readonly (readonly [decision: string, question: string])[] = [
  ['Rows are flagged as deleted and stay in the table.', 'can an erased record be brought back'],
  ['Money is stored as integer cents.', 'how do we represent prices without rounding errors'],
  ['Passwords are hashed with argon2.', 'protecting user credentials'],
  ['Redis keeps hot query results for five minutes.', 'speeding up repeated reads'],
  ['Errors are reported to the on-call engineer by pager.', 'who gets woken up when something breaks'],
  ['Uploads go straight to an object store such as S3.', 'where do images and attachments live'],
]

/** Number of questions whose own decision is nearest. Closes the embedder. */
export async function countNearest(embedder: Embedder, cases: typeof PARAPHRASES): Promise<number> {
  const decisions = await embedder.embed(
    cases.map(([decision]) => decision),
    'document',
  )
  const questions = await embedder.embed(
    cases.map(([, question]) => question),
    'query',
  )
  await embedder.close()
  return questions.filter((question, i) => {
    const scores = decisions.map((decision) => cosine(question, decision))
    return scores.indexOf(Math.max(...scores)) === i
  }).length
}
