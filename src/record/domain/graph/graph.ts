import type { CatalogueEntry, UnreadableFile } from '../decision/catalogue.ts'
import {
  label,
  type Confidence,
  type Decision,
  type DecisionType,
  type RejectedAlternative,
  type Reversibility,
  type Status,
} from '../decision/decision.ts'
import type { Question } from '../question.ts'
import { keptRejections, lineageOf, type StandingRejection, standingRejections } from '../standing-rejections.ts'
import { citationEdges, referenceResolver, supersessionEdges, type DanglingReference } from './edges.ts'
import type { Edge } from './edges.ts'
import { groupingsOf, type Groupable, type Grouping } from './grouping.ts'
import { summarize, type GraphStats } from './stats.ts'

export interface GraphSource {
  readonly project: { readonly id: string; readonly name: string }
  readonly generatedAt: string
  /** By number, then by stem. */
  readonly decisions: readonly CatalogueEntry[]
  /** By stem; without decisions with unreadable text. Only needed for a graph with bodies. */
  readonly texts: ReadonlyMap<string, Decision>
  readonly questions: readonly Question[]
  readonly unreadable: readonly UnreadableFile[]
  /** Vectors of the decisions, by stem; without them topics are found by words. */
  readonly vectors?: ReadonlyMap<string, Float32Array>
  /** Groupings found before for the same decisions and vectors. */
  readonly groupings?: readonly Grouping[]
}

export interface GraphNode {
  /** The file name without `.md`: unique even if two decisions share a number. */
  readonly id: string
  readonly num: number
  readonly label: string
  readonly title: string
  readonly date: string
  readonly status: Status
  readonly confidence: Confidence
  readonly decision_type: DecisionType | null
  readonly reversibility: Reversibility | null
  readonly files_affected: readonly string[]
  readonly text: { readonly rationale: string; readonly rejected: readonly RejectedAlternative[] } | null
}

/** A decision that several decisions were merged into, or that was split into several. */
export interface BranchPoint {
  readonly id: string
  readonly replaces: number
  readonly replaced_by: number
}

export interface GraphQuestion {
  readonly id: string
  readonly body: string
  /** The decisions that the question refers to. */
  readonly decisions: readonly string[]
}

export interface DecisionGraph {
  readonly generator: 'ken graph'
  readonly version: 1
  readonly project: { readonly id: string; readonly name: string }
  readonly generated_at: string
  readonly decisions: readonly GraphNode[]
  /** `from` superseded `to`. */
  readonly supersessions: readonly Edge[]
  /** `from` mentions `to`; pairs linked by supersession are omitted. */
  readonly citations: readonly Edge[]
  /** Groups of two or more decisions linked by supersession, largest first. */
  readonly components: readonly (readonly string[])[]
  readonly branch_points: readonly BranchPoint[]
  /** Ways to group the decisions, most informative first. */
  readonly groupings: readonly Grouping[]
  readonly questions: readonly GraphQuestion[]
  readonly dangling: readonly DanglingReference[]
  readonly unreadable: readonly { readonly path: string; readonly message: string }[]
  readonly stats: GraphStats
}

/** All relations between the decisions of a record. The same record produces the same graph. */
export function buildGraph(source: GraphSource, options: { readonly bodies: boolean }): DecisionGraph {
  const { decisions, texts } = source
  const { edges: supersessions, dangling } = supersessionEdges(decisions)
  const citations = citationEdges(decisions, supersessions)
  const components = connected(
    decisions.map((d) => d.stem),
    supersessions,
  ).filter((members) => members.length > 1)
  const refersTo = referenceResolver(decisions)
  const lineage = lineageOf(decisions)
  const kept = (entry: CatalogueEntry) =>
    keptRejections(standingRejections(entry, lineage, ({ stem }) => texts.get(stem)))
  const questions = source.questions.map((q) => ({ id: q.id, body: q.body, decisions: refersTo(q.body) }))
  return {
    generator: 'ken graph',
    version: 1,
    project: { id: source.project.id, name: source.project.name },
    generated_at: source.generatedAt,
    decisions: decisions.map((entry) => toNode(entry, texts.get(entry.stem), options.bodies ? kept(entry) : undefined)),
    supersessions,
    citations,
    components,
    branch_points: branchPoints(decisions, supersessions),
    groupings: source.groupings ?? groupDecisions(source, options),
    questions,
    dangling,
    unreadable: source.unreadable.map(({ path, message }) => ({ path, message })),
    stats: summarize({ decisions, supersessions, citations, components, questions }),
  }
}

export const groupDecisions = (
  source: Pick<GraphSource, 'decisions' | 'texts' | 'vectors'>,
  { bodies }: { readonly bodies: boolean },
): readonly Grouping[] => groupingsOf(source.decisions.map((entry) => toGroupable(entry, source, bodies)))

/** Includes the text of the decision if `kept` is given. */
function toNode(
  entry: CatalogueEntry,
  text: Decision | undefined,
  kept: readonly StandingRejection[] | undefined,
): GraphNode {
  return {
    id: entry.stem,
    num: entry.num,
    label: label(entry.num),
    title: entry.title,
    date: entry.date,
    status: entry.status,
    confidence: entry.confidence,
    decision_type: entry.decision_type,
    reversibility: entry.reversibility ?? null,
    files_affected: entry.files_affected,
    text:
      kept !== undefined && text !== undefined
        ? { rationale: text.rationale, rejected: [...text.rejected, ...kept.map(asRejected)] }
        : null,
  }
}

const asRejected = ({ alternative, reason, by }: StandingRejection): RejectedAlternative => ({
  name: alternative,
  reason: [reason ?? '', `Rejected by ${label(by.num)}, which it came to replace.`].join(' ').trim(),
})

/** Without bodies a topic is named by titles alone: a word of a text would reveal part of it. */
function toGroupable(
  entry: CatalogueEntry,
  { texts, vectors }: Pick<GraphSource, 'texts' | 'vectors'>,
  bodies: boolean,
): Groupable {
  return {
    ...entry,
    tags: entry.tags ?? [],
    about: bodies ? (texts.get(entry.stem)?.rationale ?? '') : '',
    vector: vectors?.get(entry.stem),
  }
}

function branchPoints(decisions: readonly CatalogueEntry[], supersessions: readonly Edge[]): BranchPoint[] {
  const replaces = Map.groupBy(supersessions, (edge) => edge.from)
  const replacedBy = Map.groupBy(supersessions, (edge) => edge.to)
  return decisions
    .map(({ stem }) => ({
      id: stem,
      replaces: replaces.get(stem)?.length ?? 0,
      replaced_by: replacedBy.get(stem)?.length ?? 0,
    }))
    .filter((point) => point.replaces > 1 || point.replaced_by > 1)
}

/** The connected components, largest first, then by first member; members keep the order of `ids`. */
function connected(ids: readonly string[], edges: readonly Edge[]): string[][] {
  const parent = new Map(ids.map((id) => [id, id]))
  const rootOf = (id: string): string => {
    let root = id
    while (parent.get(root) !== root) root = parent.get(root)!
    for (let at = id; at !== root;) {
      const next = parent.get(at)!
      parent.set(at, root)
      at = next
    }
    return root
  }
  for (const { from, to } of edges) parent.set(rootOf(from), rootOf(to))
  return [...Map.groupBy(ids, rootOf).values()].sort((a, b) => b.length - a.length)
}
