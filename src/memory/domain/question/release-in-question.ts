import { dayShown, without, type QuestionTime } from './question-time.ts'

/** A tag or commit of the repository that a question counts from. */
export interface ReleaseInQuestion {
  /** Git revisions that the text may refer to, the likeliest first; `latest` is the newest version tag. */
  readonly revisions: 'latest' | readonly string[]
  readonly side: 'before' | 'since' | 'after'
  /** The question without the words for the time. */
  readonly rest: string
}

const SIDES: readonly (readonly [ReleaseInQuestion['side'], string])[] = [
  ['before', 'before|prior to|until|vor|bis zum|bis zur|avant|antes de(?:l)?'],
  ['since', 'since|seit|depuis|desde'],
  ['after', 'after|nach|après|después de(?:l)?'],
]
const ARTICLE = '(?:the|dem|der|la|le|el)'
const LAST = '(?:last|latest|previous|most recent|letzten|letzter|dernière|última)'
const RELEASE = '(?:release|version|tag|versión)'
const VERSION = '\\d+\\.\\d+(?:\\.\\d+)?(?:[-+][0-9A-Za-z.-]{1,30})?'

const pattern = (side: string): RegExp =>
  new RegExp(
    `(?<![\\p{L}\\p{N}/._-])(?:${side}) (?:(?:${ARTICLE} )?commit (?<commit>[0-9a-f]{7,40})|(?:${ARTICLE} )?(?:${RELEASE} v?(?<release>${VERSION})|v(?<version>${VERSION}))|(?:${ARTICLE} )?(?<last>${LAST} )?${RELEASE}(?: dernière)?)(?![\\p{L}\\p{N}/_-])`,
    'iu',
  )
const PATTERNS = SIDES.map(([side, words]) => [side, pattern(words)] as const)
const LONGEST = 400

/** In a plan ("what is left to do before the release"), the release is the next one, which has no tag yet. */
const PLANS = /\b(?:must|should|shall|need|needs|todo|left|remains|will|plan|planned|still|have to|has to|going to)\b/i

/**
 * Reads from a question that something was before or after a release or a commit: "before the release", "since v1.2",
 * "after commit 3f2c1ab". Undefined if it names none, or plans for one.
 */
export function releaseInQuestion(text: string): ReleaseInQuestion | undefined {
  if (text.length > LONGEST || PLANS.test(text)) return undefined
  for (const [side, pattern] of PATTERNS) {
    const found = pattern.exec(text)
    if (found === null) continue
    const { commit, release, version = release } = found.groups!
    const revisions =
      commit !== undefined
        ? [commit]
        : version === undefined
          ? 'latest'
          : [`refs/tags/v${version}`, `refs/tags/${version}`]
    return { revisions, side, rest: without(text, found) }
  }
  return undefined
}

/** The time of a question about a release made at this moment; `name` is shown. */
export function timeOfRelease(
  { side, rest }: ReleaseInQuestion,
  { at, name }: { readonly at: number; readonly name: string },
  now: number,
): QuestionTime {
  const span = side === 'before' ? { from: 0, to: at - 1 } : { from: at, to: now }
  return { span, shown: `${side} ${name} (${dayShown(at)})`, order: undefined, rest }
}
