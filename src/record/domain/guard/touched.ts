import { ellipsis } from '../../../kernel/domain/text.ts'
import { decisionTokens } from '../../../kernel/domain/text/decision-tokens.ts'
import { isTold, type Verdict } from '../../../retrieval/domain/ranking/verdict.ts'
import type { CatalogueEntry } from '../decision/catalogue.ts'
import { isSeed, label, type Decision } from '../decision/decision.ts'
import type { Finding } from './finding.ts'
import { tellingStems, type Topic } from './topics.ts'

export interface TopicHit {
  readonly topic: Topic
  readonly entry: CatalogueEntry
  readonly text: Decision
  readonly verdict: Verdict
}

const LONGEST_QUOTE = 80
const MOST_PER_FILE = 3
// Two words are often one phrase ("command line") that comments use with another meaning.
const LEAST_IN_COMMENT = 3

/** Active decisions that the words of the diff are about, one finding each, if the shared words can be named. */
export function touchedFindings(hits: readonly TopicHit[]): Finding[] {
  const judged = hits
    .filter(({ entry, verdict }) => entry.status === 'active' && !isSeed(entry) && isTold(verdict))
    .map((hit) => ({ hit, shared: sharedWords(hit) }))
    .filter(({ hit, shared }) => isAbout(hit, shared))
  const byDecision = Map.groupBy(judged, ({ hit }) => hit.entry.stem)
  const findings = [...byDecision.values()].map((group) => {
    const best = group.reduce((a, b) =>
      b.shared.title + b.shared.all.length > a.shared.title + a.shared.all.length ? b : a,
    )
    return {
      finding: toFinding(
        best.hit,
        best.shared,
        group.map(({ hit }) => hit.topic.file),
      ),
      weight: best.shared.title * 2 + best.shared.all.length,
    }
  })
  const byFile = Map.groupBy(findings, ({ finding }) => finding.file)
  return [...byFile.values()].flatMap((group) =>
    group
      .sort((a, b) => b.weight - a.weight)
      .slice(0, MOST_PER_FILE)
      .map(({ finding }) => finding),
  )
}

interface Shared {
  /** Number of shared words in the decision's title. */
  readonly title: number
  /** Shared words as spelled in the topic. */
  readonly all: readonly string[]
}

function sharedWords({ topic, entry, text }: TopicHit): Shared {
  const inTitle = new Set(decisionTokens(entry.title))
  const inText = new Set([
    ...inTitle,
    ...decisionTokens(`${text.rationale} ${text.rejected.map((r) => r.name).join(' ')}`),
  ])
  const telling = tellingStems(topic.query)
  const spelled = new Map(
    topic.query
      .split(/[^\p{L}\p{N}_]+/u)
      .flatMap((word) => decisionTokens(word).map((stem) => [stem, word.toLowerCase()])),
  )
  const all = [...telling].filter((stem) => inText.has(stem))
  return { title: all.filter((stem) => inTitle.has(stem)).length, all: all.map((stem) => spelled.get(stem) ?? stem) }
}

/**
 * A package must be named in full, by the title or as an alternative; other words must match the title: one common word
 * in the rationale would connect everything.
 */
function isAbout({ topic, text, verdict }: TopicHit, shared: Shared): boolean {
  if (topic.kind === 'package') {
    const telling = [...tellingStems(topic.query)]
    return (
      shared.title === telling.length ||
      text.rejected.some(({ name }) => telling.every((stem) => decisionTokens(name).includes(stem)))
    )
  }
  if (shared.title >= 2 && (topic.kind === 'name' || shared.all.length >= LEAST_IN_COMMENT)) return true
  return verdict === 'strong' && shared.title >= 1 && shared.all.length >= 3
}

function toFinding({ topic, entry }: TopicHit, shared: Shared, files: readonly string[]): Finding {
  const { num, title, status } = entry
  const act = {
    package: `brings in ${topic.spelled}`,
    comment: `says "${ellipsis(topic.spelled, LONGEST_QUOTE)}"`,
    name: `adds ${topic.spelled}`,
  }[topic.kind]
  return {
    kind: 'touched',
    severity: 'note',
    file: topic.file,
    line: topic.line,
    also: [...new Set(files)].filter((file) => file !== topic.file),
    decision: { num, label: label(num), title, status },
    reason: `${act}; ${label(num)} "${title}" is about ${shared.all.slice(0, 5).join(', ')}`,
  }
}
