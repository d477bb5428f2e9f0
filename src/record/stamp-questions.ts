import { parseQuestions, questionNumber, resolveQuestions } from '../core/question/question.ts'
import { QUESTIONS } from '../core/record/files.ts'

/** Checks that every target is exactly one known question, then stamps and moves them. */
export function stampQuestions(
  text: string,
  targets: readonly string[],
  decision: number,
  now: Date,
): { text: string; ids: string[] } | { fault: string } {
  const known = parseQuestions(text)
  const numbers = targets.map(questionNumber)
  for (const [i, target] of targets.entries()) {
    const matches = known.filter((q) => q.number !== undefined && q.number === numbers[i])
    if (matches.length === 0) return { fault: `There is no question ${target}.` }
    if (matches.length > 1)
      return { fault: `Question ${target} stands more than once in ${QUESTIONS}; mend the file first.` }
  }
  const wanted = new Set(numbers as number[])
  const { text: resolved } = resolveQuestions(text, wanted, decision, now.toISOString().slice(0, 10))
  return { text: resolved, ids: [...wanted].map((n) => `Q${n}`) }
}
