import { AppError } from '../kernel/domain/errors.ts'
import { operationNamed } from '../kernel/domain/named-operation.ts'
import type { DecisionTrust } from '../kernel/domain/trust/trust.ts'
import { type AsOf, momentText } from './domain/as-of.ts'
import type { Catalogue, CatalogueEntry } from './domain/decision/catalogue.ts'
import { decisionNumber } from './domain/decision/decision-id.ts'
import { type Decision, label } from './domain/decision/decision.ts'
import { parseDecision } from './domain/decision/parse.ts'
import { decisionPath } from './domain/files.ts'
import type { Store } from './ports/store.ts'

const AT_ONCE = 64

/** Undefined if the decision does not exist or cannot be read; doctor reports why. */
export async function readDecision(store: Pick<Store, 'read'>, stem: string): Promise<Decision | undefined> {
  const text = await store.read(decisionPath(stem))
  if (text === undefined) return undefined
  try {
    return parseDecision(text, `${stem}.md`)
  } catch {
    return undefined
  }
}

/** The full texts of many decisions, by stem. Unreadable ones are left out; doctor reports why. */
export async function readDecisions(
  store: Pick<Store, 'read'>,
  entries: readonly CatalogueEntry[],
): Promise<Map<string, Decision>> {
  const texts = new Map<string, Decision>()
  for (let from = 0; from < entries.length; from += AT_ONCE) {
    await Promise.all(
      entries.slice(from, from + AT_ONCE).map(async ({ stem }) => {
        const decision = await readDecision(store, stem)
        if (decision !== undefined) texts.set(stem, decision)
      }),
    )
  }
  return texts
}

export const decisionId = (num: number): string => `decision-${String(num).padStart(3, '0')}`

/** The decision with a number; if several share it, the first by file name. */
export const entryOf = (decisions: readonly CatalogueEntry[], num: number): CatalogueEntry | undefined =>
  decisions.find((d) => d.num === num)

export const trustOf = (store: Store, entry: CatalogueEntry): DecisionTrust =>
  store.project.fromClone === true ? 'from the clone' : entry.trust

export async function fileTrust(store: Store, path: string): Promise<DecisionTrust> {
  const entry = path.startsWith('decisions/')
    ? (await store.catalogue()).decisions.find(({ stem }) => decisionPath(stem) === path)
    : undefined
  return store.project.fromClone === true ? 'from the clone' : (entry?.trust ?? 'approved')
}

/** The error for a file that existed at a past moment but whose text is no longer available. */
export const textLost = (path: string, asOf: AsOf): AppError =>
  new AppError('not_found', `The content of ${path} as of ${momentText(asOf.at)} is no longer available.`, {
    hint: 'No snapshot or commit contains that text. Use a later time, or omit it for the current text.',
  })

const isOf = (path: string, number: number): boolean =>
  path.startsWith('decisions/') && decisionNumber(path.slice('decisions/'.length)) === number

export function noSuchDecision(number: number | string, catalogue: Catalogue, asOf?: AsOf): AppError {
  const lost = typeof number === 'string' ? undefined : asOf?.unknown.find((path) => isOf(path, number))
  if (lost !== undefined) return textLost(lost, asOf!)
  const broken =
    typeof number === 'string' ? undefined : catalogue.unreadable.find((u) => new RegExp(`/0*${number}-`).test(u.path))
  if (broken !== undefined)
    return new AppError('damaged', `${broken.path} cannot be read: ${broken.message}.`, {
      hint: 'Fix the file by hand, or run `ken doctor`.',
    })
  const newest = catalogue.decisions.at(-1)
  return new AppError(
    'not_found',
    `${asOf === undefined ? 'There is' : `As of ${momentText(asOf.at)} there was`} no decision ${typeof number === 'string' ? `"${number}"` : label(number)}.`,
    {
      hint:
        newest === undefined
          ? (asOf?.notes.at(-1) ?? 'The record has no decisions yet.')
          : asOf === undefined
            ? `The newest is ${label(newest.num)}; ${operationNamed('list_decisions')} lists them.`
            : `The newest was ${label(newest.num)}.`,
    },
  )
}
