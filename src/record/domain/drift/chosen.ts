import type { Decision } from '../decision/decision.ts'
import { knownName, nameKey } from '../names/known-names.ts'
import { KNOWN_NAMES, mentionsIn } from '../names/mentions.ts'
import { isRejected } from '../names/stance.ts'
import { GENERIC, isOrdinary } from '../names/words.ts'

/** Something that a decision chooses. It is present while one of its marks is present. */
export interface ChosenThing {
  readonly spelled: string
  readonly marks: readonly string[]
}

// The rest of a longer rationale is history and detail.
const LONGEST_RATIONALE = 4_000
const MOST_RUN = 3

/**
 * The libraries, tools and languages that a decision names as its choice: in its title, or in its rationale if
 * explicitly adopted there. A name missing from the tables counts if `isPackage` returns true for it.
 */
export function chosenThings(
  { title, rationale, rejected }: Pick<Decision, 'title' | 'rationale' | 'rejected'>,
  isPackage: (key: string) => boolean,
): ChosenThing[] {
  const turnedDown = new Set(rejected.flatMap(({ name }) => [nameKey(name), ...name.split(/\s+/).map(nameKey)]))
  const found = [
    ...namesIn(title, isPackage, () => true),
    ...namesIn(rationale.slice(0, LONGEST_RATIONALE), isPackage, isTakenUp),
  ]
  const distinct = new Map(found.toReversed().map((thing) => [thing.marks.join(), thing]))
  return [...distinct.values()].reverse().filter(({ spelled }) => !turnedDown.has(nameKey(spelled)))
}

function namesIn(
  text: string,
  isPackage: (key: string) => boolean,
  isMeant: (before: string) => boolean,
): ChosenThing[] {
  const speaksFor = (start: number, end: number): boolean =>
    isMeant(text.slice(Math.max(0, start - 80), start)) && !isRejected(text, start, end)
  const known = mentionsIn(text, KNOWN_NAMES)
    .filter(({ isOrdinary: isWord, start, end }) => !isWord && speaksFor(start, end))
    .flatMap(({ spelled }) => knownThing(spelled))
  const packages = runsOf(text)
    .filter(({ key, start, end }) => isPackage(key) && isSpelledAsName(text, start, end) && speaksFor(start, end))
    .map(({ key, spelled }) => thingOf(key, spelled))
  return [...known, ...packages]
}

function knownThing(spelled: string): ChosenThing[] {
  const key = nameKey(spelled)
  const id = knownName(key)?.id
  return id === undefined || WAYS.has(id) ? [] : [thingOf(key, spelled)]
}

const thingOf = (key: string, spelled: string): ChosenThing => {
  const id = knownName(key)?.id
  return { spelled, marks: [`#${key}`, ...(id === undefined ? [] : [id])] }
}

// Approaches, not things in a manifest: they can outlive the last package that served them.
const WAYS: ReadonlySet<string> = new Set(
  `rest soap openapi jsonrpc websockets serversentevents webhooks longpolling oauth openidconnect saml ldap jwt
  serversiderendering singlepageapplication microfrontends microservices monolith eventsourcing cqrs monorepo featureflags
  twophasecommit contentdeliverynetwork continuousintegration testdrivendevelopment domaindrivendesign rolebasedaccesscontrol
  objectstorage multifactorauthentication singlesignon storedprocedures nosql cssinjs messagequeue serverless
  infrastructureascode servicemesh crontab javascript webassembly nodejs aws azure gcp cssmodules jpa npm pip`.split(
    /\s+/,
  ),
)

interface Run {
  readonly key: string
  readonly spelled: string
  readonly start: number
  readonly end: number
}

