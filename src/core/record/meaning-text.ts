import { reasonsText, type Decision } from '../decision/decision.ts'
import { head } from '../text.ts'

const RATIONALE_HEAD = 1500
const LONGEST = 4000

/** What an embedder is shown of a decision: the first paragraphs carry the point, later ones blur it. */
export const meaningText = (decision: Pick<Decision, 'title' | 'rationale' | 'rejected'>): string =>
  head(`${decision.title}. ${head(decision.rationale, RATIONALE_HEAD)}\n${reasonsText(decision)}`, LONGEST)
