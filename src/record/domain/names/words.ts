import { foldLetters } from '../../../kernel/domain/text/fold.ts'
import { stem } from '../../../kernel/domain/text/stem.ts'

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

/** Whether a word that is in no table is an ordinary word of the language and not a name. */
export const isOrdinary = (word: string): boolean =>
  GENERIC.has(word) ||
  STEMS.has(stem(word)) ||
  /(?:ing|tion|sion|ment|ness|ance|ence|ism|ship|able|ible|ies)$/.test(word)

// Names of alternatives that are ways of doing something rather than products, and everyday words.
const STEMS: ReadonlySet<string> = new Set(
  `poll cache queue thread worker process cron trigger view cookie session token tab space hook event stream batch snapshot symlink submodule
  decorator mixin inherit composition generic macro enum exception callback promise async coroutine actor lock mutex semaphore retry backup
  migration replica replication iframe extension template email mail sms push cloud host container proxy gateway soft hard delete integer float
  decimal timestamp wait rewrite spreadsheet subscription wizard popup modal tooltip daemon pipeline pipe socket port shard partition index
  trie tree graph heap hash map reduce loop recursion closure pointer reference singleton factory observer builder visitor strategy command
  mediator facade bridge monolith microservice service layer onion hexagon ring star mesh bus hub spoke relay broker agent bot crawler scraper
  scheduler timer clock calendar date zone locale currency money price tax invoice order cart basket checkout payment refund coupon voucher
  discount customer vendor supplier partner tenant account role permission group policy rule flag toggle switch setting option preference theme
  colour color font icon image video audio photo picture document paper letter note memo report chart plot dashboard widget panel card grid
  flex float column sidebar header footer menu button link form input select checkbox radio slider picker upload download import export sync
  synchronous asynchronous parallel serial sequential random sorted lazy eager static dynamic strong weak strict loose optimistic pessimistic
  local remote global shared private public internal external nested flat deep shallow wide narrow small large big huge tiny fast slow
  cheap expensive free paid open closed safe secure plain rich raw binary textual human machine hand outsource contractor consultant freelancer
  nothing everything something anyone everyone nobody weekly daily hourly monthly yearly nightly rest soap saga raft dry solid kiss can
  lambda library fork patch branch tag release rebase merge squash trunk commit label review approval vote meeting ticket issue wiki
  whole part half quarter piece total sum mean median average top bottom middle side edge corner front back inside outside left right first
  second third last next previous early late long short high low full empty old young good better best bad worse worst wrong true false real
  fake same different similar exact rough main major minor common rare usual normal special general particular certain clear dark light heavy
  hot cold warm cool new wet clean dirty quick ready busy quiet loud title word sentence paragraph line text body head heading topic
  subject story question answer reason cause effect result end start begin beginning stop pause break change turn move step stage phase level
  rank score grade size length width height depth weight age amount count pair couple dozen week month year day night morning evening hour
  minute moment time place room house home street road way world country city town people person man woman child friend team member owner
  user reader writer author editor admin student teacher doctor driver leader boss idea thought plan goal aim need wish hope fear problem
  trouble mistake fault error risk cost benefit gain loss win help care work job task game fun art music book film school lesson class
  course talk speech voice sound noise sight look watch eye face foot arm heart mind brain water fire air earth sky sun moon rain wind food
  bread milk coffee tea car train plane ship bike boat door window wall floor roof table chair bed box bag key coin stone wood metal glass
  plastic cloth rope wire hole hill mountain river lake sea field forest garden flower grass leaf animal dog cat bird fish horse here there
  where when then now soon again often always sometimes never maybe perhaps almost quite rather very too`
    .split(/\s+/)
    .map(stem),
)
