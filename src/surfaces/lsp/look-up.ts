import type { TextDocument } from 'vscode-languageserver-textdocument'
import {
  type DocumentLink,
  type Hover,
  type Location,
  type Position,
  type Range,
  SymbolKind,
  type WorkspaceSymbol,
} from 'vscode-languageserver/node'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import { label } from '../../record/domain/decision/decision.ts'
import { decisionPath, QUESTIONS } from '../../record/domain/files.ts'
import { parseQuestions } from '../../record/domain/question.ts'
import { entryOf } from '../../record/read-decision.ts'
import { decisionHover, namesHover, questionHover, type Writer } from './decision-text.ts'
import { thingAt } from './named-things.ts'
import type { EditorProject, Place } from './open-projects.ts'
import { stemOf } from './record-diagnostics.ts'
import { type Reference, referencesIn } from './references.ts'

const MOST_SYMBOLS = 200

const START: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }

/** The decision or question written at a position, or the number that a record's frontmatter refers to. */
function referenceAt(document: TextDocument, place: Place, position: Position): Reference | undefined {
  const at = document.offsetAt(position)
  const found = referencesIn(document.getText(), document.languageId).find(({ start, end }) => start <= at && at <= end)
  if (found !== undefined || !place.isRecord || stemOf(place.path) === undefined) return found
  const line = lineAt(document, position.line)
  const [, before, num] = /^((?:supersedes|superseded_by):\s*['"]?)(\d{1,9})['"]?\s*$/.exec(line) ?? []
  if (before === undefined || num === undefined) return undefined
  const start = document.offsetAt({ line: position.line, character: before.length })
  return { kind: 'decision', num: Number(num), start, end: start + num.length }
}

export function lineAt(document: TextDocument, line: number): string {
  return document
    .getText({ start: { line, character: 0 }, end: { line: line + 1, character: 0 } })
    .replace(/\r?\n$/, '')
}

export async function hoverAt(
  document: TextDocument,
  place: Place,
  position: Position,
  write: Writer,
): Promise<Hover | undefined> {
  const { project, path, isRecord } = place
  const record = project.judge.record()
  const reference = referenceAt(document, place, position)
  if (reference !== undefined) {
    const range = { start: document.positionAt(reference.start), end: document.positionAt(reference.end) }
    if (reference.kind === 'question') {
      const question = await questionNamed(project, reference.num)
      return question && { contents: questionHover(question, project.uriOf(QUESTIONS), write), range }
    }
    const entry = entryOf(record.decisions, reference.num)
    if (entry === undefined) return undefined
    const decision = record.texts.get(entry.stem)
    return { contents: decisionHover({ entry, decision, uri: project.uriOf(entry) }, write), range }
  }
  if (isRecord) return undefined
  const thing = thingAt(lineAt(document, position.line), position.character, path, record)
  if (thing === undefined) return undefined
  const lines = thing.by.map(({ entry, stance, text }) => ({ stance, text, num: entry.num, uri: project.uriOf(entry) }))
  return {
    contents: namesHover(thing.spelled, lines, write),
    range: {
      start: { line: position.line, character: thing.start },
      end: { line: position.line, character: thing.end },
    },
  }
}

/** The record's file for an id, or for the thing that a decision rejected or chose. */
export async function definitionAt(
  document: TextDocument,
  place: Place,
  position: Position,
): Promise<Location[] | undefined> {
  const { project } = place
  const reference = referenceAt(document, place, position)
  if (reference !== undefined) {
    const location = await locationOf(project, reference)
    return location && [location]
  }
  if (place.isRecord) return undefined
  const thing = thingAt(lineAt(document, position.line), position.character, place.path, project.judge.record())
  return thing?.by.map(({ entry }) => ({ uri: project.uriOf(entry), range: START }))
}

export async function linksIn(document: TextDocument, { project }: Place): Promise<DocumentLink[]> {
  const references = referencesIn(document.getText(), document.languageId)
  const named = new Map(references.map((each) => [idOf(each), each]))
  const places = new Map(
    await Promise.all([...named].map(async ([id, each]) => [id, await locationOf(project, each)] as const)),
  )
  return references.flatMap((each) => {
    const target = places.get(idOf(each))?.uri
    const range = { start: document.positionAt(each.start), end: document.positionAt(each.end) }
    return target === undefined ? [] : [{ range, target, tooltip: idOf(each) }]
  })
}

const idOf = ({ kind, num }: Reference): string => (kind === 'decision' ? label(num) : `Q${num}`)

async function locationOf(project: EditorProject, { kind, num }: Reference): Promise<Location | undefined> {
  if (kind === 'decision') {
    const entry = entryOf(project.judge.record().decisions, num)
    if (entry === undefined) return undefined
    const lines = ((await project.store.read(decisionPath(entry.stem))) ?? '').split('\n')
    const line = Math.max(
      0,
      lines.findIndex((each) => each.startsWith('# ')),
    )
    return { uri: project.uriOf(entry), range: { start: { line, character: 0 }, end: { line, character: 0 } } }
  }
  const question = await questionNamed(project, num)
  if (question === undefined) return undefined
  const at = { line: question.from, character: 0 }
  return { uri: project.uriOf(QUESTIONS), range: { start: at, end: at } }
}

async function questionNamed(project: EditorProject, num: number) {
  return parseQuestions((await project.store.read(QUESTIONS)) ?? '').find(({ number }) => number === num)
}

/** Decisions whose number or title contains a query. */
export function symbolsIn(projects: readonly EditorProject[], query: string): WorkspaceSymbol[] {
  const wanted = query.slice(0, 200).toLowerCase()
  return projects
    .flatMap((project) =>
      project.judge.record().decisions.map((entry) => ({
        name: `${label(entry.num)} ${visibleLine(entry.title)}`,
        kind: SymbolKind.Key,
        containerName: entry.status === 'active' ? 'decisions' : 'superseded decisions',
        location: { uri: project.uriOf(entry), range: START },
      })),
    )
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .toReversed()
    .slice(0, MOST_SYMBOLS)
}
