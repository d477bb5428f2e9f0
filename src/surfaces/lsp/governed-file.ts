import { type CodeLens, type InlayHint, type Location } from 'vscode-languageserver/node'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import type { CatalogueEntry } from '../../record/domain/decision/catalogue.ts'
import { label } from '../../record/domain/decision/decision.ts'
import { entryOf } from '../../record/read-decision.ts'
import type { EditorProject, Place } from './open-projects.ts'
import { stemOf } from './record-diagnostics.ts'

const MOST = 5
const TOP = { line: 0, character: 0 }

interface Note {
  readonly title: string
  readonly entry: CatalogueEntry
}

/** Notes at the top of a file: decisions that govern it, or the supersessions of a decision file. */
function notesOf({ project, path, isRecord }: Place): Note[] {
  const { decisions } = project.judge.record()
  if (!isRecord) return project.judge.governing(path).map((entry) => ({ title: label(entry.num), entry }))
  const own = decisions.find(({ stem }) => stem === stemOf(path))
  if (own === undefined) return []
  const named = (verb: string, num: string | null): Note[] => {
    const entry = num === null ? undefined : entryOf(decisions, Number(num))
    return entry === undefined ? [] : [{ title: `${verb} ${label(entry.num)} ${visibleLine(entry.title)}`, entry }]
  }
  return [
    ...decisions
      .filter(({ superseded_by: by }) => by !== null && Number(by) === own.num)
      .flatMap(({ num }) => named('supersedes', String(num))),
    ...named('superseded by', own.superseded_by),
  ]
}

const others = (count: number): string => (count === 0 ? '' : ` and ${count} more`)

/** A code lens for each note, which opens its decision. */
export function lensesOf(place: Place, uri: string): CodeLens[] {
  const notes = notesOf(place)
  const range = { start: TOP, end: TOP }
  const open = ({ stem }: CatalogueEntry) => ({ command: 'ken.openDecision', arguments: [{ uri, decision: stem }] })
  return notes.slice(0, MOST).map(({ title, entry }, i) => ({
    range,
    command: {
      title: place.isRecord
        ? title
        : `Governed by ${title} ${visibleLine(entry.title)}${i === MOST - 1 ? others(notes.length - MOST) : ''}`,
      ...open(entry),
    },
  }))
}

/** The same on the first line, for editors without code lenses. */
export function hintsOf(place: Place, firstLine: string): InlayHint[] {
  const notes = notesOf(place)
  if (notes.length === 0) return []
  const shown = notes.slice(0, MOST)
  const parts = shown.flatMap(({ title, entry }, i) => [
    ...(i === 0 ? [] : [{ value: ', ' }]),
    { value: title, tooltip: visibleLine(entry.title), location: locationOf(place.project, entry) },
  ])
  const verb = place.isRecord
    ? ''
    : shown.length === 1 && notes.length === 1
      ? ' governs this file'
      : ' govern this file'
  return [
    {
      position: { line: 0, character: firstLine.length },
      label: [...parts, { value: `${others(notes.length - shown.length)}${verb}` }].filter(({ value }) => value !== ''),
      paddingLeft: true,
    },
  ]
}

const locationOf = (project: EditorProject, entry: CatalogueEntry): Location => ({
  uri: project.uriOf(entry),
  range: { start: TOP, end: TOP },
})
