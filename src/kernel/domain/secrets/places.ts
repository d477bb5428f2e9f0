import { isPlaceholder, isPublished, isRandom } from './judge.ts'
import { isMixed } from './named-values.ts'
import { keyOf } from './scan.ts'
import type { Span } from './spans.ts'

type Add = (span: Span) => void

/** Finds secrets recognised by their place: key blocks and addresses. */
export function findInPlaces(text: string, add: Add): void {
  findKeyBlocks(text, add)
  findInAddresses(text, add)
}

/**
 * Like `findInPlaces`, for headers, commands and similar. Call the result at each position that may start with one of
 * PLACE_MARKS.
 */
export function openPlaces(text: string, add: Add): (at: number) => void {
  // End of the text already read for each place, so that no character is read twice.
  const done = new Map<Place, number>()
  return (at) => {
    for (const [mark, place] of MARKS_AT.get(keyOf(text, at)) ?? [])
      if (text.startsWith(mark, at) && at >= (done.get(place) ?? 0)) done.set(place, findAround(text, at, place, add))
  }
}

/** Matches the pattern in the lines from a mark on; returns their end. */
function findAround(
  text: string,
  at: number,
  { pattern, accepts = isNoPlaceholder, lines = 1 }: Place,
  add: Add,
): number {
  const end = endOfLines(text, at, lines)
  const from = Math.max(0, at - REACH_BACK)
  for (const match of text.slice(from, end).matchAll(pattern)) {
    const place = match.indices!.groups!['secret']
    if (place !== undefined && accepts(match.groups!['secret']!)) add([from + place[0], from + place[1]])
  }
  return end
}

const REACH_BACK = 24
const REACH = 4_000

function endOfLines(text: string, at: number, lines: number): number {
  // Only this far: a text may be one line.
  const within = text.slice(at, at + REACH)
  let end = 0
  for (let i = 0; i < lines && end >= 0; i++) end = within.indexOf('\n', end + 1)
  return at + (end < 0 ? within.length : end)
}

const isNoPlaceholder = (value: string): boolean => !isPlaceholder(value)
const isRandomValue = (value: string): boolean => isNoPlaceholder(value) && isRandom(value)

interface Place {
  /** Every text that the pattern can match contains one of these, in its line or at most some characters before. */
  readonly marks: readonly string[]
  /** Has the flags for global and indices; the group `secret` is the value. */
  readonly pattern: RegExp
  /** By default, accepts everything but a placeholder. */
  readonly accepts?: (value: string) => boolean
  /** Maximum number of lines from the mark on. */
  readonly lines?: number
}

