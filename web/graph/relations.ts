import type { PageData } from '../../src/core/graph/page.ts'

/** How one decision hangs together with others, by their places. */
export interface Relations {
  readonly replaces: number[]
  readonly replacedBy: number[]
  readonly cites: number[]
  readonly citedBy: number[]
  readonly questions: { readonly id: string; readonly body: string }[]
}

export function relate(data: PageData, places: ReadonlyMap<string, number>): Relations[] {
  const relations = data.graph.decisions.map((): Relations => ({
    replaces: [],
    replacedBy: [],
    cites: [],
    citedBy: [],
    questions: [],
  }))
  for (const [from, to] of data.layout.supersessions) {
    relations[from]!.replaces.push(to)
    relations[to]!.replacedBy.push(from)
  }
  for (const [from, to] of data.layout.citations) {
    relations[from]!.cites.push(to)
    relations[to]!.citedBy.push(from)
  }
  for (const question of data.graph.questions)
    for (const id of question.decisions) relations[places.get(id)!]!.questions.push(question)
  return relations
}
