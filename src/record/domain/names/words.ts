import { foldLetters } from '../../../kernel/domain/text/fold.ts'

export interface Piece {
  readonly spelled: string
  readonly lower: string
  readonly start: number
  readonly end: number
}

// Alternatives in order: "APIs", "HTTP" in "HTTPServer", "Server", other scripts, digits.
const PIECE = /[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|(?:(?![\p{P}\p{S}\s])[\u0080-\u{10ffff}])+|[0-9]+/gu
const JOINT = /^[\s_.-]*$/
const LONGEST_RUN = 4

/** The pieces of words and identifiers: `createRedisClient` → create, Redis, Client; `socket.io` → socket, io. */
export function pieces(text: string): Piece[] {
  return [...foldLetters(text).matchAll(PIECE)].map(([spelled], i, all) => {
    const start = all[i]!.index
    return { spelled, lower: spelled.toLowerCase(), start, end: start + spelled.length }
  })
}

export interface Run {
  /** The pieces joined without separators, lower-case: one key for event sourcing, eventSourcing, event_sourcing. */
  readonly key: string
  readonly spelled: string
}

/**
 * Every stretch of up to four neighbouring pieces. Pieces are neighbours within an identifier or with only space, `_`,
 * `.`, `-` between.
 */
export function runs(text: string): Run[] {
  const folded = foldLetters(text)
  const all = pieces(text)
  return all.flatMap((first, from) => {
    const stretches: Run[] = []
    let key = ''
    for (let to = from; to < all.length && to < from + LONGEST_RUN; to++) {
      if (to > from && !JOINT.test(folded.slice(all[to - 1]!.end, all[to]!.start))) break
      key += all[to]!.lower
      stretches.push({ key, spelled: folded.slice(first.start, all[to]!.end) })
    }
    return stretches
  })
}

/**
 * Words that do not identify a thing. A rejected alternative named only with these ("Do nothing", "A custom client",
 * "JSON files") would match every diff, and no package is identified by one of them.
 */
export const GENERIC: ReadonlySet<string> = new Set(
  `a an the it its this that and or of for in on with without to as at by via per from into over use using used adopt add keep keeping stay move switch make
  build write writing have having let go do doing nothing none no not yes one two three single multiple many several all every each own our
  more less new old other another same only just plain simple simpler custom manual manually default defaults direct directly current existing
  status quo later now never always option alternative approach solution way system tool tools tooling platform framework library libraries
  package packages module modules service services server servers client clients app application web site page pages api apis rest endpoint
  endpoints interface sdk cli ui ux frontend backend http https url uri id ids key keys name names value values type types class classes
  function functions method methods object objects string strings number numbers int bool boolean array arrays list lists map set file files
  folder folders directory path paths config configuration setting settings options data database databases db table tables row rows
  column columns field fields record records schema model models query queries sql json xml yaml toml csv html css text code source script
  scripts test tests testing run running runtime core common base main index lib libs util utils helper helpers plugin plugins driver
  adapter wrapper manager handler handlers provider store storage cache queue event events message messages pub sub log logs logger error
  javascript errors user users team teams project projects repo repository js ts jsx tsx py io os net org com dev env node java python rust ruby php
  dotnet golang c cpp v1 v2 v3 x github gitlab bitbucket npm pip after before day days time times first last next`.split(
    /\s+/,
  ),
)
