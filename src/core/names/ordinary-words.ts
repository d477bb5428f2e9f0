import { stem } from '../text/stem.ts'
import { GENERIC } from './words.ts'

/** Whether a word that no table knows is one of the language rather than a name. */
export const isOrdinary = (word: string): boolean =>
  GENERIC.has(word) ||
  STEMS.has(stem(word)) ||
  /(?:ing|tion|sion|ment|ness|ance|ence|ism|ship|able|ible|ies)$/.test(word)

// What alternatives are called when they are ways of doing something and not products.
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
  lambda library fork patch branch tag release rebase merge squash trunk commit label review approval vote meeting ticket issue wiki`
    .split(/\s+/)
    .map(stem),
)
