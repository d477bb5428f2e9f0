import type { Decision } from './domain/decision/decision.ts'
import { type Drift, drift } from './domain/drift/drift.ts'
import type { Standpoint } from './domain/drift/judge-things.ts'
import { type FoundPin, type StatedPin, agrees, pinsIn, statedPins } from './domain/drift/pins.ts'
import type { RepositoryStock } from './repository-stock.ts'

/** Versions that a decision states and that a file had but no longer has. */
export async function pinDrift(
  decision: Decision,
  { stock, at }: { stock: RepositoryStock; at: Standpoint },
): Promise<Drift[]> {
  const pins = statedPins(`${decision.title}.\n${decision.rationale}`, stock.isPackage)
  if (pins.length === 0 || at.isUnknown) return []
  const tools = new Set(pins.map(({ tool }) => tool))
  const byPath = Map.groupBy(stock.revisions, ({ path }) => path)
  const now = new Map(stock.files.map(({ path, content }) => [path, content]))
  const found: Drift[] = []
  for (const [path, revisions] of byPath) {
    const content = now.get(path)
    if (content === undefined || !at.scope(path)) continue
    const read = async (each: string | undefined): Promise<FoundPin[]> =>
      pinsIn(path, (each === undefined ? undefined : await stock.text(each)) ?? '', tools)
    const today = await read(content)
    const past = []
    const from = Math.max(
      0,
      revisions.findLastIndex(({ place }) => place <= at.place),
    )
    for (const revision of revisions.slice(from))
      past.push({ place: revision.place, pins: await read(revision.content) })
    for (const pin of pins) {
      const broken = brokenPin(pin, today, past)
      if (broken === undefined || found.some(({ about }) => about === pin.spelled)) continue
      found.push(
        drift('pin_broken', {
          about: pin.spelled,
          path,
          line: broken.found.line,
          commit: broken.place === undefined ? null : stock.commit(broken.place),
          was: `${pin.spelled}, as ${path} had it (${broken.was})`,
          now: `${path} asks for ${broken.found.version}`,
        }),
      )
    }
  }
  return found
}

function brokenPin(
  { tool, version }: StatedPin,
  today: readonly FoundPin[],
  past: readonly { readonly place: number; readonly pins: readonly FoundPin[] }[],
): { found: FoundPin; was: string; place: number | undefined } | undefined {
  const mine = today.filter((pin) => pin.tool === tool)
  const [found] = mine
  if (found === undefined || mine.some((pin) => agrees(version, pin.version))) return undefined
  const last = past.findLastIndex(({ pins }) => pins.some((pin) => pin.tool === tool && agrees(version, pin.version)))
  if (last < 0) return undefined
  const was = past[last]!.pins.find((pin) => pin.tool === tool && agrees(version, pin.version))!.version
  return { found, was, place: past[last + 1]?.place }
}
