import { plural } from '../../../kernel/domain/text.ts'
import { label } from '../decision/decision.ts'
import type { StandingRejection } from '../standing-rejections.ts'
import type { ChosenThing } from './chosen.ts'
import { type Drift, drift } from './drift.ts'
import type { Change, InScope, Presence } from './presence.ts'
import type { Use } from './uses.ts'

export interface PlacedUse extends Use {
  readonly path: string
  /** True for a module or package of the repository itself. */
  readonly isOwn: boolean
}

/** Things that a repository uses, now and over time. */
export interface Stock {
  readonly presence: Presence
  /** Uses of the working tree by mark. */
  now(mark: string): readonly PlacedUse[]
  commit(place: number): { readonly id: string; readonly at: string } | null
}

export interface Standpoint {
  readonly place: number
  readonly isUnknown: boolean
  /** Whether a file is in the scope of the decision. */
  readonly scope: InScope
}

const STRENGTH = ['dependency', 'import', 'file', 'config'] as const

/** The clearest evidence that a rejected thing is used; undefined if it is not. */
export function strongestUse(uses: readonly PlacedUse[], scope: InScope): PlacedUse | undefined {
  const meant = uses.filter((use) => !use.isLoose && !use.isOwn && scope(use.path))
  return STRENGTH.map((via) => meant.find((use) => use.via === via)).find((use) => use !== undefined)
}

/** Drift for a rejected option that was introduced since; none if it was present all along. */
export function judgeRejected(
  { thing, alternative, reason, by, holder }: StandingRejection,
  { stock, at, use }: { stock: Stock; at: Standpoint; use: PlacedUse },
): Drift | undefined {
  const came = stock.presence.cameAfter(thing.id, at.place, at.scope)
  const wasThere = stock.presence.isThereAt(thing.id, at.place, at.scope)
  if (wasThere && came === undefined && !at.isUnknown) return undefined
  const others = stock
    .now(thing.id)
    .filter(({ path, isLoose, isOwn }) => !isLoose && !isOwn && path !== use.path && at.scope(path))
  const rejected = `${by === holder ? '' : `${label(by.num)} `}rejected ${alternative}${because(reason)}`
  return drift('rejected_back', {
    about: use.name,
    thing: thing.spelled,
    path: use.path,
    line: use.line,
    commit: came === undefined ? null : stock.commit(came.place),
    was: at.isUnknown
      ? `${rejected}; whether it was there then cannot be told`
      : `${rejected}; ${wasThere ? 'it was still there, and left' : 'it was not there'}`,
    now: `${ACT[use.via]} ${use.name}${came === undefined && !at.isUnknown ? ', not committed' : ''}`,
    also: [...new Set(others.map(({ path }) => path))],
  })
}

const ACT: Readonly<Record<Use['via'], string>> = {
  dependency: 'asks for',
  import: 'imports',
  file: 'is a file of',
  config: 'configures',
}

const because = (reason: string | null): string => {
  const first = (reason ?? '')
    .replaceAll(/\s+/g, ' ')
    .split(/(?<=[.!?])\s/)[0]!
    .replace(/\.$/, '')
    .slice(0, 120)
  return first === '' ? '' : ` (${first})`
}

/**
 * The removal of a chosen thing that was present at the decision or later, by one of its marks; undefined if it never
 * was.
 */
export function wasThere(
  thing: ChosenThing,
  { stock, at }: { stock: Stock; at: Standpoint },
): { left: Change | undefined } | undefined {
  const marks = thing.marks.filter(
    (mark) =>
      stock.presence.isThereAt(mark, at.place) ||
      (!at.isUnknown && stock.presence.cameAfter(mark, at.place) !== undefined),
  )
  if (marks.length === 0) return undefined
  const lefts = marks.flatMap((mark) => stock.presence.left(mark) ?? [])
  return { left: lefts.reduce<Change | undefined>((a, b) => (a === undefined || b.place > a.place ? b : a), undefined) }
}

export function chosenGone(
  thing: ChosenThing,
  left: Change | undefined,
  stock: Stock,
  how = 'no manifest and no import',
): Drift {
  return drift('chosen_gone', {
    about: thing.spelled,
    path: left?.path ?? null,
    line: null,
    commit: left === undefined ? null : stock.commit(left.place),
    was: `chose ${thing.spelled}, and it was there`,
    now: `${how} names it any more`,
  })
}

/** Joins a choice that is gone with a rejected alternative that is present: they are one event, not two. */
export function joinReplaced(drifts: readonly Drift[]): Drift[] {
  const gone = drifts.find(({ kind }) => kind === 'chosen_gone')
  const back = drifts.find(({ kind }) => kind === 'rejected_back')
  if (gone === undefined || back === undefined) return [...drifts]
  const more = back.also.length === 0 ? '' : ` (and ${plural(back.also.length, 'more file')})`
  return [
    drift('replaced', {
      ...back,
      about: `${gone.about} → ${back.about}`,
      was: `chose ${gone.about} and ${back.was}`,
      now: `${gone.about} is gone; ${back.now}${more}`,
    }),
    ...drifts.filter((each) => each !== gone && each !== back),
  ]
}
