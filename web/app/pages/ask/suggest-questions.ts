interface Known {
  readonly mentions: readonly { readonly kind: string; readonly name: string; readonly mention: string }[]
  /** Titles, the newest first. */
  readonly decisions: readonly string[]
}

const MOST = 5

/** Questions that a project can answer, from its tables, decisions and skills; always at least one. */
export function exampleQuestions({ mentions, decisions }: Known): readonly string[] {
  const tables = mentions.filter(({ kind }) => kind === 'table')
  const [first, second] = tables
  const skill = mentions.find(({ kind }) => kind === 'skill')
  const [decision] = decisions
  const all = [
    ...(first === undefined ? [] : [`What is in ${first.mention}, and how much of it?`]),
    ...(second === undefined ? [] : [`How did ${second.mention} change over time? Draw it.`]),
    ...(decision === undefined ? [] : [`Why did we decide “${decision}”?`]),
    ...(skill === undefined ? [] : [`${skill.mention} for this month`]),
    'What happened in the last sessions?',
  ]
  return all.slice(0, MOST)
}
