import type { GroupKind } from '../../../../src/record/domain/graph/grouping.ts'
import type { ViewName } from '../../../graph/kit.ts'
import type { GraphState } from '../../../graph/mount-graph.ts'

type Chosen = Pick<GraphState, 'view' | 'by' | 'decision'>

/** The selection in the graph for the URL: `lineage/topic/D012`. */
export const graphAddress = ({ view, by, decision }: Chosen): string =>
  [view, by, ...(decision === undefined ? [] : [decision])].join('/')

/** Parses the selection; the graph ignores unknown values. */
export function graphState(address: string | undefined): Partial<Chosen> {
  const parts = (address ?? '').split('/').filter((part) => part !== '')
  const decision = parts.find((part) => /^D\d+$/.test(part))
  const [view, by] = parts.filter((part) => part !== decision)
  return {
    ...(view !== undefined && { view: view as ViewName }),
    ...(by !== undefined && { by: by as GroupKind }),
    decision,
  }
}
