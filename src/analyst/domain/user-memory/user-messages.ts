import { head } from '../../../kernel/domain/text.ts'
import { outsideFences } from '../../../kernel/domain/text/markdown-fences.ts'
import { LEFT_OUT } from '../../../kernel/domain/text/sentences.ts'
import { findHidden } from '../../../kernel/domain/trust/visible.ts'
import { isOffRecord } from './off-record.ts'

const MOST_MESSAGES = 17
const LONGEST = 1_250
const LONGEST_LAST = 2_000
const SHORTEST_LAST = 3
/** Maximum number of characters read from one message: longer text was pasted. */
const LONGEST_READ = 200_000

export interface UserMessage {
  readonly id: string
  readonly text: string
}

/**
 * Messages to learn from: the user's own words in their last messages, oldest first, each cut in the middle. Undefined
 * if the last one is empty, or asks not to be remembered.
 */
export function userMessages(messages: readonly UserMessage[]): readonly UserMessage[] | undefined {
  const last = messages.at(-1)
  if (last === undefined || last.text.trim().length < SHORTEST_LAST) return undefined
  const own = messages.slice(-MOST_MESSAGES).map((message) => ({
    id: message.id,
    text: cutMiddle(ownWords(bounded(message.text)), message === last ? LONGEST_LAST : LONGEST),
  }))
  const kept = (text: string): boolean => says(text) && !isOffRecord(text)
  return kept(own.at(-1)!.text) ? own.filter(({ text }) => kept(text)) : undefined
}

const says = (text: string): boolean => text.replaceAll(LEFT_OUT, '').trim().length >= SHORTEST_LAST

/**
 * Reads only the beginning of a long text: after a cut in the middle, a code fence that began in the removed part would
 * be missing.
 */
const bounded = (text: string): string => (text.length <= LONGEST_READ ? text : head(text, LONGEST_READ))

/** Keeps both ends of a text, in whole words, with a mark between them that no evidence spans. */
function cutMiddle(text: string, longest: number): string {
  if (text.length <= longest) return text
  const mark = `\n${LEFT_OUT}\n`
  const half = Math.floor((longest - mark.length) / 2)
  const start = text.slice(0, half).replace(/\S*$/, '')
  const end = text.slice(-half).replace(/^\S*/, '')
  return `${start.trimEnd()}${mark}${end.trimStart()}`
}

/**
 * Returns the part of a message that the user wrote themselves, as far as detectable: without code, quotations, mails,
 * tables, logs, texts handed over for translation, and lines with untypeable characters. Runs in time linear in the
 * text.
 */
function ownWords(text: string): string {
  const untagged = withoutTags(text.replaceAll('\r\n', '\n'))
  const lines = untagged.split('\n')
  const outside = outsideFences(lines)
  const handedOver = handedOverFrom(lines)
  const kept = lines.map((line, i) =>
    outside[i] === true && i < handedOver && !isNotSpoken(line, lines[i - 1])
      ? withoutQuotations(spoken(line))
      : LEFT_OUT,
  )
  return kept
    .join('\n')
    .replaceAll(/(?<!\s)(?:\s*\[…\])+\s*/g, `\n${LEFT_OUT}\n`)
    .trim()
}

/** Removes elements with their content: programs put instructions and context in tags. */
function withoutTags(text: string): string {
  const closings = new Map<string, { readonly places: number[]; next: number }>()
  for (const { index, 1: name } of text.matchAll(/<\/([a-z][\w-]{0,63})>/gi)) {
    const known = closings.get(name!.toLowerCase())
    if (known === undefined) closings.set(name!.toLowerCase(), { places: [index], next: 0 })
    else known.places.push(index)
  }
  if (closings.size === 0) return text
  let kept = ''
  let from = 0
  for (const { index, 1: name } of text.matchAll(/<([a-z][\w-]{0,63})(?=[\s>])/gi)) {
    const known = closings.get(name!.toLowerCase())
    if (index < from || known === undefined) continue
    while (known.places[known.next]! < index) known.next++
    const end = known.places[known.next]
    if (end === undefined) continue
    kept += `${text.slice(from, index)} ${LEFT_OUT} `
    from = end + name!.length + 3
  }
  return kept + text.slice(from)
}

const SQL =
  /^\s*(?:select|insert into|update|delete from|create (?:or replace )?(?:table|view)|alter table|drop table|with \w+ as)\b.{0,2000}(?:\bfrom\b|\bvalues\b|\bset\b|\(|;)/i
const LOG =
  /^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?(?:INFO|WARN(?:ING)?|ERROR|DEBUG|TRACE|FATAL)\b|at \S+ ?\(|Traceback )/
const DATA = /^\s*(?:[{}[\]]|"[^"]{1,80}"\s*:)/
const LATIN = /\p{Script=Latin}/u
const LOOKALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}]/u

