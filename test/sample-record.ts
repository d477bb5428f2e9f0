import { toEntry } from '../src/record/domain/decision/catalogue.ts'
import { decisionStem } from '../src/record/domain/decision/decision-id.ts'
import type { Decision } from '../src/record/domain/decision/decision.ts'
import { formatDecision } from '../src/record/domain/decision/format.ts'
import { parseDecision } from '../src/record/domain/decision/parse.ts'
import type { GraphSource } from '../src/record/domain/graph/graph.ts'
import { openQuestions } from '../src/record/domain/question.ts'

export type Given = Partial<Decision> & Pick<Decision, 'num' | 'title'>

const PLAIN: Omit<Decision, 'num' | 'title'> = {
  date: '2026-01-01',
  confidence: 'high',
  version: 1,
  status: 'active',
  decision_type: null,
  reversibility: null,
  source: null,
  files_affected: [],
  supersedes: null,
  superseded_by: null,
  rejected: [],
  rationale: 'Because it is the simplest thing that holds.',
  body: '',
  content: '',
}

/** The record files for these decisions and open questions. */
export function recordFiles(decisions: readonly Given[], questions = ''): Record<string, string> {
  const files = decisions.map((given) => [
    `decisions/${decisionStem(given.num, given.title)}.md`,
    formatDecision({ ...PLAIN, ...given }),
  ])
  return { ...Object.fromEntries(files), 'open-questions.md': `# Open Questions\n\n${questions}` }
}

/** Input of a graph, parsed from record files. */
export function graphSource(decisions: readonly Given[], questions = ''): GraphSource {
  const read = Object.entries(recordFiles(decisions))
    .filter(([path]) => path.startsWith('decisions/'))
    .map(([path, text]) => ({
      stem: path.slice('decisions/'.length, -'.md'.length),
      decision: parseDecision(text, path.slice('decisions/'.length)),
    }))
  return {
    project: { id: '01J0000000000000000000HARB', name: 'Harbour' },
    generatedAt: '2026-07-01T10:00:00.000Z',
    decisions: read.map(({ stem, decision }) => toEntry(stem, decision)),
    texts: new Map(read.map(({ stem, decision }) => [stem, decision])),
    questions: openQuestions(`# Open Questions\n\n${questions}`),
    unreadable: [],
  }
}

const TYPES = ['architecture', 'api_design', 'infrastructure', 'pattern', 'refactor', 'data_model', null] as const

/** A record of any size with families, merges and citations; deterministic for a given count. */
export function manyDecisions(count: number): Given[] {
  const decisions = Array.from({ length: count }, (_, i): Given => ({
    num: i + 1,
    title: `Decision about subject ${i + 1}`,
    date: new Date(Date.UTC(2025, 0, 1 + Math.floor((i * 300) / count))).toISOString().slice(0, 10),
    decision_type: TYPES[(i * 5) % TYPES.length]!,
    confidence: (['high', 'medium', 'low'] as const)[i % 3]!,
    rationale: `It **follows** from D${1 + ((i * 7) % count)} and from what we measured.\n\n- one\n- two\n\n\`\`\`\nselect 1\n\`\`\``,
    rejected: [{ name: 'Do nothing', reason: 'It grows worse.' }],
  }))
  for (let i = 6; i < count; i += 5) {
    for (const older of i % 2 === 0 ? [i - 3] : [i - 3, i - 4])
      decisions[older] = { ...decisions[older]!, status: 'superseded', superseded_by: String(i + 1) }
    decisions[i] = { ...decisions[i]!, supersedes: String(i - 2) }
  }
  return decisions
}