/** `@scope/name`, `socket.io` and up to three consecutive words. */
function runsOf(text: string): Run[] {
  const words = [...text.matchAll(/@?[\p{L}\p{N}](?:[\p{L}\p{N}_+#-]|[./:@](?=[\p{L}\p{N}]))*/gu)]
  return words.flatMap((first, from) =>
    words.slice(from, from + MOST_RUN).flatMap((last, more) => {
      const [start, end] = [first.index, last.index + last[0].length]
      const spelled = text.slice(start, end)
      return more > 0 && !/^\S+(?: \S+)+$/.test(spelled) ? [] : [{ key: nameKey(spelled), spelled, start, end }]
    }),
  )
}

/**
 * Whether a word is used as a name: spelled unlike a word (`smol-toml`, `socket.io`, `GraphQL`), in backticks,
 * capitalised inside a sentence, lower-case at the start of one, or explicitly adopted. Many packages are named after
 * ordinary words.
 */
function isSpelledAsName(text: string, start: number, end: number): boolean {
  const word = text.slice(start, end)
  const before = text.slice(Math.max(0, start - 80), start)
  const isFirst = /(?:^|[.!?:\n]\s*)$/.test(before)
  if (/\p{L}[-./:@_]\p{L}|\p{L}\d|\p{Ll}\p{Lu}|^@/u.test(word) || before.endsWith('`')) return true
  const lower = word.toLowerCase()
  // UUID, CSV and the like name the purpose of packages, not packages.
  if (/^\p{Lu}{2,}$/u.test(word)) return knownName(nameKey(word)) !== undefined
  if (/^\p{Lu}/u.test(word) && !isFirst) return !GENERIC.has(lower)
  if (isTakenUp(before)) return !GENERIC.has(lower) || before.endsWith('`')
  // For example, "Black formats the code".
  if (isFirst && /^\p{Lu}/u.test(word) && /^ \p{Ll}+s\b(?! of)/u.test(text.slice(end, end + 24)))
    return !GENERIC.has(lower)
  if (GENERIC.has(lower) || isOrdinary(lower) || knownName(nameKey(word))?.isOrdinary === true) return false
  return (isFirst && /^\p{Ll}/u.test(word)) || !ENGLISH.has(lower)
}

/** Packages named after words that occur in ordinary sentences. */
const ENGLISH: ReadonlySet<string> = new Set(
  `click rich fire invoke request requests debug async glob rake puma thor cors helmet colors chalk commander inquirer typing attrs mock nose
  arrow pillow faker black requests sharp dotenv winston got needle superagent bunyan rack bundler listen guard pry capybara paranoia
  kaminari draper pundit cells trailblazer sequel rom dry anyhow clap log rand serde time url bytes regex lazy nom futures either
  fiber echo gin chi viper cobra testify zap mux sling resty wire air task dig fx cast color structs validator decimal
  money currency locale uuid nanoid slug marked moment validator express next passport session cookie morgan compression body connect send serve
  static vary etag fresh ms once wrappy core data model view router store query table form forms date dates time zone map maps chart charts
  spring boot security batch integration cloud camel drools flowable activiti record change files paths events notes`.split(
    /\s+/,
  ),
)

const TAKES_UP =
  /\b(?:us(?:e|es|ing|ed)|adopt(?:s|ed|ing)?|ch(?:oose|ooses|oosing|ose|osen)|pick(?:s|ed|ing)?|select(?:s|ed|ing)?|go(?:es|ing)? with|went with|settled? (?:on|for)|standardi[sz]ed? on|rel(?:y|ies|ying) on|built (?:on|with)|based on|powered by|backed by|switch(?:ed|es|ing)? to|mov(?:e|ed|es|ing) to|migrat(?:e|ed|es|ing) to|written (?:in|with)|writ(?:e|es|ing) .{0,30}(?:in|with)|through|via|with|by|in|on|to|keep(?:s|ing)?|run(?:s|ning)?(?: on)?|install(?:s|ed)?|add(?:s|ed|ing)?|introduc(?:e|es|ed|ing)|prefer(?:s|red)?)(?: (?:a|an|the|our|plain|only))*\s*[`"']?$/i

const isTakenUp = (before: string): boolean => TAKES_UP.test(before)
