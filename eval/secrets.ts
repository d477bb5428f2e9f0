import { rules } from '@secretlint/secretlint-rule-preset-recommend'
import { redactSecrets } from '../src/core/secrets/redact.ts'
import { heldBackLookalikes } from './secrets/lookalikes-held-back.ts'
import { tunedLookalikes } from './secrets/lookalikes-tuned.ts'
import type { Lookalike, SecretCase } from './secrets/make.ts'
import { heldBackSecrets } from './secrets/secrets-held-back.ts'
import { tunedSecrets } from './secrets/secrets-tuned.ts'
import type { Figure } from './suite.ts'

// A secret counts as caught when no run of this many characters of it is left.
const SURVIVES = 8
const LEAST_RECALL = 0.95
const MOST_FALSE = 0.03

type Redact = (text: string) => Promise<string>

/** How many secrets are caught and how often ordinary text is taken for one, beside the preset of secretlint. */
export async function secretFigures(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const half of halves()) {
    const [own, preset] = [await measure(half, redactByKen), await measure(half, redactByPreset)]
    const peer = (value: number) => ({ name: 'secretlint preset', value })
    const at = { set: 'secrets', half: half.name } as const
    figures.push(
      {
        ...at,
        measure: 'caught',
        value: half.secrets.length - own.missed.length,
        of: half.secrets.length,
        better: 'higher',
        peer: peer(half.secrets.length - preset.missed.length),
      },
      {
        ...at,
        measure: 'false alarms',
        value: own.mistaken.length,
        of: half.lookalikes.length,
        better: 'lower',
        peer: peer(preset.mistaken.length),
      },
    )
  }
  return figures
}

const halves = () =>
  [
    { name: 'tuned', secrets: tunedSecrets(), lookalikes: tunedLookalikes() },
    { name: 'kept back', secrets: heldBackSecrets(), lookalikes: heldBackLookalikes() },
  ] as const

const redactByKen: Redact = async (text) => redactSecrets(text).text

async function measure(half: ReturnType<typeof halves>[number], redact: Redact) {
  return {
    missed: await selectAsync(half.secrets, async ({ text, secret }) => survives(secret, await redact(text))),
    mistaken: await selectAsync(half.lookalikes, async ({ text }) => (await redact(text)) !== text),
  }
}

if (import.meta.main) {
  let isMissed = false
  for (const half of halves()) {
    const name = half.name.replace('kept', 'held')
    for (const [peer, redact] of Object.entries({ Ken: redactByKen, 'secretlint preset': redactByPreset })) {
      const { missed, mistaken } = await measure(half, redact)
      const recall = 1 - missed.length / half.secrets.length
      const falseRate = mistaken.length / half.lookalikes.length
      if (peer === 'Ken' && (recall < LEAST_RECALL || falseRate > MOST_FALSE)) isMissed = true
      console.log(
        `${name.padEnd(10)} ${peer.padEnd(18)} recall ${percent(recall)} (${half.secrets.length - missed.length} of ${half.secrets.length})  false alarms ${percent(falseRate)} (${mistaken.length} of ${half.lookalikes.length})`,
      )
      if (peer === 'Ken' && process.argv.includes(`--show=${name.replace(' ', '-')}`)) show(missed, mistaken)
    }
  }
  console.log(
    `Wanted of Ken in both halves: recall at least ${percent(LEAST_RECALL)}, false alarms at most ${percent(MOST_FALSE)}.`,
  )
  process.exitCode = isMissed ? 1 : 0
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

/** Everything that a rule of the preset reports is taken out. */
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