/** Whether a line is quoted, tabular, code, a log, or written with lookalike letters. */
function isNotSpoken(line: string, before: string | undefined): boolean {
  if (/^\s*[>|]/.test(line) || (line.match(/\|/g)?.length ?? 0) > 2) return true
  if ((line.match(/\t/g)?.length ?? 0) > 1 || (line.match(/,(?=\S)/g)?.length ?? 0) > 3) return true
  if (/^(?: {4}|\t)\S/.test(line) && (before === undefined || before.trim() === '')) return true
  return SQL.test(line) || LOG.test(line) || DATA.test(line) || findHidden(line) !== undefined || hasMixedWord(line)
}

/** A word that mixes Latin with Cyrillic or Greek letters. Words of one script are fine, even several in a line. */
const hasMixedWord = (line: string): boolean =>
  LOOKALIKE.test(line) && (line.match(/\p{L}+/gu) ?? []).some((word) => LATIN.test(word) && LOOKALIKE.test(word))

const MAIL_HEAD =
  /^\s*(?:from|to|cc|sent|date|subject|von|an|gesendet|datum|betreff|de|à|envoyé|objet|para|enviado|fecha|asunto)\s?:\s/i
const MAIL_BEGINS = [
  /^\s*-{2,}\s?(?:original message|ursprüngliche nachricht|message d'origine|mensaje original|forwarded message)/i,
  /^\s*(?:on|am|le|el)\s.{4,120}\s(?:wrote|schrieb|a écrit|escribió).{0,80}:\s*$/i,
]
/** Matches `Here is the mail:` with nothing after it on the line. */
const ANNOUNCED =
  /\b(?:e-?mails?|mails?|messages?|texts?|drafts?|letters?|tickets?|comments?|notes?|logs?|outputs?|files?|transcripts?|quotes?|posts?|articles?|nachricht|entwurf|brief|courriel|brouillon|lettre|correo|mensaje|borrador|carta|this|following|folgende\w*|suivante?|siguiente)\b[^:\n]{0,60}:\s*$/i

/** The first line from which all text is another person's; the number of lines if there is none. */
function handedOverFrom(lines: readonly string[]): number {
  const at = lines.findIndex(
    (line, i) =>
      MAIL_BEGINS.some((pattern) => pattern.test(line)) ||
      (MAIL_HEAD.test(line) && MAIL_HEAD.test(lines[i + 1] ?? '')) ||
      (i > 0 && ANNOUNCED.test(lines[i - 1]!)) ||
      (i > 0 && /:\s*$/.test(lines[i - 1]!) && HANDING_OVER.test(lines[i - 1]!)),
  )
  return at < 0 ? lines.length : at
}

const HANDING_OVER =
  /(?:^|[.!?,]\s+)(?:(?:please|can you|could you|bitte|kannst du|peux-tu|pouvez-vous|puedes|por favor)\s+)?(?:translate|summari[sz]e|rewrite|rephrase|paraphrase|proofread|correct|fix|improve|shorten|draft|write|compose|explain|review|answer|reply|übersetz\w*|fass\w*|korrigier\w*|schreib\w*|formulier\w*|erklär\w*|tradui\w*|résume\w*|corrige\w*|écri\w*|rédige\w*|explique\w*|traduc\w*|traduz\w*|resum\w*|escrib\w*|redact\w*|explic\w*)(?=[\s:])/i
const SPEAKING =
  /\b(?:sa(?:ys?|id)|writes?|wrote|reads?|tells?|told|replied|answered|states?|stated|asks?|asked|claims?|sagte?|schrieb|schreibt|meinte?|lautet|dit|disait|écrit|indique|dijo|dice|escribió|escribe)(?:\s+\p{L}+){0,3}\s?:\s/iu

/** The line up to the start of another person's words: `Translate: …`, `She said: …`. */
function spoken(line: string): string {
  const colon = line.search(/:(?=\s)/)
  if (colon < 0) return line
  if (HANDING_OVER.test(line.slice(0, colon)) || SPEAKING.test(line.slice(0, colon + 2)))
    return `${line.slice(0, colon + 1)} ${LEFT_OUT}`
  return line
}

const QUOTATIONS = [
  /"([^"\n]{1,600})"/g,
  /[“„]([^”“\n]{1,600})[”“]/g,
  /«([^»\n]{1,600})»/g,
  /`([^`\n]{1,600})`/g,
  /(?<![\p{L}\p{N}])['‘]([^'’\n]{1,600})['’](?![\p{L}\p{N}])/gu,
]
const SPEAKS =
  /(?<![\p{L}])(?:i|i'm|we|my|our|me|ich|wir|mein\p{L}*|unser\p{L}*|je|j'|nous|mon|ma|notre|yo|soy|mi|nosotros|nuestr\p{L}*|always|never|from now on|immer|nie|ab jetzt|toujours|jamais|désormais|siempre|nunca)(?![\p{L}])/iu

/** Removes quotations: a term in quotation marks is the user's own, a sentence in them is quoted. */
function withoutQuotations(line: string): string {
  let kept = line
  for (const pattern of QUOTATIONS)
    kept = kept.replaceAll(pattern, (whole, inside: string) =>
      inside.trim().split(/\s+/).length > 4 || SPEAKS.test(inside) ? ` ${LEFT_OUT} ` : whole,
    )
  return kept
}
