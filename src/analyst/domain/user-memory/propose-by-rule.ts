import { sentencesOf } from '../../../kernel/domain/text/sentences.ts'
import { contentWords, folded, sharedWords } from './content-words.ts'
import type { MemoryCategory, MemoryRow } from './memory-row.ts'
import type { MemoryProposal, MemoryProposals } from './proposal.ts'
import { isChange, isRevocation } from './revocation.ts'
import { isSelfStatement } from './self-statement.ts'
import { isStandingInstruction } from './standing-instruction.ts'
import { isOtherValue } from './superseded-row.ts'
import type { UserMessage } from './user-messages.ts'

/**
 * Proposes memories from sentences plain enough for rules: standing instructions, descriptions of the user,
 * revocations. Used if no model is set; its proposals pass the same judge.
 */
export function proposeByRule(fresh: readonly UserMessage[], holding: readonly MemoryRow[]): MemoryProposals {
  const sentences = fresh.flatMap(({ text }) => sentencesOf(text))
  const items = sentences.flatMap((sentence): MemoryProposal[] => {
    if (isStandingInstruction(sentence)) return [proposed('global_rule', sentence, holding)]
    return isSelfStatement(sentence) && !isRevocation(sentence) ? [proposed('personal_fact', sentence, holding)] : []
  })
  const forget = sentences.filter(isRevocation).flatMap((sentence) => {
    const row = closest(sentence, holding)
    return row === undefined ? [] : [{ id: row.id, evidence: sentence }]
  })
  return { items, forget }
}

/** Whether messages may contain something to keep, so that calling a model is worthwhile. */
export const hasReason = (fresh: readonly UserMessage[]): boolean => fresh.some(({ text }) => SIGNAL.test(folded(text)))

const SIGNAL =
  /\b(?:i|i'm|im|i've|i'd|we|we're|my|our|mine|me|call me|always|never|ever|from now|from here|forward|future|default|rule|whenever|every ?time|each time|any ?time|permanent\w*|henceforth|remember|forget|no longer|any ?more|stop|instead|ich|wir|mein\w*|unser\w*|immer|nie|niemals|ab jetzt|ab sofort|von nun|kunftig|zukunft\w*|standardmassig|grundsatzlich|jedes ?mal|stets|dauerhaft|generell|vergiss|merk dir|nicht mehr|je|j'\w+|nous|mon|ma|mes|notre|nos|toujours|jamais|desormais|dorenavant|maintenant|defaut|chaque fois|oublie\w*|plus|l'avenir|yo|soy|somos|mi|mis|nuestr\w+|siempre|nunca|jamas|ahora|adelante|defecto|cada vez|olvida\w*|ya no|\w+amos|\w+emos|trabajo|prefiero|uso|vivo|llamo)\b/

function proposed(category: MemoryCategory, sentence: string, holding: readonly MemoryRow[]): MemoryProposal {
  const row = replaced(
    sentence,
    holding.filter((one) => one.category === category),
  )
  return { category, content: sentence, evidence: sentence, ...(row && { supersedes: row.id }) }
}

/**
 * Returns the row that a sentence supersedes. A superseded row is hidden, so similarity is not enough: the sentence
 * must contain a word of change, or another value for the same thing.
 */
function replaced(sentence: string, rows: readonly MemoryRow[]): MemoryRow | undefined {
  const own = contentWords(sentence)
  const found = rows.filter(({ content }) => {
    const theirs = contentWords(content)
    const shared = sharedWords(theirs, own)
    if (shared.length === 0) return false
    const likeness = shared.length / Math.min(own.length, theirs.length)
    const [gone, come] = [
      theirs.filter((word) => !shared.includes(word)),
      own.filter((word) => !sharedWords([word], theirs).length),
    ]
    const isValue = gone.some((old) => come.some((now) => isOtherValue(old, now)))
    return isValue || (isChange(sentence) && likeness >= 0.5)
  })
  return found.length === 1 ? found[0] : undefined
}

/** The row that a revoking sentence refers to. */
function closest(sentence: string, holding: readonly MemoryRow[]): MemoryRow | undefined {
  const own = contentWords(sentence)
  const scored = holding
    .map((row) => ({ row, shared: sharedWords(contentWords(row.content), own).length }))
    .filter(({ shared }) => shared > 0)
    .toSorted((a, b) => b.shared - a.shared)
  return scored.length === 1 || (scored[0]?.shared ?? 0) > (scored[1]?.shared ?? 0) ? scored[0]?.row : undefined
}
