import { nameKey } from '../names/known-names.ts'
import { isRejected } from '../names/stance.ts'
import { PIN_PLACES, TOOLS } from './pin-places.ts'

/** A version stated in a decision: "Node 22", "Python 3.12". */
export interface StatedPin {
  readonly spelled: string
  readonly tool: string
  readonly version: string
}

/** A version required by a file. */
export interface FoundPin {
  readonly tool: string
  readonly version: string
  readonly line: number
}

const MOST_TEXT = 4_000
// "22 or newer" and ranges are not exact versions.
const LEAVES_ROOM =
  /^(?:\.x)?(?:\s*(?:\+|or (?:newer|later|higher|above|greater|up)|and (?:newer|later|above|up|higher)|to \d|through \d|–|-\d)|\.\d)/i
const IS_LEAST =
  /(?:>=?|at least|from|since|minimum|newer than|above|beyond|until|before|than|drop\w*|no longer|end of life|eol)\s*$/i

/** The versions that a text states plainly, without minimums or versions it argues against. */
export function statedPins(text: string, isPackage: (key: string) => boolean): StatedPin[] {
  const read = text.slice(0, MOST_TEXT)
  const toolOf = (name: string): string | undefined => {
    const key = nameKey(name)
    return TOOLS[key] ?? (isPackage(key) ? `#${key}` : undefined)
  }
  const named = [...read.matchAll(NAMED)].flatMap((found) => {
    const tool = toolOf(found[1]!)
    return tool === undefined ? [] : [{ found, tool, version: found[2]! }]
  })
  const told = SPELLED.flatMap(([pattern, tool]) =>
    [...read.matchAll(pattern)].map((found) => ({ found, tool, version: found.slice(1).find((each) => each)! })),
  )
  const pins = [...named, ...told].flatMap(({ found, tool, version }): StatedPin[] => {
    const [start, end] = [found.index, found.index + found[0].length]
    if (LEAVES_ROOM.test(text.slice(end, end + 20))) return []
    if (IS_LEAST.test(text.slice(Math.max(0, start - 24), start)) || isRejected(text, start, end)) return []
    return [{ spelled: found[0], tool, version: plainVersion(tool, version) }]
  })
  return [...new Map(pins.map((pin) => [pin.tool, pin])).values()]
}

/** "Node 22", "React v18", "Python version 3.12", "JDK17", "Node is pinned to 22" */
const NAMED =
  /(?<![\w.@/-])(\.?[A-Za-z][\w.+-]*)(?:(?: (?:version|level|SE|LTS)| (?:is|stays|remains)(?: (?:pinned|fixed|held|kept))? (?:at|on|to)| (?:pinned|fixed|held|kept) (?:at|on|to))?[ \t@]v?|(?<=\b(?:JDK|Java|Python|PHP|Go|Node|NET))-?)(\d{1,4}(?:\.\d{1,4}){0,2})(?![\w%])/gi

/** Versions not written as a name followed by a number. */
const SPELLED: readonly (readonly [text: RegExp, tool: string])[] = [
  [/(?<![\w+])(?:C\+\+|cpp)[ -]?(\d\d)(?![\w%])/gi, 'cpp'],
  [
    /(?<!\w)min(?:imum)?[ -]?(?:Android )?SDK(?:[ -]?(?:version|level))?(?: (?:is|of|stays at|at))?[ :=]{1,3}(\d\d)(?!\w)/gi,
    'minsdk',
  ],
  [
    /(?<!\w)compile[ -]?SDK(?:[ -]?(?:version|level))?(?: (?:is|of|stays at|at))?[ :=]{1,3}(\d\d)(?!\w)/gi,
    'compilesdk',
  ],
  [/(?<!\w)target[ -]?SDK(?:[ -]?(?:version|level))?(?: (?:is|of|stays at|at))?[ :=]{1,3}(\d\d)(?!\w)/gi, 'targetsdk'],
  [
    /(?<!\w)edition (20(?:15|18|21|24))(?!\w)|(?<!\w)(20(?:15|18|21|24)) edition(?!\w)|(?<=\bRust )(20(?:15|18|21|24))(?!\w)/gi,
    'edition',
  ],
]

/** Java 1.8 is Java 8. */
const plainVersion = (tool: string, version: string): string =>
  (tool === 'java' ? version.replace(/^1\.(?=\d)/, '') : version).replace(/\.$/, '')

/** Whether a version matches the stated one to its precision: 22.18 is 22. */
export const agrees = (stated: string, found: string): boolean => {
  const [wanted, has] = [stated.split('.'), found.split('.')]
  return wanted.every((part, i) => has[i] === undefined || has[i] === part || has[i] === 'x' || has[i] === '*')
}

const LONGEST_LINE = 500
const MOST_LINES = 5_000

/** The versions of some tools and packages required by a file. */
export function pinsIn(path: string, text: string, tools: ReadonlySet<string>): FoundPin[] {
  const readers = PIN_PLACES.filter(([file, , tool]) => tools.has(tool) && file.test(path))
  const packages = [...tools].filter((tool) => tool.startsWith('#'))
  if (readers.length === 0 && packages.length === 0) return []
  return text.split('\n', MOST_LINES).flatMap((line, i) => {
    if (line.length > LONGEST_LINE) return []
    const own = readers.flatMap(([, pattern, tool]) => {
      const version = pattern.exec(line)?.[1]
      return version === undefined ? [] : [{ tool, version: plainVersion(tool, version), line: i + 1 }]
    })
    return [...own, ...packagePins(line, packages).map((pin) => ({ ...pin, line: i + 1 }))]
  })
}

/** `"react": "^18.2.0"`, `django==4.2`, `gem "rails", "~> 7.1"`, `tokio = { version = "1" }`. */
function packagePins(line: string, packages: readonly string[]): Omit<FoundPin, 'line'>[] {
  const [, name, version] =
    /^\s*(?:gem\s+|-\s+)?["']?([@\w][\w./@-]*)["']?(?:\[[^\]]*\])?\s*[:=,~^<>!( ]+\s*(?:\{[^}]*?version\s*[:=]\s*)?["']?[~^>=<v ]*(\d+(?:\.\d+)*)/.exec(
      line,
    ) ?? []
  if (name === undefined) return []
  const tool = `#${nameKey(name)}`
  return packages.includes(tool) ? [{ tool, version: version! }] : []
}
