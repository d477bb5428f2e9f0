import { LookmlFault, parseLookml, type LookmlBlock, type LookmlEntry, type LookmlItem } from './lookml-parse.ts'

/** LookML project with refinements merged into their targets and `extends` resolved. */
export interface LookmlProject {
  readonly views: readonly LookmlThing[]
  readonly explores: readonly LookmlThing[]
  /** Unreadable files and unresolvable references. */
  readonly faults: readonly { readonly title: string; readonly reason: string }[]
}

/** A view or an explore. */
export interface LookmlThing {
  readonly name: string
  readonly block: LookmlBlock
  /** Model file that defines it, and that model's connection. */
  readonly model: string | undefined
  readonly connection: string | undefined
  readonly extended: readonly string[]
}

interface Found {
  readonly name: string
  block: LookmlBlock
  readonly model: string | undefined
  readonly connection: string | undefined
}

/** Files are read in path order, because the last refinement of a parameter wins. */
export function readLookmlProject(files: readonly { readonly path: string; readonly text: string }[]): LookmlProject {
  const faults: { title: string; reason: string }[] = []
  const things: Record<Kind, Found[]> = { view: [], explore: [] }
  const refinements: Record<Kind, Found[]> = { view: [], explore: [] }
  for (const { path, text } of files) {
    try {
      const { entries } = parseLookml(text)
      const model = /([^/]+?)\.model\.lkml$/i.exec(path)?.[1]
      const connection = entries.find(({ key }) => key === 'connection')?.value
      for (const { key, name, value } of entries) {
        if ((key !== 'view' && key !== 'explore') || !isBlock(value)) continue
        const found = {
          name: (name ?? '').replace(/^\+/, ''),
          block: value,
          model,
          connection: typeof connection === 'string' ? connection : undefined,
        }
        if (name !== undefined) (name.startsWith('+') ? refinements : things)[key].push(found)
      }
    } catch (error) {
      if (!(error instanceof LookmlFault)) throw error
      faults.push({ title: path, reason: error.message })
    }
  }
  for (const kind of ['view', 'explore'] as const) refine(things[kind], refinements[kind], faults)
  return { views: extend(things.view, faults), explores: extend(things.explore, faults), faults }
}

type Kind = 'view' | 'explore'

function refine(things: readonly Found[], refinements: readonly Found[], faults: { title: string; reason: string }[]) {
  const named = Map.groupBy(things, ({ name }) => name)
  for (const [name, found] of Map.groupBy(refinements, (one) => one.name)) {
    const refined = named.get(name)
    if (refined === undefined) faults.push({ title: `+${name}`, reason: 'it refines what is not here' })
    const above = mergeBlocks(found.map(({ block }) => block))
    // An explore may be in several models.
    for (const thing of (refined ?? []).slice(0, MOST_ALIKE)) thing.block = mergeBlocks([thing.block, above])
  }
}

const MOST_ALIKE = 100
const MOST_INHERITED = 100_000

/** Merges into each view the views it extends, in the order named; its own parameters take precedence. */
function extend(things: readonly Found[], faults: { title: string; reason: string }[]): readonly LookmlThing[] {
  const named = new Map(things.map((thing) => [thing.name, thing]))
  const resolved = new Map<Found, LookmlBlock>()
  let left = MOST_INHERITED
  const resolve = (thing: Found, below: ReadonlySet<Found>): LookmlBlock => {
    const known = resolved.get(thing)
    if (known !== undefined) return known
    const bases: LookmlBlock[] = []
    for (const base of new Set(extendsOf(thing.block))) {
      const other = named.get(base)
      if (other === undefined || below.has(other) || below.size > DEEPEST || left <= 0) continue
      const inherited = resolve(other, new Set([...below, other]))
      left -= weightOf(inherited)
      if (left > 0) bases.push({ entries: inherited.entries.filter(({ key }) => !OWN.has(key)) })
    }
    const whole = bases.length === 0 ? thing.block : mergeBlocks([...bases, thing.block])
    resolved.set(thing, whole)
    return whole
  }
  const all = things.map((thing) => ({
    name: thing.name,
    block: resolve(thing, new Set([thing])),
    model: thing.model,
    connection: thing.connection,
    extended: extendsOf(thing.block),
  }))
  if (left <= 0)
    faults.push({ title: 'extends', reason: 'views extend each other too often; some fields are left out' })
  return all
}

const DEEPEST = 40

/** Number of entries a page has to render; deeper parts are not rendered. */
const weightOf = ({ entries }: LookmlBlock): number =>
  entries.reduce((sum, { value }) => sum + 1 + (isBlock(value) ? value.entries.length : 0), 0)

function extendsOf({ entries }: LookmlBlock): readonly string[] {
  return entries
    .filter(({ key }) => key === 'extends' || key === 'extends__all')
    .flatMap(({ value }) => itemsOf(value).map(({ text }) => text))
}

/** Parameters that are not inherited: those that make a view abstract, and its `extends`. */
const OWN = new Set(['extends', 'extends__all', 'extension'])
/** Parameters that a block may repeat. */
const MANY = new Set(['extends', 'extends__all', 'link', 'action', 'include', 'sql_step', 'when', 'access_filter'])

/**
 * Later blocks replace parameters of the same key and name; blocks of the same name are merged. All at once, because
 * merging one by one would copy a large view for every refinement.
 */
function mergeBlocks(blocks: readonly LookmlBlock[]): LookmlBlock {
  let alone = 0
  const slots = Map.groupBy(
    blocks.flatMap(({ entries }) => entries),
    ({ key, name, value }) =>
      name === undefined && (MANY.has(key) || (key === 'filters' && isBlock(value)))
        ? `${key} ${++alone}`
        : `${key}:${name ?? ''}`,
  )
  return {
    entries: [...slots.values()].map((alike) => {
      const last = alike.at(-1)!
      const values = alike.map(({ value }) => value)
      return alike.length > 1 && last.name !== undefined && values.every(isBlock)
        ? { ...last, value: mergeBlocks(values) }
        : last
    }),
  }
}

export const itemsOf = (value: LookmlEntry['value'] | undefined): readonly LookmlItem[] =>
  Array.isArray(value) ? (value as readonly LookmlItem[]) : []

export const isBlock = (value: LookmlEntry['value']): value is LookmlBlock =>
  typeof value !== 'string' && !Array.isArray(value)
