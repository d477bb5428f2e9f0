import { readFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import { entropy } from '../../src/kernel/domain/secrets/judge.ts'

interface Allowed {
  readonly regexes?: readonly string[]
  readonly stopwords?: readonly string[]
}

interface Rule {
  readonly regex?: string
  readonly entropy?: number
  readonly keywords?: readonly string[]
  readonly secretGroup?: number
  readonly allowlists?: readonly Allowed[]
}

/**
 * Returns a redactor with the rules of a `gitleaks.toml`, as the scanner applies them to one text: keywords, entropy
 * and allowed values.
 */
export function openGitleaks(path: string): (text: string) => Promise<string> {
  const config = parse(readFileSync(path, 'utf8')) as unknown as { rules: readonly Rule[]; allowlist?: Allowed }
  const rules = config.rules.flatMap((rule) =>
    rule.regex === undefined ? [] : [{ ...rule, pattern: new RegExp(fromGo(rule.regex), 'g') }],
  )
  const isAllowed = (secret: string, { regexes = [], stopwords = [] }: Allowed): boolean =>
    regexes.some((regex) => new RegExp(fromGo(regex)).test(secret)) ||
    stopwords.some((word) => secret.toLowerCase().includes(word))
  return async (text) => {
    const lower = text.toLowerCase()
    const found = new Set<string>()
    for (const { pattern, keywords = [], secretGroup, allowlists = [], ...rule } of rules) {
      if (keywords.length > 0 && !keywords.some((keyword) => lower.includes(keyword))) continue
      for (const match of text.matchAll(pattern)) {
        const secret = match[secretGroup ?? firstGroup(match)]!
        if (entropy(secret) < (rule.entropy ?? 0)) continue
        if (![config.allowlist ?? {}, ...allowlists].some((allowed) => isAllowed(secret, allowed))) found.add(secret)
      }
    }
    return [...found].reduce((left, secret) => left.replaceAll(secret, '[redacted]'), text)
  }
}

const firstGroup = (match: RegExpExecArray): number =>
  Math.max(
    0,
    match.findIndex((group, i) => i > 0 && group !== undefined && group !== ''),
  )

/** Converts a Go pattern: in Go `(?i)` applies to the end of its group, in JavaScript it needs an explicit group. */
function fromGo(source: string): string {
  const open: number[] = [0]
  let made = ''
  for (let i = 0, inClass = false; i < source.length; i++) {
    const flags = inClass ? null : /^\(\?([a-z-]+)\)/.exec(source.slice(i, i + 8))
    if (source[i] === '\\') {
      made += source[i + 1] === 'z' ? '$' : source.slice(i, i + 2)
      i++
      continue
    }
    if (flags !== null) {
      made += `(?${flags[1]}:`
      open[open.length - 1]!++
      i += flags[0].length - 1
      continue
    } else if (!inClass && source[i] === '(') open.push(0)
    else if (!inClass && source[i] === ')') made += ')'.repeat(open.pop()!)
    if (source[i] === '[') inClass = true
    if (source[i] === ']') inClass = false
    made += source[i]
  }
  return (made + ')'.repeat(open[0]!)).replaceAll('(?P<', '(?<').replaceAll('[[:alnum:]]', '[A-Za-z0-9]')
}
