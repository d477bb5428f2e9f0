import { nextQuestionNumber, parseQuestions } from './question.ts'

/** Gives every legacy entry a Q number, oldest last in the file lowest, and keeps its time in the text. */
export function migrateQuestions(text: string): { text: string; migrated: string[] } {
  const lines = text.split('\n')
  const legacy = parseQuestions(text).filter((q) => q.number === undefined)
  const first = nextQuestionNumber(text)
  const migrated: string[] = []
  for (const [i, question] of legacy.toReversed().entries()) {
    const id = `Q${first + i}`
    migrated.push(id)
    lines[question.from] = lines[question.from]!.replace(`[${question.loggedAt}]`, `[${id}]`)
    lines[question.to] = `${lines[question.to]!.trimEnd()} (logged ${question.loggedAt})`
  }
  return { text: lines.join('\n'), migrated }
}