const PLACES: readonly Place[] = [
  {
    marks: ['Bearer ', 'bearer ', 'BEARER '],
    pattern: /\b[Bb](?:earer|EARER) +["'`]?(?<secret>[\w+/.~%-]{16,4096}=*)/dg,
    accepts: isRandomValue,
  },
  {
    marks: ['Basic ', 'basic '],
    pattern: /\b[Bb]asic +(?<secret>[A-Za-z0-9+/]{12,1024}={0,2})(?![\w+/])/dg,
    accepts: (value) => isNoPlaceholder(value) && value.length % 4 === 0 && isRandom(value),
  },
  {
    marks: ['uthorization'],
    pattern:
      /\bAuthorization["'`]?[ \t]{0,3}[:=][ \t]{0,3}["'`]?(?:(?:Token|ApiKey|Digest|Negotiate|Api-Key|GenieKey|SSWS|Splunk|OAuth|Bot|key)[ =]+)?(?:token=)?["']?(?<secret>[\w+/.~%:-]{16,4096}=*)/dgi,
    accepts: isRandomValue,
  },
  { marks: ['Cookie: '], pattern: /[=](?<secret>[\w%.+/-]{20,1024})/dg, accepts: isRandomValue },
  {
    marks: ['curl ', 'wget '],
    lines: 6,
    pattern: /\s(?:-u|--user|--proxy-user|-U)[ =]?["']?[^\s:"']{0,128}:(?<secret>[^\s"']{1,256})/dg,
  },
  { marks: ['sshpass '], pattern: /\bsshpass +-p ?["']?(?<secret>[^\s"']{4,256})/dg },
  {
    marks: ['mysql'],
    pattern: /(?<=\s)-p ?["']?(?<secret>(?!ort)[^\s"'-][^\s"']{5,255})/dg,
    accepts: (value) => isNoPlaceholder(value) && /[\d!@#$%^&*]/.test(value),
  },
  {
    marks: ['redential', 'REDENTIAL', 'ugangsdaten', 'nmeldedaten', 'dentifiants', 'redenciales', 'ogin'],
    pattern:
      /(?:credentials?|zugangsdaten|anmeldedaten|identifiants|credenciales|login)\b[^\n:=]{0,60}[:=]?[ \t]{1,4}["'`]?[\w.@+-]{2,64}["'`]?[ \t]?[/|:][ \t]?["'`]?(?<secret>[^\s"'`<>,;]{8,64})/dgi,
    accepts: (value) => isNoPlaceholder(value) && isMixed(value),
  },
  { marks: ['SecureString '], pattern: /SecureString(?: -String)? ["'](?<secret>[^"'\n]{4,256})["']/dg },
  {
    marks: ['auth=(', 'BasicAuth(', '.login('],
    pattern: /(?:auth=|BasicAuth|\.login)\([ \t]?["'][^"'\n]{1,100}["'],[ \t]{0,4}["'](?<secret>[^"'\n]{6,128})["']/dg,
  },
  { marks: ['::add-mask::'], pattern: /::add-mask::(?<secret>\S{6,})/dg },
  { marks: ['azurewebsites.net'], pattern: /[?&]code=(?<secret>[\w%+/-]{40,256}={0,2})/dg, accepts: isRandomValue },
  { marks: ['nseal Key'], pattern: /nseal Key(?: \d{1,2})?: (?<secret>[A-Za-z0-9+/]{40,}={0,2})/dg },
  { marks: ['redis-cli ', 'docker login'], pattern: /(?<=\s)(?:-a|-w|-p) ?["']?(?<secret>[^\s"'-][^\s"']{5,255})/dg },
  {
    marks: ['IDENTIFIED ', 'identified by'],
    pattern: /\bidentified(?: with [\w'"]{1,60})? by(?: password)? (?<quote>['"])(?<secret>[^'"\n]{3,256})\k<quote>/dgi,
  },
  { marks: [':5432:'], pattern: /:5432:[^:\s]{1,63}:[^:\s]{1,63}:(?<secret>[^:\s]{4,256})$/dg },
  { marks: ['@tcp(', '@unix('], pattern: /[\w.-]{1,64}:(?<secret>[^\s/"'`<>]{1,128})@(?:tcp|unix)\(/dg },
  { marks: ['"kty"'], lines: 12, pattern: /"(?:d|p|q|dp|dq|qi|k)"\s{0,4}:\s{0,4}"(?<secret>[\w-]{20,1024})"/dg },
  {
    marks: ['AKIA', 'ASIA'],
    lines: 6,
    pattern: /(?<![A-Za-z0-9+/=_-])(?<secret>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=_-])/dg,
    accepts: (value) => !isPublished(value) && /[a-z]/.test(value) && /[A-Z]/.test(value) && isRandom(value),
  },
  {
    marks: ['&sig=', '?sig=', '-Signature=', '&Signature='],
    pattern: /[?&;"' ](?:sig|X-Amz-Signature|X-Goog-Signature|Signature)=(?<secret>[A-Za-z0-9%+/_=-]{24,1024})/dg,
  },
  {
    marks: ['rivate key', 'rivate Key', 'PRIVATE KEY'],
    lines: 14,
    pattern: /(?<![A-Za-z0-9])(?<secret>0x[a-f0-9]{64})(?![A-Za-z0-9])/dgi,
  },
  {
    marks: ['Private-Lines:'],
    lines: 40,
    pattern: /Private-Lines: \d{1,4}\r?\n(?<secret>[A-Za-z0-9+/=\s]{20,3900})/dg,
  },
  { marks: ['Private-MAC:'], pattern: /Private-MAC: (?<secret>[a-f0-9]{40,64})/dg },
]

export const PLACE_MARKS: readonly string[] = PLACES.flatMap(({ marks }) => marks)

const MARKS_AT = Map.groupBy(
  PLACES.flatMap((place) => place.marks.map((mark) => [mark, place] as const)),
  ([mark]) => keyOf(mark),
)

const BEGIN = '-----BEGIN '
const LONGEST_BLOCK = 40_000

/**
 * Removes the body of a key block, whatever is between its lines (quotes, line prefixes of a log or a diff); if the
 * block is incomplete, removes as much as looks like a body.
 */
function findKeyBlocks(text: string, add: Add): void {
  let end = 0
  for (let at = text.indexOf(BEGIN), next = at; at >= 0; at = next) {
    next = text.indexOf(BEGIN, at + BEGIN.length)
    const head = KEY_HEAD.exec(text.slice(at, at + 100))
    if (head === null) continue
    const from = at + head[0].length
    if (end >= 0 && end < from) end = text.indexOf('-----END ', from)
    const isClosed = end >= 0 && end - from <= LONGEST_BLOCK && (next < 0 || end < next)
    const body = isClosed ? text.slice(from, end) : CUT_OFF.exec(text.slice(from, from + LONGEST_BLOCK))![0]
    if (/[A-Za-z0-9+/=]{16}/.test(body)) add([from, from + body.length])
  }
}

const KEY_HEAD = /^-----BEGIN [A-Z0-9 ]{0,40}(?:PRIVATE KEY|SECRET KEY)(?: BLOCK)?-----/
const CUT_OFF =
  /^(?:[\s"'`+\\,>|#*:]|[nr](?=[A-Za-z0-9+/])|(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset):[^\n]{0,120}|[A-Za-z0-9+/=]{12,}|[A-Za-z0-9+/]{1,11}(?:=|(?=[\s"'`\\]|$)))*/

/** Password in an address, a token in place of the user, or an address that is the secret itself. */
function findInAddresses(text: string, add: Add): void {
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    WEB_HOOK.lastIndex = at + 3
    const hook = WEB_HOOK.exec(text)?.indices?.groups?.['secret']
    if (hook !== undefined && !isPublished(text.slice(...hook)) && !/X{4}|0{8}/.test(text.slice(...hook))) add(hook)
    USER_INFO.lastIndex = at + 3
    const found = USER_INFO.exec(text)
    if (found === null) continue
    const { user, password } = found.groups as { user: string; password?: string }
    const from = at + 3
    if (isToken(user, password)) add([from, from + user.length])
    if (password !== undefined && password !== 'x-oauth-basic' && isNoPlaceholder(password))
      add([from + user.length + 1, from + user.length + 1 + password.length])
  }
}

const isToken = (user: string, password: string | undefined): boolean =>
  isNoPlaceholder(user) &&
  (password === 'x-oauth-basic'
    ? user.length >= 8
    : (user.length >= 20 && isRandom(user)) || /^[a-f0-9]{32}$/.test(user))

// Greedy up to the last @ before the path: people leave an @ in a password unescaped.
const USER_INFO = /(?<user>[^\s:@/"'`<>\\]{0,256})(?::(?<password>[^\s/"'`<>\\]{1,256}))?@/y

const HOOKS = [
  'hooks\\.slack\\.com/(?:services|workflows|triggers)',
  '(?:\\w+\\.)?discord(?:app)?\\.com/api/(?:v\\d+/)?webhooks/\\d{5,25}',
  '[\\w-]{1,63}\\.webhook\\.office\\.com/webhookb2',
  'outlook\\.office(?:365)?\\.com/webhook',
  'hooks\\.zapier\\.com/hooks/catch/\\d{3,12}',
  'maker\\.ifttt\\.com/trigger/[\\w-]{1,80}/(?:json/)?with/key',
  'open\\.(?:feishu|larksuite)\\.\\w{2,3}/open-apis/bot/v2/hook',
  'oapi\\.dingtalk\\.com/robot/send\\?access_token=',
  'qyapi\\.weixin\\.qq\\.com/cgi-bin/webhook/send\\?key=',
  'chat\\.googleapis\\.com/v1/spaces/[\\w-]{1,80}/messages\\?key=',
]
const WEB_HOOK = new RegExp(`(?:${HOOKS.join('|')})/?(?<secret>[\\w%=&/@+.-]{16,})`, 'dy')
