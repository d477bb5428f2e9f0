import { numberInName, stemOf, folderOf } from '../../../kernel/domain/adr/adr-name.ts'
import { refsIn, resolveRef } from '../../../kernel/domain/adr/adr-ref.ts'
import { analyseQuery, type QueryTerm } from '../../../kernel/domain/text/analyse.ts'
import type { DocumentFacts } from './indexed-document.ts'
import { withoutNumber } from './marks.ts'
import type { BestRow } from './rank-documents.ts'

/** What a ranking must know of a document that was laid aside, and of those that may have replaced it. */
export type Described = Pick<DocumentFacts, 'collection' | 'path' | 'title' | 'laidAside'>

/**
 * What a laid-aside document counts where something that stands says the same, so that it comes after what is current.
 * Chosen on Knowl's governance suite: at .3 three of 44 answers still held something stale, at .2 none.
 */
const GIVES_WAY = 0.2

/**
 * It gives way only to something current that covers more than this share of what it covers itself; at .65 the first
 * current fact of Knowl's governance is lost.
 */
const REPLACED_FROM = 0.6
/** A good part of the question; below it a word in common would be enough to bring old things back. */
const ASKED_FOR_FROM = 0.25
/** Who says more than this share of its title means the old one. */
const NAMED_FROM = 0.65
/** Its place is below its successor when it says at least this share of what the successor says. */
const BESIDE_FROM = 0.5

export interface Settled extends BestRow {
  /** What the document counts for this question: less than 1 when it was laid aside and something current says the same. */
  readonly worth: number
}

/**
 * Puts documents that were laid aside in their places: by their own score where the question names them, where what
 * replaced them was not found, or where nothing that stands speaks of the same; right below what replaced them, where that
 * was found; otherwise far behind.
 */
export function settleLaidAside(
  found: readonly BestRow[],
  {
    isLaidAside,
    isCalled,
    coverage,
    terms,
    describe,
  }: {
    isLaidAside: (row: number) => boolean
    /** The question is its title, or the name of its file. */
    isCalled: (row: number) => boolean
    coverage: Float32Array
    terms: readonly QueryTerm[]
    describe: (row: number) => Described
  },
): Settled[] {
  if (!found.some(({ row }) => isLaidAside(row))) return found.map((one) => ({ ...one, worth: 1 }))
  const asked = new Set(terms.flatMap(({ term, parts }) => [term, ...parts]))
  const candidates = found.map(({ row, score }) => {
    const facts = describe(row)
    return { row, score, facts, isOld: isLaidAside(row), ...saidOf(facts.title, asked) }
  })
  const standing = candidates.filter(({ isOld }) => !isOld)
  const covered = Math.max(0, ...standing.map(({ row }) => coverage[row]!))
  const most = Math.max(0, ...standing.map(({ said }) => said))
  // Words that the title of a current document has too do not mean the old one, unless they are all of its own.
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
      facts.laidAside?.by === undefined &&
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
  /** How many words of a title the question says, and what share of them. */
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
  const by = old.laidAside?.by
  if (by === undefined) return undefined
  const [ref = { text: by, target: by, number: undefined }] = refsIn(by)
  // A number means one of the same folder: every project has an ADR 12.
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

/** By score; one that stands below another takes that one along to its place when it is the better of the two. */
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
