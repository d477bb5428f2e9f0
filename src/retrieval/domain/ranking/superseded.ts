import { numberInName, stemOf, folderOf } from '../../../kernel/domain/adr/adr-name.ts'
import { refsIn, resolveRef } from '../../../kernel/domain/adr/adr-ref.ts'
import { analyseQuery, type QueryTerm } from '../../../kernel/domain/text/analyse.ts'
import type { DocumentFacts } from './indexed-document.ts'
import { withoutNumber } from './marks.ts'
import type { BestRow } from './rank-documents.ts'

/** Facts that ranking needs about a superseded document and its possible replacements. */
export type Described = Pick<DocumentFacts, 'collection' | 'path' | 'title' | 'superseded'>

/**
 * Weight of a superseded document if a current one covers the same topic, so that it ranks after the current one.
 * Chosen on Knowl's governance suite: at .3 three of 44 answers still had something stale, at .2 none.
 */
const GIVES_WAY = 0.2

/**
 * A superseded document ranks lower only if a current one covers more than this share of its coverage; at .65 the first
 * current fact of Knowl's governance suite is lost.
 */
const REPLACED_FROM = 0.6
/** Minimum share of the query; below it a common word would be enough to bring old documents back. */
const ASKED_FOR_FROM = 0.25
/** A query that contains more than this share of a superseded document's title refers to that document. */
const NAMED_FROM = 0.65
/** A superseded document is placed below its successor if it reaches at least this share of the successor's score. */
const BESIDE_FROM = 0.5

export interface Settled extends BestRow {
  /** Weight of the document for this query: less than 1 if it was superseded and a current one covers the same. */
  readonly worth: number
}

/**
 * Places superseded documents: by their own score if the query names them, if their replacement was not found, or if no
 * current document covers the same subject; directly below their replacement if that was found; otherwise far behind.
 */
export function settleSuperseded(
  found: readonly BestRow[],
  {
    isSuperseded,
    isCalled,
    coverage,
    terms,
    describe,
  }: {
    isSuperseded: (row: number) => boolean
    /** True if the query is the document's title or file name. */
    isCalled: (row: number) => boolean
    coverage: Float32Array
    terms: readonly QueryTerm[]
    describe: (row: number) => Described
  },
): Settled[] {
  if (!found.some(({ row }) => isSuperseded(row))) return found.map((one) => ({ ...one, worth: 1 }))
  const asked = new Set(terms.flatMap(({ term, parts }) => [term, ...parts]))
  const candidates = found.map(({ row, score }) => {
    const facts = describe(row)
    return { row, score, facts, isOld: isSuperseded(row), ...saidOf(facts.title, asked) }
  })
  const standing = candidates.filter(({ isOld }) => !isOld)
  const covered = Math.max(0, ...standing.map(({ row }) => coverage[row]!))
  const most = Math.max(0, ...standing.map(({ said }) => said))
  // Words that are also in the title of a current document do not refer to the old one, unless they are its whole
  // title.
  const isNamed = ({ said, share }: Said): boolean =>
    share > NAMED_FROM && (said > most || (share === 1 && said === most))
  const settled = new Map<number, Settled & { readonly below?: number }>()
  for (const candidate of candidates) {
    const { row, score, facts } = candidate
    const isOld = candidate.isOld && !isCalled(row) && !isNamed(candidate)
    const successor = isOld ? successorOf(facts, candidates) : undefined
    const isBeside = successor !== undefined && score >= BESIDE_FROM * successor.score
    const givesWay =
      isOld &&
      facts.superseded?.by === undefined &&
      !(coverage[row]! >= ASKED_FOR_FROM && covered <= REPLACED_FROM * coverage[row]!)
    settled.set(row, {
      row,
      score: givesWay ? score * GIVES_WAY : score,
      worth: givesWay || isBeside ? GIVES_WAY : 1,
      ...(isBeside && { below: successor.row }),
    })
  }
  return inOrder(settled)
}

interface Said {
  /** Number and share of a title's words in the query. */
  readonly said: number
  readonly share: number
}

function saidOf(title: string, asked: ReadonlySet<string>): Said {
  const words = analyseQuery(withoutNumber(title))
  const said = words.filter(
    ({ term, parts }) => asked.has(term) || (parts.length > 0 && parts.every((part) => asked.has(part))),
  ).length
  return { said, share: words.length === 0 ? 0 : said / words.length }
}

interface Candidate extends BestRow {
  readonly facts: Described
}

function successorOf(old: Described, candidates: readonly Candidate[]): Candidate | undefined {
  const by = old.superseded?.by
  if (by === undefined) return undefined
  const [ref = { text: by, target: by, number: undefined }] = refsIn(by)
  // A number refers to a document in the same folder: every project has an ADR 12.
  const near = candidates.filter(
    ({ facts }) =>
      facts.collection === old.collection &&
      facts.path !== old.path &&
      (ref.target !== undefined || folderOf(facts.path) === folderOf(old.path)),
  )
  const files = near.map(({ facts }) => ({
    path: facts.path,
    number: numberInName(stemOf(facts.path)),
    links: [],
  }))
  const resolved = resolveRef(ref, old.path, files)
  return near.find(({ facts }) =>
    'path' in resolved ? facts.path === resolved.path : facts.title.toLowerCase() === by.toLowerCase(),
  )
}

/** Sorts by score; a document that scores better than the one it is placed below moves both to its position. */
function inOrder(settled: ReadonlyMap<number, Settled & { readonly below?: number }>): Settled[] {
  const chainOf = (row: number): number[] => {
    const chain = [row]
    for (
      let next = settled.get(row)!.below;
      next !== undefined && !chain.includes(next);
      next = settled.get(next)!.below
    )
      chain.push(next)
    return chain
  }
  const groups = new Map<number, { row: number; depth: number }[]>()
  for (const row of settled.keys()) {
    const chain = chainOf(row)
    const lead = chain.at(-1)!
    groups.set(lead, [...(groups.get(lead) ?? []), { row, depth: chain.length - 1 }])
  }
  return [...groups.values()]
    .flatMap((members) => {
      const score = Math.max(...members.map(({ row }) => settled.get(row)!.score))
      return members
        .sort((a, b) => a.depth - b.depth || settled.get(b.row)!.score - settled.get(a.row)!.score)
        .map(({ row }, at) => ({ row, worth: settled.get(row)!.worth, score: score * (1 - at / 10_000) }))
    })
    .sort((a, b) => b.score - a.score)
}
